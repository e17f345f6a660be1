"""Pact files, version 4: what a consumer and a provider agreed on over HTTP, read and written."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tierwise.contracts.comparing import Matcher, Rule, check_matchers
from tierwise.contracts.interactions import mask, matcher_as_data
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping

_HTTP = "Synchronous/HTTP"
_ALONE = ("path", "status")
"""What is one value and so has one rule; the others have a rule for each place."""

Rules = dict[str, dict[str, Rule]]
"""Matchers by what they are about (`body`, `header`, `query`, `path`, `status`) and by place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PactRequest:
    """A request; `body` is plain data where it is JSON, else text or bytes; None is none."""

    method: str = "GET"
    path: str = "/"
    query: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    rules: Rules = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PactResponse:
    """A response; `body` is as in a request."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    rules: Rules = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PactInteraction:
    """One request with the response that the consumer counts on."""

    description: str
    request: PactRequest
    response: PactResponse
    given: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The states that the provider has to be in, each with its parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pact:
    """A consumer, a provider and what they agreed on."""

    consumer: str
    provider: str
    interactions: tuple[PactInteraction, ...] = ()
    others: tuple[Mapping[str, Any], ...] = ()
    """Interactions that are not HTTP, such as messages: kept as they are, and never verified."""


def read_pact(file: str | Path) -> Pact:
    """Return what a Pact file says; MisuseError for another version or a matcher not known."""
    path = Path(file)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        version = str(data["metadata"]["pactSpecification"]["version"])
        if not version.startswith("4"):
            raise MisuseError(f"{path} is of Pact version {version}, expected 4.")
        return _pact_of(data)
    except OSError as error:
        raise MisuseError(f"The Pact file {path} can't be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MisuseError(f"{path} is no Pact file of version 4: {error!r}.") from None


def write_pact(file: str | Path, pact: Pact, *, secrets: Mapping[str, str] | None = None) -> None:
    """Write a Pact file of version 4; the values of `secrets` become `[masked NAME]`."""
    http = [_interaction_as_data(one) for one in pact.interactions]
    data = {
        "consumer": {"name": pact.consumer},
        "provider": {"name": pact.provider},
        "interactions": mask([*http, *pact.others], secrets or {}),
        "metadata": {"pactSpecification": {"version": "4.0"}},
    }
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _pact_of(data: Mapping[str, Any]) -> Pact:
    entries = data["interactions"]
    return Pact(
        consumer=data["consumer"]["name"],
        provider=data["provider"]["name"],
        interactions=tuple(_interaction_of(one) for one in entries if one["type"] == _HTTP),
        others=tuple(one for one in entries if one["type"] != _HTTP),
    )


def _interaction_of(data: Mapping[str, Any]) -> PactInteraction:
    asked, answered = data["request"], data["response"]
    return PactInteraction(
        description=data["description"],
        given={one["name"]: one.get("params", {}) for one in data.get("providerStates", ())},
        request=PactRequest(
            method=asked.get("method", "GET"),
            path=asked.get("path", "/"),
            query={name: _texts(value) for name, value in asked.get("query", {}).items()},
            headers=_headers_of(asked),
            body=_body_of(asked),
            rules=_rules_of(asked),
        ),
        response=PactResponse(
            status=answered.get("status", 200),
            headers=_headers_of(answered),
            body=_body_of(answered),
            rules=_rules_of(answered),
        ),
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


def _headers_of(data: Mapping[str, Any]) -> dict[str, str]:
    headers = {name: ", ".join(_texts(value)) for name, value in data.get("headers", {}).items()}
    kind = (data.get("body") or {}).get("contentType")
    has_kind = any(name.lower() == "content-type" for name in headers)
    return headers if has_kind or not kind else headers | {"Content-Type": kind}


def _body_of(data: Mapping[str, Any]) -> Any:  # noqa: ANN401
    body = data.get("body") or {}
    if body.get("encoded") == "base64":
        return base64.b64decode(body["content"])
    return body.get("content")


def _rules_of(data: Mapping[str, Any]) -> Rules:
    found = data.get("matchingRules", {})
    return {
        about: {"": _rule_of(rules)}
        if about in _ALONE
        else {place: _rule_of(rule) for place, rule in rules.items()}
        for about, rules in found.items()
        if rules
    }


def _rule_of(data: Mapping[str, Any]) -> Rule:
    matchers = tuple(Matcher(**one) for one in data["matchers"])
    check_matchers(matchers)
    return Rule(matchers=matchers, is_any=data.get("combine", "AND") == "OR")


def _interaction_as_data(one: PactInteraction) -> dict[str, Any]:
    asked, answered = one.request, one.response
    request = {"method": asked.method, "path": asked.path}
    query = {name: list(values) for name, values in asked.query.items()}
    return {
        "type": _HTTP,
        "description": one.description,
        "pending": False,
        "providerStates": [{"name": name, "params": dict(p)} for name, p in one.given.items()],
        "request": request | ({"query": query} if query else {}) | _parts_as_data(asked),
        "response": {"status": answered.status} | _parts_as_data(answered),
    }


def _parts_as_data(part: PactRequest | PactResponse) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if part.headers:
        data["headers"] = {name: [value] for name, value in part.headers.items()}
    if part.body is not None:
        data["body"] = _body_as_data(part.body, part.headers)
    if part.rules:
        data["matchingRules"] = {
            about: _rule_as_data(rules[""])
            if about in _ALONE
            else {place: _rule_as_data(rule) for place, rule in rules.items()}
            for about, rules in part.rules.items()
        }
    return data


def _body_as_data(body: Any, headers: Mapping[str, str]) -> dict[str, Any]:  # noqa: ANN401
    named = [value for name, value in headers.items() if name.lower() == "content-type"]
    if isinstance(body, bytes):
        content = base64.b64encode(body).decode()
        kind = named[0] if named else "application/octet-stream"
        return {"content": content, "contentType": kind, "encoded": "base64"}
    usual = "text/plain" if isinstance(body, str) else "application/json"
    return {"content": body, "contentType": named[0] if named else usual, "encoded": False}


def _rule_as_data(rule: Rule) -> dict[str, Any]:
    for matcher in rule.matchers:
        if matcher.match == "any":
            raise MisuseError("Pact has no matcher for anything at all: write same_type().")
    return {
        "combine": "OR" if rule.is_any else "AND",
        "matchers": [matcher_as_data(matcher) for matcher in rule.matchers],
    }
