"""What a double is worth: verified where its contract is proven on it and on the real thing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tierwise.contracts.cells import Cell, Side

_MOST_NAMED = 3


class State(StrEnum):
    """What is known of one implementation of a contract."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a proof is measured by: the time, how long it stands, and the state of the code."""

    now: datetime
    max_age_days: int
    code_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One implementation judged; `code` is what `--check` exits with on its account."""

    side: Side
    state: State
    reason: str
    code: ExitCode
    n_proven: int = 0
    """Clauses that it keeps; of a double, those that were seen kept by the real side too."""

    @property
    def proven_at(self) -> str:
        """When the oldest clause that it keeps was proven; "" when none was."""
        return min((cell.started_at for cell in self.side.select(Outcome.PASSED)), default="")

    @property
    def commit(self) -> str:
        """The commit of the latest run in which it kept a clause."""
        kept = self.side.select(Outcome.PASSED)
        return max(kept, key=lambda cell: cell.started_at).commit if kept else ""


def judge_contract(sides: Sequence[Side], terms: Terms) -> tuple[Standing, ...]:
    """Judge every implementation of one contract, those of the real thing first of all."""
    alone = [judge_alone(side, terms) for side in sides]
    reals = [standing for standing in alone if standing.side.is_real]
    return tuple(
        standing
        if standing.side.is_real or standing.state is not State.VERIFIED
        else measure_by(standing.side, reals)
        for standing in alone
    )


def exit_code_of(standings: Iterable[Standing]) -> ExitCode:
    """Return what a check ends with: broken before unobserved before stale before fine."""
    codes = {standing.code for standing in standings}
    for code in (ExitCode.FAILED, ExitCode.NOTHING_OBSERVED, ExitCode.STALE):
        if code in codes:
            return code
    return ExitCode.OK if codes else ExitCode.NOTHING_OBSERVED


def judge_alone(side: Side, terms: Terms) -> Standing:
    """Judge what an implementation's own results say, whatever it stands for."""
    kept, unseen = side.select(Outcome.PASSED), side.select(Outcome.UNOBSERVABLE)
    broken, errors = side.select(Outcome.FAILED), side.select(Outcome.ERROR)
    if broken:
        return _standing(side, State.BROKEN, f"it breaks {_name(broken)}", ExitCode.FAILED)
    if errors:
        return _doubt(side, f"could not be told of {_name(errors)}", ExitCode.FAILED)
    unknown = _find_unknown(side)
    if unknown:
        return _doubt(side, unknown, ExitCode.NOTHING_OBSERVED)
    stale = _find_stale(side, kept, terms)
    if stale:
        return _doubt(side, stale, ExitCode.STALE)
    reason = f"unobservable: {_name(unseen, with_reason=False)}" if unseen else ""
    return _standing(side, State.VERIFIED, reason, ExitCode.OK, n_proven=len(kept))


def measure_by(double: Side, reals: Sequence[Standing]) -> Standing:
    """Judge a double that keeps its contract by what is known of the real side."""
    meant = [
        real for real in reals if double.double_of is None or real.side.name == double.double_of
    ]
    if not meant:
        wanted = f" {double.double_of!r}" if double.double_of else ""
        return _doubt(
            double, f"no real side{wanted} is among the implementations", ExitCode.NOTHING_OBSERVED
        )
    proven = [real for real in meant if real.state is State.VERIFIED]
    if not proven:
        told = "; ".join(f"{real.side.name}: {real.reason}" for real in meant)
        return _doubt(double, f"the real side is unproven: {told}", exit_code_of(meant))
    seen = {cell.clause for real in proven for cell in real.side.select(Outcome.PASSED)}
    kept = double.select(Outcome.PASSED)
    both = [cell for cell in kept if cell.clause in seen]
    names = ", ".join(real.side.name for real in proven)
    if not both:
        reason = f"no clause that it keeps was proven on {names}"
        return _doubt(double, reason, ExitCode.NOTHING_OBSERVED)
    alone = [cell for cell in kept if cell.clause not in seen]
    more = f"; never proven there: {_name(alone, with_reason=False)}" if alone else ""
    reason = f"by {names}: {len(both)} of {len(kept)} kept clauses{more}"
    return _standing(double, State.VERIFIED, reason, ExitCode.OK, n_proven=len(both))


def _find_unknown(side: Side) -> str:
    unrun = side.select(Outcome.NOT_RUN)
    if len(unrun) == len(side.cells):
        return "the real side never ran" if side.is_real else "it never ran"
    if unrun:
        return f"not run: {_name(unrun)}"
    unseen = side.select(Outcome.UNOBSERVABLE)
    return f"unobservable: {_why(unseen)}" if len(unseen) == len(side.cells) else ""


def _find_stale(side: Side, kept: Sequence[Cell], terms: Terms) -> str:
    oldest = min(kept, key=lambda cell: cell.started_at)
    age = terms.now - datetime.fromisoformat(oldest.started_at)
    if age > timedelta(days=terms.max_age_days):
        return (
            f"its proof of {oldest.started_at[:10]} is {age.days} days old, "
            f"older than {terms.max_age_days}"
        )
    if not side.is_real and any(cell.code_hash != terms.code_hash for cell in kept):
        return "the code has changed since it was tried: run `pytest`"
    return ""


def _doubt(side: Side, reason: str, code: ExitCode) -> Standing:
    return _standing(side, State.UNVERIFIED, reason, code)


def _standing(
    side: Side, state: State, reason: str, code: ExitCode, *, n_proven: int = 0
) -> Standing:
    return Standing(side=side, state=state, reason=reason, code=code, n_proven=n_proven)


def title_of(clause: str) -> str:
    """Return a clause's name as it is read."""
    return clause.removeprefix("test_").replace("_", " ")


def _name(cells: Sequence[Cell], *, with_reason: bool = True) -> str:
    shown = [
        f"{title_of(cell.clause)!r}" + (f" ({cell.reason})" if with_reason and cell.reason else "")
        for cell in cells[:_MOST_NAMED]
    ]
    left = len(cells) - len(shown)
    return ", ".join(shown) + (f" and {left} more" if left else "")


def _why(cells: Sequence[Cell]) -> str:
    reasons: Mapping[str, None] = dict.fromkeys(cell.reason or "no reason" for cell in cells)
    return "; ".join(list(reasons)[:_MOST_NAMED])
