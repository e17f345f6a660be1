from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from machine_facts import entry, origin

from tierwise.config import parse_config
from tierwise.domain import Judgement, Outcome, Verdict
from tierwise.records import RecordedTest, RunInfo, RunRow, TestRow
from tierwise.records.rows import PlanRow, VerdictRow
from tierwise.report.machine.findings import list_findings
from tierwise.report.machine.gathering import _eval_of, list_tests, no_facts, worst_verdict
from tierwise.report.machine.of_evals import entry_of
from tierwise.report.machine.places import is_inside, place_of_test
from tierwise.report.machine.text import one_line, xml_text
from tierwise.report.machine.values import Facts
from tierwise.report.machine.wording import count


def recorded(nodeid: str, tier: str | None) -> RecordedTest:
    run = RunRow(run_id="r1", started_at="now", info=RunInfo())
    row = TestRow(nodeid=nodeid, tier=tier, level=tier, outcome=Outcome.PASSED)
    return RecordedTest(row=row, run=run)


def test_tests_are_listed_by_tier_and_unplaced_ones_last() -> None:
    """The tiers' order is the project's own; within one the order of landing stays."""
    rows = [
        recorded("c", None),
        recorded("b", "unit"),
        recorded("x", "e2e"),
        recorded("a", "unit"),
    ]
    found = list_tests(rows, ["unit", "e2e"])
    assert [(test.nodeid, test.tier, test.level) for test in found] == [
        ("b", "unit", "unit"),
        ("a", "unit", "unit"),
        ("x", "e2e", "e2e"),
        ("c", "", ""),
    ]


@pytest.mark.parametrize(
    ("verdicts", "worst"),
    [
        ([], "not judged"),
        ([Verdict.PROVEN], "proven"),
        ([Verdict.PROVEN, Verdict.UNDECIDED], "undecided"),
        ([Verdict.UNDECIDED, Verdict.REFUTED, Verdict.PROVEN], "refuted"),
    ],
)
def test_the_worst_verdict_is_the_eval_s(verdicts: list[Verdict], worst: str) -> None:
    """One refuted expectation refutes; no verdict is none."""
    assert worst_verdict(verdicts) == worst


PLAN = PlanRow(
    run_id="r1",
    plan_hash="p1",
    eval_id="e",
    tier=None,
    n_cases=1,
    trials=2,
    n_planned=2,
    provider="x",
)


def verdict(plan_hash: str, **detail: object) -> VerdictRow:
    return VerdictRow(
        run_id="r1",
        plan_hash=plan_hash,
        eval_id="e",
        tier=None,
        expectation="it does",
        metric="m",
        verdict=Verdict.PROVEN,
        reason="",
        n_scored=2,
        n_planned=2,
        detail=detail,
    )


def test_an_eval_has_the_verdicts_of_its_own_plan() -> None:
    """Another provider's belong to another plan."""
    found = _eval_of(PLAN, "now", [verdict("p1", estimate=1), verdict("p2")])
    (one,) = found.expectations
    assert (found.verdict, one.estimate, one.quantity) == ("proven", 1.0, "rate")
    assert _eval_of(PLAN, "now", [verdict("p2")]).verdict == "not judged"


@pytest.mark.parametrize(
    "detail",
    [
        {},
        {"estimate": float("nan"), "interval": [0.0, float("inf")], "confidence": None},
        {"estimate": "many", "interval": None},
    ],
)
def test_what_is_no_number_is_none(detail: dict[str, object]) -> None:
    """JSON has no word for it, and a reader no use."""
    (one,) = _eval_of(PLAN, "now", [verdict("p1", **detail)]).expectations
    assert (one.estimate, one.interval, one.confidence) == (None, None, None)


def test_a_project_without_a_store_has_twelve_gaps() -> None:
    """Nothing is known, which is a report too."""
    found = no_facts(
        parse_config({}, Path("/p")), origin=origin(), now=datetime(2026, 1, 2, tzinfo=UTC)
    )
    assert len(found.levels) == 12
    assert (found.tests, found.evals) == ((), ())
    assert list_findings(found) == ()


def test_a_judgement_keeps_its_numbers() -> None:
    """What pytest's own file says is what the store would have."""
    judgement = Judgement(
        expectation="it does",
        metric="m",
        verdict=Verdict.UNDECIDED,
        reason="few",
        n_scored=3,
        n_planned=9,
        estimate=0.5,
        interval=(0.1, 0.9),
    )
    one = entry_of(judgement)
    assert (one.verdict, one.n_scored, one.n_planned) == ("undecided", 3, 9)
    assert (one.estimate, one.interval, one.confidence) == (0.5, (0.1, 0.9), 0.95)


@pytest.mark.parametrize(
    ("path", "answer"),
    [("a/b.py", True), ("/a.py", False), ("../a.py", False), ("a/../../b", False), ("", False)],
)
def test_only_what_lies_below_the_root_is_a_place(path: str, *, answer: bool) -> None:
    """A hostile id leads no reader out of the project."""
    assert is_inside(path) is answer


def test_a_place_is_what_was_recorded_or_the_file_of_the_id() -> None:
    """A location that is none is not believed."""
    known = place_of_test(entry("b.py::t", location="a.py:3"))
    assert known is not None
    assert (known.path, known.line) == ("a.py", 3)
    for location in ("", "a.py", "a.py:0", "/etc/x:3", "a.py:x"):
        place = place_of_test(entry("b.py::t", location=location))
        assert place is not None
        assert (place.path, place.line) == ("b.py", None)
    assert place_of_test(entry("/b.py::t")) is None


def test_text_is_one_line_and_what_cannot_be_seen_is_written_out() -> None:
    """Line ends and spaces become one space, control characters their escape."""
    assert one_line("a\r\n b\t c\x1b[31m\u202e") == "a b c\\x1b[31m\\u202e"
    assert one_line("abc", 3) == "abc"
    assert one_line("abcd", 3) == "abc ..."
    assert xml_text("a\nb\x00\ufffe") == "a\nb\\x00\\ufffe"


def test_nouns_have_their_number() -> None:
    """One test, two tests, and a thousand with its comma."""
    assert [count(n, "test") for n in (0, 1, 1000)] == ["0 tests", "1 test", "1,000 tests"]


def test_a_violation_of_an_unplaced_test_says_so() -> None:
    """No tier claims it, so nothing is allowed."""
    from dataclasses import replace  # noqa: PLC0415

    from machine_facts import TOUCH  # noqa: PLC0415  one test's

    bare = replace(TOUCH, tier=None)
    (one,) = list_findings(
        Facts(origin=origin(), tiers=(), levels=(), tests=(entry(tier="", violations=(bare,)),))
    )
    assert "no tier claims it" in one.claim
