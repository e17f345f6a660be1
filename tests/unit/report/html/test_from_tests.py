"""Of the tests: the worst first, and known gaps by what their marks say."""

from __future__ import annotations

import pytest

from tierwise.domain import Capability, Outcome, Violation
from tierwise.records import RecordedTest, RunInfo, RunRow, TestRow
from tierwise.report.html.from_tests import list_gaps, list_slowest, list_tests, list_violations
from tierwise.report.html.values import TestLine

RUN = RunRow(run_id="r", started_at="2026-11-30T10:00:00+00:00", info=RunInfo())


def recorded(nodeid: str, outcome: Outcome = Outcome.PASSED, **more: object) -> RecordedTest:
    row = TestRow(nodeid=nodeid, tier="unit", level="unit", outcome=outcome, **more)  # type: ignore[arg-type]
    return RecordedTest(row=row, run=RUN)


def line(outcome: Outcome, message: str, duration_s: float = 0.0) -> TestLine:
    return TestLine(
        nodeid="t",
        tier="unit",
        outcome=outcome,
        duration_s=duration_s,
        message=message,
        started_at="",
    )


def test_the_worst_comes_first_whatever_its_tier() -> None:
    """Failures of all tiers stand before what could not be told, and that before what passed."""
    by_tier = {
        "unit": [recorded("b"), recorded("a"), recorded("u", Outcome.UNOBSERVABLE)],
        "e2e": [
            recorded("x", Outcome.FAILED),
            recorded("e", Outcome.ERROR),
            recorded("n", Outcome.NOT_RUN),
        ],
    }
    assert [test.nodeid for test in list_tests(by_tier)] == ["x", "e", "u", "n", "a", "b"]


def test_the_slowest_are_those_that_took_time() -> None:
    """The longest come first; a test that took no time at all is not slow."""
    found = list_slowest([line(Outcome.PASSED, "", s) for s in (0.0, 2.0, 5.0, 1.0)], n=3)
    assert [test.duration_s for test in found] == [5.0, 2.0, 1.0]
    assert list_slowest([line(Outcome.PASSED, "")]) == ()


def test_each_touch_is_a_line_of_its_own() -> None:
    """A test with two violations has two lines."""
    touch = Violation(capability=Capability.SLEEP, target="1 s", subject="t", tier="unit")
    found = list_violations({"unit": [recorded("t", violations=(touch, touch)), recorded("fine")]})
    assert [(one.nodeid, one.capability, one.target) for one in found] == [
        ("t", "sleep", "1 s")
    ] * 2


@pytest.mark.parametrize(
    ("message", "ticket", "reason"),
    [
        ("xfail: BELL-12: the echo is lost", "BELL-12", "BELL-12: the echo is lost"),
        ("xfail: see #34", "#34", "see #34"),
        ("xfail: https://tracker.example/7 is open", "https://tracker.example/7", None),
        ("xfail: some day", "", "some day"),
        ("xfail: ", "", ""),
    ],
)
def test_a_gap_names_its_ticket(message: str, ticket: str, reason: str | None) -> None:
    """The reason of the mark is read for a ticket, and one without is told apart."""
    (gap,) = list_gaps([line(Outcome.NOT_RUN, message)])
    assert (gap.ticket, gap.is_over) == (ticket, False)
    assert reason is None or gap.reason == reason


def test_a_gap_that_is_closed_shows() -> None:
    """A strict mark whose test passes now is a gap that is over."""
    (gap,) = list_gaps([line(Outcome.FAILED, "[XPASS(strict)] BELL-7: rings twice")])
    assert (gap.is_over, gap.ticket, gap.reason) == (True, "BELL-7", "BELL-7: rings twice")


@pytest.mark.parametrize(
    ("outcome", "message"),
    [(Outcome.NOT_RUN, "Skipped: xfail"), (Outcome.FAILED, "xfail: no"), (Outcome.PASSED, "")],
)
def test_what_is_no_mark_is_no_gap(outcome: Outcome, message: str) -> None:
    """Neither a skip nor a failure is a known gap."""
    assert list_gaps([line(outcome, message)]) == ()
