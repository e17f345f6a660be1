"""Does a request, or a response, keep what a Pact says of it?"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tierwise.contracts.comparing import Comparison, Difference

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.contracts.pact.files import PactRequest, PactResponse, Rules


def compare_requests(expected: PactRequest, actual: PactRequest) -> tuple[Difference, ...]:
    """Return how a request differs: what nobody expected in query or body is a difference."""
    rules = expected.rules
    wanted = {name: list(values) for name, values in expected.query.items()}
    got = {name: list(values) for name, values in actual.query.items()}
    return (
        *_compare_alone("method", expected.method.upper(), actual.method.upper(), {}),
        *_compare_alone("path", expected.path, actual.path, rules),
        *_compare_query(wanted, got, rules),
        *_compare_headers(expected.headers, actual.headers, rules),
        *_compare_bodies(expected.body, actual.body, rules, is_open=False),
    )


def compare_responses(expected: PactResponse, actual: PactResponse) -> tuple[Difference, ...]:
    """Return how a response differs: what nobody expected in it is none of their business."""
    rules = expected.rules
    return (
        *_compare_alone("status", expected.status, actual.status, rules),
        *_compare_headers(expected.headers, actual.headers, rules),
        *_compare_bodies(expected.body, actual.body, rules, is_open=True),
    )


def parse_body(content: bytes, content_type: str) -> Any:  # noqa: ANN401
    """Return a body as plain data where it is JSON, as text, or as it is; None when empty."""
    if not content:
        return None
    try:
        text = content.decode()
        return json.loads(text) if "json" in content_type.lower() else text
    except ValueError:
        return content


def _compare_alone(
    what: str, expected: object, actual: object, rules: Rules
) -> tuple[Difference, ...]:
    own = {"$": rules[what][""]} if what in rules else {}
    return _named(what, Comparison(own).compare(expected, actual))


def _compare_query(
    expected: dict[str, list[str]], actual: dict[str, list[str]], rules: Rules
) -> tuple[Difference, ...]:
    own = {
        path: rule
        for name, rule in rules.get("query", {}).items()
        for path in (_place(name), f"{_place(name)}[*]")
    }
    return _named("query", Comparison(own).compare(expected, actual))


def _compare_headers(
    expected: Mapping[str, str], actual: Mapping[str, str], rules: Rules
) -> tuple[Difference, ...]:
    own = {_place(name.lower()): rule for name, rule in rules.get("header", {}).items()}
    wanted = {name.lower(): _normalise(name, value) for name, value in expected.items()}
    got = {
        name.lower(): _normalise(name, value, like=wanted.get(name.lower(), ""))
        for name, value in actual.items()
    }
    return _named("header", Comparison(own, is_open=True).compare(wanted, got))


def _normalise(name: str, value: str, *, like: str | None = None) -> str:
    parts = [part.strip() for part in value.split(";" if name.lower() == "content-type" else ",")]
    if name.lower() != "content-type":
        return ", ".join(parts)
    # A charset that nobody asked for is no difference.
    is_plain = like is not None and ";" not in like
    return parts[0].lower() if is_plain else "; ".join(part.lower() for part in parts)


def _compare_bodies(
    expected: object, actual: object, rules: Rules, *, is_open: bool
) -> tuple[Difference, ...]:
    if expected is None:
        return ()
    own = rules.get("body", {})
    return _named("body", Comparison(own, is_open=is_open).compare(expected, actual))


def _place(name: str) -> str:
    return f"$['{name}']" if not name.startswith("$") else name


def _named(what: str, found: tuple[Difference, ...]) -> tuple[Difference, ...]:
    return tuple(
        replace(one, path=what if one.path == "$" else f"{what} {one.path}") for one in found
    )
