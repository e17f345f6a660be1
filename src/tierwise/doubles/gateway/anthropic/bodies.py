"""A body as bytes: read by the SDK's types, then by the vendor's rules."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.anthropic.conversation import CONVERSATION_RULES
from tierwise.doubles.gateway.anthropic.headers import refuse_by
from tierwise.doubles.gateway.anthropic.output_schema import OUTPUT_RULES
from tierwise.doubles.gateway.anthropic.parameters import LIMIT_RULES, PARAMETER_RULES
from tierwise.doubles.gateway.anthropic.problems import explain_problem
from tierwise.doubles.gateway.anthropic.rule import NEWEST, OBSERVED, TYPED
from tierwise.doubles.gateway.anthropic.shapes import close
from tierwise.doubles.gateway.asked import Endpoint
from tierwise.doubles.gateway.saying import Refusal
from tierwise.doubles.gateway.vendor import RequestRule

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator

    from tierwise.doubles.gateway.anthropic.rule import Body
    from tierwise.doubles.gateway.anthropic.threads import Threads
    from tierwise.doubles.gateway.wire import HttpRequest

JSON = RequestRule(name="json", ground=OBSERVED, says="A body is JSON, and an object.")
FIELDS = RequestRule(
    name="fields",
    ground=TYPED,
    says="Each field is one that the SDK's types know, of the type that they say.",
)
_RULES = (*CONVERSATION_RULES, *PARAMETER_RULES, *OUTPUT_RULES)
_ALL_RULES = (*_RULES, *LIMIT_RULES)
BODY_RULES = (JSON, FIELDS, *(one.rule for one in _ALL_RULES))
_IN_HEADERS = ("workspace_id", "user_profile_id", "betas")
_OLDER_FORMAT = "structured-outputs-2025-11-13"
_SAMPLING = {"temperature": "float", "top_p": "float", "top_k": "int"}
"""What versions of the API before the newest take, and the SDK's types name no longer."""


def decode_body(endpoint: Endpoint, http: HttpRequest, threads: Threads) -> Body | Refusal:
    """Return the decoded body with its thread, or the refusal of the first problem with it."""
    from pydantic_core import ValidationError  # noqa: PLC0415  nothing else needs it

    version = http.headers["anthropic-version"]
    # The majors before the current one say it in the query too.
    is_beta = "anthropic-beta" in http.headers or http.query.get("beta") == "true"
    validator = make_validator(endpoint, version == NEWEST, is_beta)
    try:
        sent: Body = validator.validate_json(_modernise(http), strict=True)
    except ValidationError as error:
        return _refuse(error, http.body)
    body = threads.restore(sent)
    return body if isinstance(body, Refusal) else _check(endpoint, body, http) or body


def _modernise(http: HttpRequest) -> bytes:
    """Return the body with the older beta's `output_format` where it stands today."""
    betas = http.headers.get("anthropic-beta", "")
    if _OLDER_FORMAT not in betas or b'"output_format"' not in http.body:
        return http.body
    try:
        body = json.loads(http.body)
    except (ValueError, RecursionError):
        return http.body
    if not isinstance(body, dict) or "output_format" not in body or "output_config" in body:
        return http.body
    form = body.pop("output_format")
    return json.dumps({**body, "output_config": {"format": form}}).encode()


def _check(endpoint: Endpoint, body: Body, http: HttpRequest) -> Refusal | None:
    version, betas = http.headers["anthropic-version"], http.headers.get("anthropic-beta", "")
    has_blocks = any(not isinstance(one.get("content", ""), str) for one in body["messages"])
    present = {*body, "", *(("blocks",) if has_blocks else ())}
    for one in _RULES if endpoint is Endpoint.COUNT_TOKENS else _ALL_RULES:
        if one.needs not in present or (one.versions and version not in one.versions):
            continue
        if one.unless and one.unless in betas:
            continue
        problem = one.find(body)
        if problem is not None:
            return refuse_by(one.rule, problem)
    return None


# The SDK's types do not change, reading them takes 50 ms, and each test has a gateway of its own.
@cache
def make_validator(endpoint: Endpoint, is_newest: bool, is_beta: bool) -> SchemaValidator:  # noqa: FBT001  one key
    """Return what reads a body of this kind, made once for the process."""
    from pydantic import TypeAdapter  # noqa: PLC0415  with the SDK's types only
    from pydantic_core import SchemaValidator  # noqa: PLC0415  as above

    more = {} if endpoint is Endpoint.COUNT_TOKENS else {"stream": "bool"}
    if not is_newest and endpoint is Endpoint.MESSAGES:
        more |= _SAMPLING
    schema = TypeAdapter(_find_type(endpoint, is_beta=is_beta)).core_schema
    closed: Any = close(dict(schema), without=_IN_HEADERS, more=more)
    return SchemaValidator(closed)


def _find_type(endpoint: Endpoint, *, is_beta: bool) -> Any:  # noqa: ANN401  a TypedDict
    if endpoint is Endpoint.COUNT_TOKENS:
        if is_beta:
            from anthropic.types.beta import message_count_tokens_params as beta  # noqa: PLC0415

            return beta.MessageCountTokensParams
        from anthropic.types import message_count_tokens_params as plain  # noqa: PLC0415

        return plain.MessageCountTokensParams
    if is_beta:
        from anthropic.types.beta import message_create_params as beta_create  # noqa: PLC0415

        return beta_create.MessageCreateParamsBase
    from anthropic.types import message_create_params as create  # noqa: PLC0415

    return create.MessageCreateParamsBase


def _refuse(error: Any, written: bytes) -> Refusal:  # noqa: ANN401  pydantic is imported late
    try:
        body = json.loads(written)
    except (ValueError, RecursionError):
        return refuse_by(JSON, "The request body is not valid JSON")
    if not isinstance(body, dict):
        return refuse_by(JSON, "Input should be a valid dictionary")
    return refuse_by(FIELDS, explain_problem(error, body))
