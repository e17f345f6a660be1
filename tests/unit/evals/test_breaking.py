"""A body that cannot work is not tried to the end of its plan."""

from __future__ import annotations

import pytest

from tierwise.domain import Outcome
from tierwise.evals.breaking import ENOUGH, BreakWatch, read_error

AT = " at tests/evals/test_it.py:7"


def watch(*endings: tuple[Outcome, str], n: int = 1) -> str:
    """Return what is said after these endings, each of them `n` times."""
    found = BreakWatch()
    for outcome, message in endings:
        for _ in range(n):
            found.take(outcome, message)
    return found.find_break(lambda: 80)


def test_the_same_error_in_all_trials_ends_the_eval() -> None:
    """It says what, where, and how many it took; what the error holds may differ."""
    errors = [(Outcome.ERROR, f"KeyError: 'case {n}'{AT}") for n in range(ENOUGH)]
    said = watch(*errors)
    assert said.startswith(
        f"stopped early: each of the first {ENOUGH} trials ended in KeyError: 'case 0'{AT}."
    )
    assert "No further one was started, and nothing is proven" in said
    assert watch(*errors[1:]) == ""


@pytest.mark.parametrize(
    "other",
    [
        (Outcome.PASSED, ""),
        (Outcome.FAILED, f"AssertionError: no{AT}"),
        (Outcome.UNOBSERVABLE, "busy: slow down"),
        (Outcome.NOT_RUN, "skipped"),
        (Outcome.ERROR, "unavailable: no connection"),
        (Outcome.ERROR, f"ValueError: no{AT}"),
        (Outcome.ERROR, "KeyError: 'a' at tests/evals/test_it.py:8"),
    ],
)
def test_one_other_ending_lets_the_eval_go_on(other: tuple[Outcome, str]) -> None:
    """Then the plan is carried out as it was fixed, whatever comes later."""
    error = (Outcome.ERROR, f"KeyError: 'a'{AT}")
    assert watch(error, n=ENOUGH)
    assert watch(other, error, n=ENOUGH) == ""
    assert watch(error, other, n=ENOUGH) == ""


def test_nothing_is_said_when_nothing_is_left() -> None:
    """The plan was carried out."""
    found = BreakWatch()
    for _ in range(ENOUGH):
        found.take(Outcome.ERROR, f"KeyError: 'a'{AT}")
    assert found.find_break(lambda: 0) == ""


def test_an_error_is_the_bodys_own_where_its_line_is_known() -> None:
    """A vendor that is down is not the body's doing."""
    assert read_error(Outcome.ERROR, f"KeyError{AT}") == ("KeyError", AT.removeprefix(" at "))
    assert read_error(Outcome.ERROR, f"E: meet at noon{AT}\nmore") is not None
    assert read_error(Outcome.ERROR, "time-out: cut off after 1 s") is None
    assert read_error(Outcome.FAILED, f"KeyError: 'a'{AT}") is None


@pytest.mark.parametrize(
    ("kind", "outcome", "step"),
    [
        ("auth", Outcome.ERROR, "Is the right key set"),
        ("bad_request", Outcome.ERROR, "tierwise eval show"),
        ("exhausted", Outcome.ERROR, "more answers, or rules"),
        ("not_found", Outcome.UNOBSERVABLE, "the model's name"),
        ("retired", Outcome.UNOBSERVABLE, "still served"),
        ("no_entitlement", Outcome.UNOBSERVABLE, "May this key use the model?"),
    ],
)
def test_one_refusal_of_all_trials_ends_the_eval(kind: str, outcome: Outcome, step: str) -> None:
    """What no other attempt mends is not asked for to the end of the plan."""
    refusals = [(outcome, f"{kind}: no. {n}") for n in range(ENOUGH)]
    said = watch(*refusals)
    assert f"trials ended in {kind}: no. 0. No further" in said
    assert step in said
    assert watch(*refusals[1:]) == ""
    assert watch(*refusals, (Outcome.PASSED, "")) == ""


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (Outcome.UNOBSERVABLE, "busy: slow down"),
        (Outcome.ERROR, "timeout: no answer in 60 s"),
        (Outcome.ERROR, "unavailable: 503"),
        (Outcome.ERROR, "garbled: <html>"),
        (Outcome.NOT_RUN, "auth: skipped without a key"),
        (Outcome.ERROR, "not_found: in an error of another kind"),
    ],
)
def test_what_may_pass_is_waited_for(outcome: Outcome, message: str) -> None:
    """A vendor's bad hour ends, and calls are made again; a skip is no refusal."""
    assert watch((outcome, message), n=ENOUGH) == ""


def test_two_kinds_of_refusal_are_not_one() -> None:
    """Where some calls are refused otherwise, more is amiss than one thing."""
    assert (
        watch((Outcome.ERROR, "auth: no key"), (Outcome.ERROR, "bad_request: no"), n=ENOUGH) == ""
    )
