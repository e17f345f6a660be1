"""Which requests a rule is for, and why it is not for the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, TypedDict

from tierwise.doubles.gateway.asked import Endpoint
from tierwise.errors import MisuseError, suggest

if TYPE_CHECKING:
    from pydantic import BaseModel

    from tierwise.doubles.gateway.asked import Asked, Turn

Pattern = re.Pattern[str]


class Wanted(TypedDict, total=False):
    """The fields of `Criteria`, as keywords."""

    vendor: str
    endpoint: Endpoint | str
    model: str | Pattern
    path: str | Pattern
    header: Mapping[str, str | Pattern]
    last_user: str | Pattern
    system: str | Pattern
    text: str | Pattern
    tool: str | Pattern
    tool_result: str | Pattern | bool
    schema: type[BaseModel] | str | bool
    stream: bool
    turn: int
    call: int
    predicate: Callable[[Asked], bool]


VENDORS = ("anthropic", "gemini", "openai")
_LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """What a request has to be; a criterion left out is met by every request."""

    vendor: str | None = None
    endpoint: Endpoint | str | None = None
    model: str | Pattern | None = None
    """A name, with `*` for any text, or a pattern that the whole name matches."""
    path: str | Pattern | None = None
    """As `model`."""
    header: Mapping[str, str | Pattern] | None = None
    """Headers by name; each value as `model`."""
    last_user: str | Pattern | None = None
    """Text that the last turn of the user contains, or a pattern found in it."""
    system: str | Pattern | None = None
    text: str | Pattern | None = None
    """As `last_user`, in any turn."""
    tool: str | Pattern | None = None
    """A tool that is offered; as `model`."""
    tool_result: str | Pattern | bool | None = None
    """The last turn is a tool's result: its text contains this, or its tool has this name.

    True for any result, False for none.
    """
    schema: type[BaseModel] | str | bool | None = None
    """A class of the answer, the title of its schema, or whether there is one."""
    stream: bool | None = None
    turn: int | None = None
    """How many turns of the user there are: 1 for the first question."""
    call: int | None = None
    """Which request for an answer it is, counted by the gateway from 1."""
    predicate: Callable[[Asked], bool] | None = None

    def __post_init__(self) -> None:
        """Refuse what no request can be."""
        if self.vendor is not None and self.vendor not in VENDORS:
            raise MisuseError(f"vendor is {self.vendor!r}.{suggest(str(self.vendor), VENDORS)}")
        if self.endpoint is not None and self.endpoint not in _ENDPOINTS:
            told = suggest(str(self.endpoint), _ENDPOINTS)
            raise MisuseError(f"endpoint is {self.endpoint!r}.{told}")
        for name in ("turn", "call"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise MisuseError(f"{name} is {value!r}; expected 1 or more.")

    def __str__(self) -> str:
        """Return the criteria as they were written: `model='claude-*', turn=2`."""
        return ", ".join(f"{name}={_show(value)}" for name, value in self.given)

    @property
    def given(self) -> tuple[tuple[str, Any], ...]:
        """The criteria that were not left out, with their names."""
        pairs = ((f.name, getattr(self, f.name)) for f in fields(self))
        return tuple((name, value) for name, value in pairs if value is not None)

    @property
    def names_more_than_answers(self) -> bool:
        """True where requests that ask no model for an answer may be meant too."""
        return self.endpoint is not None or self.path is not None

    def compile(self) -> tuple[tuple[str, Check, Any], ...]:
        """Return a check for each criterion that was given, the cheapest first."""
        return tuple((name, _CHECKS[name], dict(self.given)[name]) for name, _ in self.given)


Check = Callable[["Asked", int, Any], bool]
"""Tells whether a request, the n-th for an answer, meets a criterion's value."""


def form_criteria(wanted: Mapping[str, Any]) -> Criteria:
    """Return the criteria that keywords are; an unknown one names the closest."""
    known = [field.name for field in fields(Criteria)]
    for name in wanted:
        if name not in known:
            raise MisuseError(f"when(...) has no criterion {name!r}.{suggest(name, known)}")
    return Criteria(**wanted)


def find_mismatches(
    checks: tuple[tuple[str, Check, Any], ...], asked: Asked, call: int
) -> tuple[str, ...]:
    """Return why a request is not meant; () when it is."""
    return tuple(
        f"{name} is {_tell(name, asked, call)}, {_EXPECTS.get(name, 'expected')} {_show(value)}"
        for name, check, value in checks
        if not check(asked, call, value)
    )


