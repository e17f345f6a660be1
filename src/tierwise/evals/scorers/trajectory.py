"""Did the model take the expected steps?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tierwise.domain import Exchange, ToolCall
from tierwise.errors import ScorerError
from tierwise.evals.scored import Scored
from tierwise.evals.scorers.reading import require_option
from tierwise.evals.scorers.tool_calls import Calls, has_arguments, read_calls, show_call
from tierwise.providers import Answer

Step = str | ToolCall
"""A step that is expected: a tool's name, or a call with the arguments that matter."""

Order = Literal["exact", "subsequence", "any"]
"""How the steps that were taken have to fit the expected ones.

`exact`: the same steps in the same order, and no other. `subsequence`: in this order, others may
come between. `any`: each of them, in whatever order, others too.
"""


def follows_trajectory(
    taken: Calls | Iterable[str], expected: Sequence[Step], *, order: Order = "exact"
) -> Scored:
    """Say whether the expected steps were taken.

    `taken` is where tool calls are read from, or the names of steps themselves, such as
    `[said.purpose for said in trial.exchanges]`.
    """
    fit = _fit(taken, expected, order)
    return Scored(value=fit.n_matched == fit.n_whole, why=fit.say())


def trajectory_share(
    taken: Calls | Iterable[str], expected: Sequence[Step], *, order: Order = "exact"
) -> float:
    """Return the share of the steps that fit, 1.0 when all do.

    It is a share of the expected steps; for `exact` of the longer of both, so that steps too many
    count as well. In order, the most that can be matched are.
    """
    fit = _fit(taken, expected, order)
    return fit.n_matched / fit.n_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fit:
    n_matched: int
    n_whole: int
    taken: tuple[ToolCall, ...]
    expected: tuple[Step, ...]

    def say(self) -> str:
        wanted = " > ".join(map(_show, self.expected))
        found = " > ".join(map(_show, self.taken)) or "no step"
        return f"{self.n_matched} of {self.n_whole} steps fit: expected {wanted}; found {found}"


def _fit(taken: Calls | Iterable[str], expected: object, order: Order) -> _Fit:
    require_option("order", order, Order)
    if isinstance(expected, str) or not isinstance(expected, Iterable) or not expected:
        raise ScorerError(f"The expected steps are {expected!r}: expected a list of at least one.")
    wanted = tuple(expected)
    for step in wanted:
        if not isinstance(step, str | ToolCall):
            raise ScorerError(
                f"The expected steps hold {step!r}: expected the name of a tool, or a ToolCall."
            )
    names = [step if isinstance(step, str) else step.name for step in wanted]
    found = _read_steps(taken, names)
    count = _match_any if order == "any" else _match_in_order
    whole = max(len(wanted), len(found)) if order == "exact" else len(wanted)
    return _Fit(n_matched=count(wanted, found), n_whole=whole, taken=found, expected=wanted)


def _read_steps(taken: Calls | Iterable[str], names: list[str]) -> tuple[ToolCall, ...]:
    if isinstance(taken, Answer | Exchange | str) or not isinstance(taken, Iterable):
        return read_calls(taken, names)
    entries = list(taken)
    if entries and all(isinstance(entry, str) for entry in entries):
        return tuple(ToolCall(name=str(entry), arguments={}) for entry in entries)
    return read_calls(entries, names)


def _is_step(wanted: Step, taken: ToolCall) -> bool:
    if isinstance(wanted, str):
        return wanted == taken.name
    return wanted.name == taken.name and has_arguments(taken, wanted.arguments)


def _match_in_order(wanted: tuple[Step, ...], found: tuple[ToolCall, ...]) -> int:
    """Return the length of the longest common subsequence."""
    above = [0] * (len(found) + 1)
    for step in wanted:
        row = [0]
        for place, call in enumerate(found):
            taken = above[place] + 1 if _is_step(step, call) else 0
            row.append(max(taken, above[place + 1], row[place]))
        above = row
    return above[-1]


def _match_any(wanted: tuple[Step, ...], found: tuple[ToolCall, ...]) -> int:
    """Return how many steps can be matched at once, each with a call of its own."""
    holder: dict[int, int] = {}

    def place(step: int, seen: set[int]) -> bool:
        for index, call in enumerate(found):
            if index in seen or not _is_step(wanted[step], call):
                continue
            seen.add(index)
            # A call that another step holds is freed when that step finds one elsewhere.
            if index not in holder or place(holder[index], seen):
                holder[index] = step
                return True
        return False

    return sum(place(step, set()) for step in range(len(wanted)))


def _show(step: Step) -> str:
    if isinstance(step, str):
        return step
    return show_call(step) if step.arguments else step.name
