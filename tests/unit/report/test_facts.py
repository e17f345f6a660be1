"""Records become facts, and no doubt gets lost on the way."""

from __future__ import annotations

from tierwise.domain import Capability, Outcome, Verdict, Violation
from tierwise.records import (
    RecordedTest,
    RecordedVerdict,
    RunInfo,
    RunRow,
    TestRow,
    VerdictRow,
)
from tierwise.report.facts import gather_facts
from tierwise.report.map import TierFacts

OLD = RunRow(run_id="a", started_at="2026-01-01T00:00:00+00:00", info=RunInfo(commit="aaa"))
NEW = RunRow(run_id="b", started_at="2026-01-02T00:00:00+00:00", info=RunInfo(commit="bbb"))
TOUCH = Violation(capability=Capability.WRITE, target="x", subject="t", tier="unit")


def recorded(outcome: Outcome, run: RunRow = NEW, *violations: Violation) -> RecordedTest:
    """Return one recorded test of the unit tier that took half a second."""
    row = TestRow(
        nodeid="t",
        tier="unit",
        level="unit",
        outcome=outcome,
        duration_s=0.5,
        violations=violations,
    )
    return RecordedTest(row=row, run=run)


def judged(verdict: Verdict, tier: str) -> RecordedVerdict:
    """Return one recorded verdict of a tier."""
    row = VerdictRow(
        run_id="b",
        plan_hash="p",
        eval_id="e",
        tier=tier,
        expectation="never leak",
        metric="leak",
        verdict=verdict,
        reason="",
        n_scored=1,
        n_planned=1,
    )
    return RecordedVerdict(row=row, run=NEW)


def test_outcomes_durations_and_violations_are_summed() -> None:
    """Each test's outcome counts once, and times and violations add up."""
    tests = [recorded(Outcome.PASSED), recorded(Outcome.FAILED, NEW, TOUCH, TOUCH, TOUCH)]
    facts = gather_facts({"unit": tests}, [], commit="bbb")
    assert facts == {
        "unit": TierFacts(
            outcomes={Outcome.PASSED: 1, Outcome.FAILED: 1},
            violations=3,
            duration_s=1.0,
            last_run=NEW.started_at,
        )
    }


def test_a_result_of_another_commit_is_stale() -> None:
    """Only results of the present commit are current."""
    tests = [recorded(Outcome.PASSED, OLD), recorded(Outcome.PASSED, NEW)]
    assert gather_facts({"unit": tests}, [], commit="bbb")["unit"].n_stale == 1


def test_without_version_control_nothing_is_called_stale() -> None:
    """No commit is no ground to doubt a result."""
    assert gather_facts({"unit": [recorded(Outcome.PASSED)]}, [], commit="")["unit"].n_stale == 0


def test_verdicts_go_to_the_tier_of_their_eval() -> None:
    """A verdict counts for its own tier and for no other."""
    tests = {"unit": [recorded(Outcome.PASSED)], "evals": [recorded(Outcome.PASSED)]}
    facts = gather_facts(tests, [judged(Verdict.UNDECIDED, "evals")], commit="bbb")
    assert facts["evals"].verdicts == {Verdict.UNDECIDED: 1}
    assert facts["unit"].verdicts == {}