_EXPECTS: Mapping[str, str] = dict.fromkeys(("last_user", "system", "text"), "which has to have")


def _is_like(wanted: str | Pattern, name: str) -> bool:
    if isinstance(wanted, str):
        return wanted == name or ("*" in wanted and fnmatchcase(name, wanted))
    return wanted.fullmatch(name) is not None


def _is_in(wanted: str | Pattern, text: str) -> bool:
    return wanted in text if isinstance(wanted, str) else wanted.search(text) is not None


def _has_headers(asked: Asked, _call: int, wanted: Mapping[str, str | Pattern]) -> bool:
    headers = asked.http.headers
    return all(
        name.lower() in headers and _is_like(value, headers[name.lower()])
        for name, value in wanted.items()
    )


def _results(asked: Asked) -> list[Turn]:
    """Return the results of tools that nobody has answered yet."""
    found = []
    for turn in reversed(asked.turns):
        if turn.role != "tool":
            break
        found.append(turn)
    return found


def _has_result(asked: Asked, _call: int, wanted: str | Pattern | bool) -> bool:  # noqa: FBT001
    results = _results(asked)
    if isinstance(wanted, bool):
        return bool(results) is wanted
    return any(_is_like(wanted, r.tool_name) or _is_in(wanted, r.text) for r in results)


def _has_schema(asked: Asked, _call: int, wanted: type[BaseModel] | str | bool) -> bool:  # noqa: FBT001
    if isinstance(wanted, bool):
        return (asked.schema is not None) is wanted
    if asked.schema is None:
        return False
    if isinstance(wanted, str):
        return _is_like(wanted, str(asked.schema.get("title", "")))
    names = {field.alias or name for name, field in wanted.model_fields.items()}
    return set(asked.schema.get("properties", ())) == names


def _n_user_turns(asked: Asked) -> int:
    return sum(turn.role == "user" for turn in asked.turns)


_ENDPOINTS = frozenset(str(endpoint) for endpoint in Endpoint)
_CHECKS: Mapping[str, Check] = {
    "vendor": lambda asked, _call, wanted: asked.vendor == wanted,
    "endpoint": lambda asked, _call, wanted: asked.endpoint == wanted,
    "model": lambda asked, _call, wanted: _is_like(wanted, asked.model),
    "path": lambda asked, _call, wanted: _is_like(wanted, asked.http.path),
    "header": _has_headers,
    "last_user": lambda asked, _call, wanted: _is_in(wanted, asked.last_user),
    "system": lambda asked, _call, wanted: _is_in(wanted, asked.system),
    "text": lambda asked, _call, wanted: _is_in(wanted, asked.text),
    "tool": lambda asked, _call, wanted: any(_is_like(wanted, t.name) for t in asked.tools),
    "tool_result": _has_result,
    "schema": _has_schema,
    "stream": lambda asked, _call, wanted: asked.stream is wanted,
    "turn": lambda asked, _call, wanted: _n_user_turns(asked) == wanted,
    "call": lambda _asked, call, wanted: call == wanted,
    "predicate": lambda asked, _call, wanted: bool(wanted(asked)),
}
_TELLS: Mapping[str, Callable[[Asked, int], object]] = {
    "vendor": lambda asked, _call: asked.vendor,
    "endpoint": lambda asked, _call: str(asked.endpoint),
    "model": lambda asked, _call: asked.model,
    "path": lambda asked, _call: asked.http.path,
    "last_user": lambda asked, _call: asked.last_user,
    "system": lambda asked, _call: asked.system,
    "text": lambda asked, _call: asked.text,
    "tool": lambda asked, _call: [tool.name for tool in asked.tools],
    "tool_result": lambda asked, _call: [r.text for r in _results(asked)],
    "schema": lambda asked, _call: None if asked.schema is None else dict(asked.schema),
    "stream": lambda asked, _call: asked.stream,
    "turn": lambda asked, _call: _n_user_turns(asked),
    "call": lambda _asked, call: call,
    "predicate": lambda _asked, _call: False,
}


def _tell(name: str, asked: Asked, call: int) -> str:
    """Return what a request has where a rule expects something; never a header's value."""
    if name == "header":
        return f"one of {sorted(asked.http.headers)}"
    told = _TELLS[name](asked, call)
    text = repr(told)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def _show(value: object) -> str:
    if isinstance(value, re.Pattern):
        return f"/{value.pattern}/"
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k!r}: {_show(v)}" for k, v in value.items()) + "}"
    return getattr(value, "__name__", None) or repr(value)
