"""Of the tests: the worst first, the slow ones, and each forbidden touch."""

from __future__ import annotations

from tierwise.domain import Capability, Outcome, Violation
from tierwise.records import RecordedTest, RunInfo, RunRow, TestRow
from tierwise.report.html.from_tests import list_slowest, list_tests, list_violations
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
