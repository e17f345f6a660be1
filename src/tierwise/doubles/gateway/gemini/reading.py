"""A request as it arrived, in neutral words, or the refusal of one that breaks a rule."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.asked import Asked, Endpoint
from tierwise.doubles.gateway.gemini.access import (
    check_key,
    check_method,
    may_be_asked,
    read_json,
    refuse_by,
    refuse_model,
)
from tierwise.doubles.gateway.gemini.breaking import Broken, Given, refuse_broken, refuse_problems
from tierwise.doubles.gateway.gemini.contents_rules import (
    check_contents,
    check_order,
    check_signatures,
)
from tierwise.doubles.gateway.gemini.embed_rules import check_batch, check_embed, check_model
from tierwise.doubles.gateway.gemini.listing import form_models
from tierwise.doubles.gateway.gemini.models import describe_model, find_model, find_tuned
from tierwise.doubles.gateway.gemini.paths import parse_path
from tierwise.doubles.gateway.gemini.settings_rules import check_settings
from tierwise.doubles.gateway.gemini.tools_rules import check_tools
from tierwise.doubles.gateway.gemini.wording import count_asked, embed_asked, generate_asked
from tierwise.doubles.gateway.saying import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.doubles.gateway.gemini.grammar import Problem
    from tierwise.doubles.gateway.gemini.models import ModelFacts
    from tierwise.doubles.gateway.gemini.paths import Target
    from tierwise.doubles.gateway.gemini.shapes import Shapes
    from tierwise.doubles.gateway.vendor import Account
    from tierwise.doubles.gateway.wire import HttpRequest


def read_request(http: HttpRequest, shapes: Shapes, account: Account) -> Asked | Refusal:
    """Return what a request asks for, or what Gemini would refuse it with."""
    target = parse_path(http.path)
    assert target is not None  # noqa: S101  `find_endpoint` has let it through
    refusal = check_method(target.endpoint, http) or check_key(http, account)
    if refusal is not None:
        return refusal
    if target.endpoint is Endpoint.MODELS:
        return _read_models(target, http, account)
    body = read_json(http.body)
    if isinstance(body, Refusal):
        return body
    shape = shapes.by_method[target.method]
    problems: list[Problem] = []
    read = shape.read(body, "", problems)
    if problems:
        return refuse_problems(problems)
    facts = _find_facts(target, account)
    if facts is None or not may_be_asked(facts, target.method):
        return refuse_model(target)
    given = Given(request=shape.name, body=read, model=facts)
    broken = _first_broken(target.method, given)
    return refuse_broken(broken) if broken else _ask(target, http, given, body)


def _find_facts(target: Target, account: Account) -> ModelFacts | None:
    if target.kind == "tunedModels":
        return find_tuned(target.model)
    return find_model(target.model, account)


def _first_broken(method: str, given: Given) -> list[Broken]:
    """Return the faults of the first check that finds some, as Gemini tells them together."""
    if method == "countTokens":
        return _broken_in_count(given)
    if method == "embedContent":
        return list(check_embed(given))
    if method == "batchEmbedContents":
        return list(check_batch(given))
    return _broken_in_generate(given)


def _broken_in_generate(given: Given) -> list[Broken]:
    fields = chain(
        check_model(given), check_contents(given), check_settings(given), check_tools(given)
    )
    return _tell(fields) or list(check_order(given)) or _unsigned(given)


def _unsigned(given: Given) -> list[Broken]:
    return list(check_signatures(given)) if given.model.signs_calls else []


def _tell(broken: Iterator[Broken]) -> list[Broken]:
    """Return all faults that name their field, or else the first one alone."""
    found = list(broken)
    return [one for one in found if one.at] or found[:1]


def _broken_in_count(given: Given) -> list[Broken]:
    whole = given.body.get("generateContentRequest")
    if whole is None:
        return _tell(chain(check_contents(given), check_order(given)))
    if given.body.get("contents"):
        says = "only one of contents and generate_content_request can be set."
        return [Broken("count_one", says, f"{given.request}.contents")]
    request = f"{given.request}.generate_content_request"
    inner = Given(request=request, body=whole, model=given.model)
    return list(check_model(inner, needs_model=True)) or _broken_in_generate(inner)


def _ask(target: Target, http: HttpRequest, given: Given, body: dict[str, Any]) -> Asked:
    if target.endpoint is Endpoint.EMBED:
        return embed_asked(target, http, given, body)
    if target.endpoint is Endpoint.COUNT_TOKENS:
        return count_asked(target, http, given, body)
    return generate_asked(target, http, given, body)


def _read_models(target: Target, http: HttpRequest, account: Account) -> Asked | Refusal:
    facts: ModelFacts | None = _find_facts(target, account) if target.model else None
    if target.model and facts is None:
        return refuse_model(target)
    for name, rule in (("pageSize", "page_size"), ("pageToken", "page_token")):
        value = http.query.get(name, "")
        if value and not (value.isascii() and value.isdigit()):
            return refuse_by(rule, f"* ListModelsRequest.{rule}: {rule} is invalid.\n")
    return Asked(
        vendor="gemini",
        endpoint=Endpoint.MODELS,
        model=target.model,
        http=http,
        body=form_models(http.query, account) if facts is None else describe_model(facts),
    )
