"""The tool calls of a reply or of a whole trial, read in order."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from tierwise.domain import Exchange, ToolCall
from tierwise.errors import ScorerError
from tierwise.evals.scorers.reading import explain_unreadable
from tierwise.providers import Answer, FailureKind

Calls = Answer[Any] | Exchange | Iterable[Answer[Any] | Exchange | ToolCall]
"""Where tool calls are read from: an answer, or what was said in a trial (`trial.exchanges`)."""

_LIKE = 0.8
_TOOL_KEYS = {"name", "description", "parameters"}
_MODELS_OWN = frozenset(kind.value for kind in FailureKind if kind.is_scored)


def read_calls(source: object, names: Iterable[str] = ()) -> tuple[ToolCall, ...]:
    """Return all tool calls in order; refuse a source in which a model was never heard.

    A call of the provider that was answered when the program asked the same again counts once.
    Of `names` one is refused that is no tool of the exchanges and looks like one that is: nobody
    calls a tool by a misspelt name, so that asking for none of it could never fail.
    """
    entries = _entries(source)
    said = [entry for entry in entries if isinstance(entry, Exchange)]
    unanswered = _find_unanswered(said)
    if unanswered is not None:
        raise ScorerError(
            f"The model was asked and gave no answer ({unanswered.failure}): which tools it would "
            "have called is unknown."
        )
    found: list[ToolCall] = []
    for entry in entries:
        found.extend((entry,) if isinstance(entry, ToolCall) else entry.tool_calls)
    _refuse_misspelt(names, {call.name for call in found} | _offered(said))
    return tuple(found)


def has_arguments(call: ToolCall, wanted: Mapping[str, Any]) -> bool:
    """Say whether a call has each of these arguments; it may have more."""
    return all(
        name in call.arguments and is_same(call.arguments[name], value)
        for name, value in wanted.items()
    )


def is_same(first: object, second: object) -> bool:
    """Compare as JSON does: 1 is 1.0, and True is no number."""
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return first.keys() == second.keys() and all(
            is_same(value, second[key]) for key, value in first.items()
        )
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(is_same, first, second))
    return bool(first == second)


def show_call(call: ToolCall) -> str:
    """Return a call as it would be written: `look(at='chest')`."""
    return (
        f"{call.name}({', '.join(f'{name}={value!r}' for name, value in call.arguments.items())})"
    )


def _refuse_misspelt(names: Iterable[object], known: set[str]) -> None:
    for name in names:
        if not isinstance(name, str) or not name:
            raise ScorerError(f"A tool is named by a text; found {name!r}.")
        close = difflib.get_close_matches(name, known, n=1, cutoff=_LIKE)
        if close and name not in known:
            raise ScorerError(
                f"No tool is called {name!r}. Did you mean {close[0]!r}? The model knows: "
                f"{', '.join(sorted(known))}."
            )


def _entries(source: object) -> list[Answer[Any] | Exchange | ToolCall]:
    if isinstance(source, Answer | Exchange):
        return [source]
    if isinstance(source, str | Mapping) or not isinstance(source, Iterable):
        raise ScorerError(explain_unreadable(source, "The reply", "an Answer, or exchanges"))
    entries = list(source)
    for entry in entries:
        if not isinstance(entry, Answer | Exchange | ToolCall):
            raise ScorerError(
                explain_unreadable(entry, "One of the replies", "Answers, exchanges or tool calls")
            )
    if not entries:
        raise ScorerError(
            "There is nothing that tool calls could be read from: the model was never asked. "
            "That it called no tool then proves nothing."
        )
    return entries


def _find_unanswered(said: Iterable[Exchange]) -> Exchange | None:
    is_open: dict[str, Exchange] = {}
    for exchange in said:
        asked = repr((exchange.purpose, exchange.prompt))
        if exchange.failure is None or exchange.failure in _MODELS_OWN:
            is_open.pop(asked, None)
        else:
            is_open[asked] = exchange
    return next(iter(is_open.values()), None)


def _offered(said: Iterable[Exchange]) -> set[str]:
    """Return the tools that exchanges offered: each is a line of JSON in what was attached."""
    found = set()
    for exchange in said:
        for line in exchange.attached.split("\n"):
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict) and set(entry) == _TOOL_KEYS:
                found.add(str(entry["name"]))
    return found
