"""Compare what was expected with what came: exactly, or by matchers at paths."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tierwise.contracts.paths import Path, covers, parse_path, render_path
from tierwise.errors import MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_ABSENT: Any = type("Absent", (), {"__repr__": lambda _: "nothing"})()


@dataclass(frozen=True, slots=True, kw_only=True)
class Matcher:
    """What stands in for equality at one place, named as Pact names it."""

    match: str
    regex: str = ""
    value: str = ""
    min: int | None = None
    max: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The matchers of one place: all of them have to agree, or one where `is_any` says so."""

    matchers: tuple[Matcher, ...]
    is_any: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place where what came is not what was expected."""

    path: str
    expected: object
    actual: object
    message: str

    def __str__(self) -> str:
        """Return the place and what is wrong there in one line."""
        return f"{self.path}: {self.message}"


def same_type() -> Matcher:
    """Accept any value of the same type; of a list, each item as the first that was recorded."""
    return Matcher(match="type")


def matching(regex: str) -> Matcher:
    """Accept any text that the whole regular expression matches."""
    _compile(regex)
    return Matcher(match="regex", regex=regex)


def anything() -> Matcher:
    """Accept whatever comes, as long as something does."""
    return Matcher(match="any")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Compares values under rules; where `is_open`, keys that nobody expected are no fault."""

    rules: Mapping[str, Rule] = field(default_factory=dict)
    is_open: bool = False

    def compare(self, expected: object, actual: object) -> tuple[Difference, ...]:
        """Return every difference between two values as plain data."""
        parsed = [(parse_path(text), rule) for text, rule in self.rules.items()]
        for _, rule in parsed:
            check_matchers(rule.matchers)
        return tuple(_Walk(parsed, is_open=self.is_open).walk(expected, actual, ()))


def check_matchers(matchers: Sequence[Matcher]) -> None:
    """Raise MisuseError for a matcher that is not known: it would check nothing."""
    for matcher in matchers:
        if matcher.match not in _CHECKS:
            raise MisuseError(
                f"There is no matcher {matcher.match!r}.{suggest(matcher.match, _CHECKS)}"
            )
        if matcher.match == "regex":
            _compile(matcher.regex)


class _Walk:
    def __init__(self, rules: Sequence[tuple[Path, Rule]], *, is_open: bool) -> None:
        # The longest path is the nearest to a place, and of those the one with fewer wildcards.
        self._rules = sorted(rules, key=lambda rule: (-len(rule[0]), rule[0].count("*")))
        self._is_open = is_open

    def walk(self, expected: Any, actual: Any, path: Path) -> Iterator[Difference]:  # noqa: ANN401
        rule = self._rule_at(path)
        if rule is not None and not _is_by_type(rule):
            found = _judge(rule, expected, actual)
            if found:
                yield _difference(path, expected, actual, found)
        elif isinstance(expected, dict) and isinstance(actual, dict):
            yield from self._walk_keys(expected, actual, path)
        elif isinstance(expected, list) and isinstance(actual, list):
            yield from self._walk_items(expected, actual, path, rule)
        else:
            found = _judge(rule or _EQUAL, expected, actual)
            if found:
                yield _difference(path, expected, actual, found)

    def _rule_at(self, path: Path) -> Rule | None:
        # Below a place with a rule other than by type nothing is walked: only types reach on.
        return next((rule for place, rule in self._rules if covers(place, path)), None)

    def _walk_keys(
        self, expected: dict[str, Any], actual: dict[str, Any], path: Path
    ) -> Iterator[Difference]:
        for key, value in expected.items():
            if key not in actual:
                yield _difference((*path, key), value, _ABSENT, "it is missing")
            else:
                yield from self.walk(value, actual[key], (*path, key))
        if not self._is_open:
            for key in actual.keys() - expected.keys():
                yield _difference((*path, key), _ABSENT, actual[key], "nobody expected it")

    def _walk_items(
        self, expected: list[Any], actual: list[Any], path: Path, rule: Rule | None
    ) -> Iterator[Difference]:
        complaint = _judge_length(expected, actual, rule)
        if complaint:
            yield _difference(path, expected, actual, complaint)
        for index, value in enumerate(actual if expected else ()):
            if rule is None and index >= len(expected):
                return
            yield from self.walk(
                expected[min(index, len(expected) - 1)], value, (*path, str(index))
            )


