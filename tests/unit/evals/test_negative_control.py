"""`must_refute`: an eval shows that it can see a hole that was planted."""

from __future__ import annotations

import pytest

from tierwise.domain import Verdict
from tierwise.errors import EvalUsageError
from tierwise.evals import (
    at_least,
    at_most,
    evaluate,
    must_refute,
    never,
    positive_control,
)
from tierwise.evals.counting import Counts
from tierwise.evals.judging import judge

HOLE = must_refute(never("leak", below=0.20))


def counts(events: int, n: int, missing: int = 0) -> Counts:
    return Counts(per_case=((events, n),), missing=(missing,))


def test_a_hole_that_was_seen_proves_the_control() -> None:
    """One occurrence refutes the promise, and that is what was wanted."""
    found = judge(HOLE, counts(1, 15))
    assert found.verdict is Verdict.PROVEN
    assert found.reason == "the planted hole was seen: leak occurred in 1 of 15 trials"
    assert found.expectation == "never leak (below 20 %) must be refuted"


def test_a_hole_that_was_not_seen_refutes_the_control() -> None:
    """An eval that proves a broken subject safe is blind."""
    found = judge(HOLE, counts(0, 15))
    assert found.verdict is Verdict.REFUTED
    assert found.reason.startswith("the planted hole was not seen: ")


@pytest.mark.parametrize(
    "seen", [counts(0, 5), counts(0, 0, missing=15), counts(0, 13, missing=2)]
)
def test_could_not_tell_stays_undecided(seen: Counts) -> None:
    """Too few, none or missing trials are never turned into a hole that was seen."""
    found = judge(HOLE, seen)
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_needed is None


@pytest.mark.parametrize(
    ("promise", "events", "verdict"),
    [
        (at_least("kept", 0.9), 2, Verdict.PROVEN),
        (at_least("kept", 0.5), 30, Verdict.REFUTED),
        (at_most("slow", 0.1), 30, Verdict.PROVEN),
        (at_most("slow", 0.5), 0, Verdict.REFUTED),
    ],
)
def test_rates_are_turned_around_as_well(promise: object, events: int, verdict: Verdict) -> None:
    """Each kind of promise can be the one that has to be refuted."""
    assert judge(must_refute(promise), counts(events, 30)).verdict is verdict


def test_a_negative_control_asks_for_no_positive_one() -> None:
    """It does not warn of silence, since silence refutes it, and none can stand beside it."""
    assert judge(HOLE, counts(3, 15)).control == ""
    control = positive_control(cases=["b"], metric="leak")
    with pytest.raises(EvalUsageError, match="which no never"):
        evaluate(cases=["a"], trials=1, expect=[HOLE], control=control)


@pytest.mark.parametrize("wrong", ["leak", HOLE, None])
def test_only_a_plain_promise_can_be_turned_around(wrong: object) -> None:
    """A typing mistake and a double negation are refused with what was expected."""
    with pytest.raises(EvalUsageError, match=r"expected a promise such as never\(\.\.\.\)"):
        must_refute(wrong)


def test_a_control_without_its_promise_is_misuse() -> None:
    """As it is of every function that evals are declared with."""
    with pytest.raises(EvalUsageError, match=r"must_refute\(\.\.\.\) stands without"):
        must_refute()  # type: ignore[call-arg]  # the mistake
