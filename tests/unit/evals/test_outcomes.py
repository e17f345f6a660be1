from __future__ import annotations

import pytest

from tierwise.domain import Outcome
from tierwise.evals.outcomes import Ending, conclude, describe, reason_of
from tierwise.evals.trial import TrialOver
from tierwise.providers import Failure, FailureKind

BUSY = Failure(kind=FailureKind.BUSY, message="slow down")


def test_a_body_that_ends_passes() -> None:
    """`passed` is scored True beside what the body scored."""
    end = conclude(Ending(), {"leak": False}, None)
    assert end.outcome is Outcome.PASSED
    assert end.scores == {"leak": False, "passed": True}


def test_an_assertion_fails_and_keeps_earlier_scores() -> None:
    """A plain assert is an observation, not an error."""
    end = conclude(Ending(error=AssertionError("no name")), {"leak": True}, None)
    assert end.outcome is Outcome.FAILED
    assert end.scores == {"leak": True, "passed": False}
    assert end.message == "AssertionError: no name"


def test_any_other_exception_is_an_error() -> None:
    """A broken body says nothing about the model, and scores nothing for it."""
    end = conclude(Ending(error=KeyError("name")), {}, None)
    assert end.outcome is Outcome.ERROR
    assert end.scores == {}
    assert end.message == "KeyError: 'name'"


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        (FailureKind.GARBLED, Outcome.ERROR),
        (FailureKind.TIMEOUT, Outcome.ERROR),
        (FailureKind.UNAVAILABLE, Outcome.ERROR),
        (FailureKind.AUTH, Outcome.ERROR),
        (FailureKind.BAD_REQUEST, Outcome.ERROR),
        (FailureKind.EXHAUSTED, Outcome.ERROR),
        (FailureKind.BUSY, Outcome.UNOBSERVABLE),
        (FailureKind.RETIRED, Outcome.UNOBSERVABLE),
        (FailureKind.NO_ENTITLEMENT, Outcome.UNOBSERVABLE),
        (FailureKind.NOT_FOUND, Outcome.UNOBSERVABLE),
    ],
)
def test_a_required_reply_that_failed_ends_as_its_kind_says(
    kind: FailureKind, outcome: Outcome
) -> None:
    """The protocol's table decides, with the kind in the message."""
    end = conclude(Ending(error=TrialOver(kind, "what happened")), {}, None)
    assert end.outcome is outcome
    assert end.message == f"{kind}: what happened"
    assert "passed" not in end.scores


@pytest.mark.parametrize("error", [None, AssertionError("x"), AttributeError("text")])
def test_a_last_call_that_failed_leaves_nothing_to_score(error: Exception | None) -> None:
    """However the body went on from there, what it read was no answer."""
    end = conclude(Ending(error=error), {"leak": False}, BUSY)
    assert end.outcome is Outcome.UNOBSERVABLE
    assert end.message == "busy: slow down"
    assert "passed" not in end.scores


@pytest.mark.parametrize(
    "kind",
    [
        FailureKind.MALFORMED,
        FailureKind.SCHEMA_MISMATCH,
        FailureKind.REFUSED,
        FailureKind.CUT_OFF,
    ],
)
def test_what_the_model_did_wrong_is_scored(kind: FailureKind) -> None:
    """A refusal is an observation of the model."""
    end = conclude(Ending(), {}, Failure(kind=kind, message="m", text="No."))
    assert end.outcome is Outcome.PASSED


def test_a_skip_is_not_run_even_after_a_failed_call() -> None:
    """Whoever skips a trial on purpose has said why."""
    skipped = Ending(error=ValueError(), outcome=Outcome.NOT_RUN, message="no key")
    end = conclude(skipped, {}, BUSY)
    assert (end.outcome, end.message) == (Outcome.NOT_RUN, "no key")


def test_a_frameworks_own_failure_counts_as_an_assertion() -> None:
    """`pytest.fail` is an assert with another name."""
    end = conclude(Ending(error=ValueError("x"), outcome=Outcome.FAILED), {}, None)
    assert end.outcome is Outcome.FAILED
    assert end.scores == {"passed": False}


def test_trials_are_grouped_by_the_first_line_of_their_message() -> None:
    """A trace below the first line does not split a group, and a long line is cut."""
    assert reason_of("busy: slow down\ntrace") == "busy: slow down"
    cut = reason_of("x" * 500 + " at tests/evals/test_x.py:12")
    assert len(cut) == 200
    assert cut.endswith(" at tests/evals/test_x.py:12")
    assert reason_of("") == "no reason given"


def test_an_error_says_where_it_happened() -> None:
    """The place follows the first line, where groups and tables keep it."""
    ending = Ending(error=KeyError("viewr"), where="tests/evals/test_x.py:12")
    assert conclude(ending, {}, None).message == "KeyError: 'viewr' at tests/evals/test_x.py:12"
    many = Ending(error=ValueError("one\ntwo"), where="app.py:3")
    assert conclude(many, {}, None).message == "ValueError: one at app.py:3\ntwo"


def test_addresses_of_objects_do_not_split_a_group() -> None:
    """Two objects of one kind are one reason."""
    one, other = (reason_of(f"TypeError: <X object at {at}> at a.py:1") for at in ("0x7fA", "0x1"))
    assert one == other == "TypeError: <X object at 0x...> at a.py:1"


def test_a_forgotten_await_is_named() -> None:
    """What a coroutine lacks is an `await`, whatever Python calls it."""
    lacking = AttributeError("'coroutine' object has no attribute 'text'")
    assert describe(lacking).endswith("(is an `await` missing?)")
    assert "await" not in describe(AttributeError("'str' object has no attribute 'text'"))