def _judge_length(expected: list[Any], actual: list[Any], rule: Rule | None) -> str:
    n = len(actual)
    if rule is None:
        return "" if n == len(expected) else f"{n} items, expected {len(expected)}"
    sizes = [matcher for matcher in rule.matchers if matcher.min is not None or matcher.max]
    least = max((matcher.min or 0 for matcher in sizes), default=1 if expected else 0)
    most = min((matcher.max for matcher in sizes if matcher.max is not None), default=n)
    if n < least:
        return f"{n} items, expected at least {least}"
    return f"{n} items, expected at most {most}" if n > most else ""


def _is_by_type(rule: Rule) -> bool:
    return all(matcher.match == "type" for matcher in rule.matchers)


def _judge(rule: Rule, expected: object, actual: object) -> str:
    found = [_CHECKS[matcher.match](matcher, expected, actual) for matcher in rule.matchers]
    if rule.is_any and not all(found):
        return ""
    return "; ".join(complaint for complaint in found if complaint)


def _difference(path: Path, expected: object, actual: object, message: str) -> Difference:
    return Difference(path=render_path(path), expected=expected, actual=actual, message=message)


def _compile(regex: str) -> re.Pattern[str]:
    try:
        return re.compile(regex)
    except re.error as error:
        raise MisuseError(f"{regex!r} is no regular expression: {error}.") from None


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return {"str": "string", "NoneType": "null", "list": "list", "dict": "object"}.get(
        type(value).__name__, type(value).__name__
    )


def _equal(_: Matcher, expected: object, actual: object) -> str:
    is_same = expected == actual and _kind(expected) == _kind(actual)
    return "" if is_same else f"{actual!r}, expected {expected!r}"


def _type(_: Matcher, expected: object, actual: object) -> str:
    wanted, got = _kind(expected), _kind(actual)
    return "" if wanted == got else f"{actual!r} is a {got}, expected a {wanted}"


def _regex(matcher: Matcher, _: object, actual: object) -> str:
    text = actual if isinstance(actual, str) else str(actual)
    is_plain = isinstance(actual, str | int | float)
    is_met = is_plain and re.fullmatch(matcher.regex, text)
    return "" if is_met else f"{actual!r} does not match {matcher.regex!r}"


def _include(matcher: Matcher, _: object, actual: object) -> str:
    return "" if matcher.value in str(actual) else f"{actual!r} does not hold {matcher.value!r}"


def _is(what: str, is_met: Callable[[Any], bool]) -> Callable[[Matcher, object, object], str]:
    def check(_: Matcher, __: object, actual: object) -> str:
        return "" if is_met(actual) else f"{actual!r} is no {what}"

    return check


def _is_number(value: object) -> bool:
    return _kind(value) == "number"


_EQUAL = Rule(matchers=(Matcher(match="equality"),))
_CHECKS: Mapping[str, Callable[[Matcher, object, object], str]] = {
    "equality": _equal,
    "type": _type,
    "regex": _regex,
    "include": _include,
    "any": lambda _, __, ___: "",
    "integer": _is("whole number", lambda v: isinstance(v, int) and not isinstance(v, bool)),
    "decimal": _is("decimal number", lambda v: isinstance(v, float)),
    "number": _is("number", _is_number),
    "boolean": _is("boolean", lambda v: isinstance(v, bool)),
    "null": _is("null", lambda v: v is None),
    "notEmpty": _is("value with something in it", lambda v: v not in (None, "", [], {})),
}
