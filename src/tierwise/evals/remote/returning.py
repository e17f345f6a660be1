"""A trial's result on its way back to the driver, pickled on its own."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.domain import Outcome
from tierwise.evals.outcomes import Conclusion
from tierwise.evals.running import TrialResult

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain import Exchange, Violation
    from tierwise.evals.planned_trials import PlannedTrial


@dataclass(frozen=True, slots=True, kw_only=True)
class _Carried:
    """All of a result but its plan, which the driver has."""

    conclusion: Conclusion
    notes: tuple[str, ...]
    duration_s: float
    exchanges: tuple[Exchange, ...]
    fatal: BaseException | None
    cut_by: str
    graders: Mapping[str, str]
    violations: tuple[Violation, ...]


def pack(result: TrialResult, violations: tuple[Violation, ...] = ()) -> bytes:
    """Return the result as bytes.

    One that cannot travel ends as an error that says so: nobody knows what it would have shown.
    """
    carried = _Carried(
        conclusion=result.conclusion,
        notes=result.notes,
        duration_s=result.duration_s,
        exchanges=result.exchanges,
        fatal=result.fatal,
        cut_by=result.cut_by,
        graders=dict(result.graders),
        violations=violations,
    )
    try:
        packed = pickle.dumps(carried)
        if result.fatal is not None:
            pickle.loads(packed)  # noqa: S301  our own; an exception may pickle and not come back
    except Exception as error:  # noqa: BLE001  what a user's own values raise
        return pickle.dumps(_lost(error, result.duration_s, violations))
    return packed


def unpack(planned: PlannedTrial, packed: bytes) -> tuple[TrialResult, tuple[Violation, ...]]:
    """Return the result of a planned trial, and what it touched against its policy."""
    try:
        carried = pickle.loads(packed)  # noqa: S301  from a worker, which runs the same code
    except Exception as error:  # noqa: BLE001  whatever a class that is not here raises
        carried = _lost(error, 0.0, ())
    result = TrialResult(
        planned=planned,
        conclusion=carried.conclusion,
        notes=carried.notes,
        duration_s=carried.duration_s,
        exchanges=carried.exchanges,
        fatal=carried.fatal,
        cut_by=carried.cut_by,
        graders=carried.graders,
    )
    return result, carried.violations


def pack_error(error: BaseException) -> bytes:
    """Return an error as bytes, or as one that has its words."""
    try:
        packed = pickle.dumps(error)
        pickle.loads(packed)  # noqa: S301  our own
    except Exception:  # noqa: BLE001  what a user's own exception raises
        return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    return packed


def unpack_error(packed: bytes) -> BaseException:
    """Return the error that stops a run."""
    try:
        error: Any = pickle.loads(packed)  # noqa: S301  from a worker, which runs the same code
    except Exception as reason:  # noqa: BLE001  whatever a class that is not here raises
        return RuntimeError(f"a worker stopped the run, and why cannot be read here: {reason}")
    return error if isinstance(error, BaseException) else RuntimeError(str(error))


def _lost(error: Exception, duration_s: float, violations: tuple[Violation, ...]) -> _Carried:
    message = (
        "the trial's result could not be sent from its worker to the driver: "
        f"{type(error).__name__}: {error}"
    )
    return _Carried(
        conclusion=Conclusion(outcome=Outcome.ERROR, scores={}, message=message),
        notes=(),
        duration_s=duration_s,
        exchanges=(),
        fatal=None,
        cut_by="",
        graders={},
        violations=violations,
    )
