"""Did a run see enough of its plan for later ones to be compared with it?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tierwise.evals.comparison import Side
    from tierwise.records import VerdictRow
    from tierwise.records.scores import EvalScores

_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One measurement of a series, with the one before it that it is compared with."""

    side: Side
    runs: tuple[str, ...]
    is_broken_off: bool
    reference: Side | None

    @property
    def is_redefined(self) -> bool:
        """Do the two differ in the eval's own code or in the provider's options?"""
        if self.reference is None:
            return False
        one, two = (side.evals[0].plan.definition for side in (self.reference, self.side))
        return one != two


def place_line(
    line: Sequence[tuple[Side, tuple[str, ...]]], verdicts: Mapping[str, Iterable[VerdictRow]]
) -> list[Placed]:
    """Find for each measurement, a side of one eval and its runs, what it is compared with."""
    broken = [is_eval_broken_off(side.evals[0], verdicts[side.run.run_id]) for side, _ in line]
    scored = [
        (side.evals[0].n_scored, is_so) for (side, _), is_so in zip(line, broken, strict=True)
    ]
    return [
        Placed(
            side=side,
            runs=runs,
            is_broken_off=is_broken,
            reference=None if reference is None else line[reference][0],
        )
        for (side, runs), is_broken, reference in zip(
            line, broken, choose_references(scored), strict=True
        )
    ]


def is_broken_off(n_scored: int, n_planned: int, verdicts: Iterable[Verdict]) -> bool:
    """Has less than half of the plan a score, and was nothing decided with it?

    It goes by how much was scored, and never by what: a run is passed over for its size alone.
    A plan that was settled by few trials, each promise proven or refuted, was not broken off.
    """
    found = set(verdicts)
    is_settled = bool(found) and Verdict.UNDECIDED not in found
    return not is_settled and n_scored < _SHARE * n_planned


def choose_references(scored: Sequence[tuple[int, bool]]) -> list[int | None]:
    """Return, for each measurement of a series, which one before it is the one to compare with.

    Each is given by how many scores it has, and whether it was broken off. It is the last one
    that was not; where there is none, the last that has any score, or else the one before.
    """
    found: list[int | None] = []
    for place in range(len(scored)):
        earlier = range(place - 1, -1, -1)
        whole = next((i for i in earlier if not scored[i][1]), None)
        any_score = next((i for i in earlier if scored[i][0]), None)
        before = place - 1 if place else None
        found.append(next((i for i in (whole, any_score, before) if i is not None), None))
    return found


def is_eval_broken_off(entry: EvalScores, verdicts: Iterable[VerdictRow]) -> bool:
    """Was the eval broken off in this run, whose verdicts these are?"""
    found = [row.verdict for row in verdicts if row.plan_hash == entry.plan.plan_hash]
    return is_broken_off(entry.n_scored, entry.plan.n_planned, found)
