"""Which tools did the model ask for, how, and in what order?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.errors import EvalUsageError, ScorerError
from tierwise.evals.scored import Scored
from tierwise.evals.scorers.tool_calls import (
    Calls,
    has_arguments,
    read_calls,
    show_call,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.domain import ToolCall


def called(
    source: Calls,
    name: str,
    *,
    arguments: Mapping[str, Any] | None = None,
    times: int | None = None,
) -> Scored:
    """Say whether the model asked for a tool, with each of the `arguments` that are given.

    Without `times` once is enough; with it the number of such calls must be equal. Values are
    compared as JSON: 1 is 1.0, and True is no number. A call may have other arguments too.
    """
    if times is not None and (type(times) is not int or times < 1):
        raise EvalUsageError(f"called(times={times!r}): expected 1 or more, or called_none(...).")
    calls = read_calls(source, (name,))
    wanted = arguments or {}
    named = [call for call in calls if call.name == name]
    fitting = [call for call in named if has_arguments(call, wanted)]
    is_right = len(fitting) == times if times is not None else bool(fitting)
    expected = f"{name}({', '.join(f'{key}={value!r}' for key, value in wanted.items())})"
    n_expected = "" if times is None else f" {times} time(s)"
    return Scored(value=is_right, why=f"expected {expected}{n_expected}; {_say(named or calls)}")


def called_none(source: Calls, *names: str) -> Scored:
    """Say whether the model asked for none of these tools; without a name, for none at all."""
    calls = read_calls(source, names)
    found = [call for call in calls if not names or call.name in names]
    return Scored(value=not found, why=_say(found) if found else "")


def called_in_order(source: Calls, *names: str) -> Scored:
    """Say whether the model asked for these tools in this order; others may come between."""
    if not names:
        raise ScorerError("called_in_order() was given no tool: expected at least one name.")
    calls = read_calls(source, names)
    rest = iter(call.name for call in calls)
    is_right = all(name in rest for name in names)
    return Scored(value=is_right, why=f"expected {' > '.join(names)}; {_say(calls)}")


def _say(calls: Iterable[ToolCall]) -> str:
    return f"called {', '.join(map(show_call, calls)) or 'nothing'}"
