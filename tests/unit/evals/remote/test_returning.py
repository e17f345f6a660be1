"""Results on their way back."""

from __future__ import annotations

import pickle
from typing import Any

from tierwise.domain import Capability, Outcome, Violation
from tierwise.evals.cases import Case
from tierwise.evals.outcomes import Conclusion
from tierwise.evals.plan import PlannedCase
from tierwise.evals.planned_trials import PlannedTrial
from tierwise.evals.remote.returning import pack, pack_error, unpack, unpack_error
from tierwise.evals.running import TrialResult

PLANNED = PlannedTrial(
    planned=PlannedCase(case=Case(id="a", value="a", content="a"), arm="trial", trials=1),
    index=0,
    key="k",
    seed=1,
)
TOUCH = Violation(
    capability=Capability.NETWORK, target="x:1", subject="e", tier="t", stack=(), event="connect"
)


class Stubborn(Exception):  # noqa: N818
    """Pickles, and does not come back."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first + second)


def result(**more: Any) -> TrialResult:
    return TrialResult(
        planned=PLANNED,
        conclusion=Conclusion(outcome=Outcome.PASSED, scores={"leak": False}),
        **more,
    )


def test_a_result_comes_back_as_it_was() -> None:
    """With what it touched beside it; its plan stays where it is."""
    sent = result(notes=("n",), duration_s=0.5, cut_by="b", graders={"leak": "g"})
    assert unpack(PLANNED, pack(sent, (TOUCH,))) == (sent, (TOUCH,))
    assert b"PlannedCase" not in pack(sent)


def test_what_cannot_travel_ends_as_an_error_that_says_so() -> None:
    """Neither passed nor failed, and nothing hangs."""
    unsendable: Any = (lambda: None,)
    back, violations = unpack(PLANNED, pack(result(notes=unsendable, duration_s=2.0), (TOUCH,)))
    assert back.conclusion.outcome is Outcome.ERROR
    assert "could not be sent from its worker" in back.conclusion.message
    assert (back.conclusion.scores, back.duration_s, violations) == ({}, 2.0, (TOUCH,))


def test_an_exception_that_does_not_come_back_is_found_on_the_way() -> None:
    """It pickles; only reading it fails, and what was touched is known all the same."""
    back, violations = unpack(PLANNED, pack(result(fatal=Stubborn("a", "b")), (TOUCH,)))
    assert back.conclusion.outcome is Outcome.ERROR
    assert (back.fatal, violations) == (None, (TOUCH,))


def test_what_cannot_be_read_here_is_an_error_too() -> None:
    """A class that only the worker knows, such as one of a test file."""
    back, _ = unpack(PLANNED, b"cnowhere\nNothing\n.")
    assert back.conclusion.outcome is Outcome.ERROR
    assert "No module named 'nowhere'" in back.conclusion.message


def test_an_error_that_stops_a_run_keeps_its_kind_where_it_can() -> None:
    """Or its words."""
    assert isinstance(unpack_error(pack_error(KeyboardInterrupt())), KeyboardInterrupt)
    assert str(unpack_error(pack_error(Stubborn("a", "b")))) == "Stubborn: ab"
    assert "nowhere" in str(unpack_error(b"cnowhere\nNothing\n."))
    assert str(unpack_error(pickle.dumps("no error"))) == "no error"
