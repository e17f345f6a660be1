"""Records become facts, and no doubt gets lost on the way."""

from __future__ import annotations

from dataclasses import replace

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
from tierwise.report.map import TierFacts, Whole

OLD = RunRow(run_id="a", started_at="2026-01-01T00:00:00+00:00", info=RunInfo(code_hash="aaa"))
NEW = RunRow(
    run_id="b",
    started_at="2026-01-02T00:00:00+00:00",
    info=RunInfo(commit="ccc", code_hash="bbb"),
    complete_tiers=("unit",),
)
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
    facts = gather_facts({"unit": tests}, [], runs=[OLD, NEW], code_hash="bbb")
    assert facts == {
        "unit": TierFacts(
            outcomes={Outcome.PASSED: 1, Outcome.FAILED: 1},
            violations=3,
            duration_s=1.0,
            last_run=NEW.started_at,
            whole=Whole.NOW,
        )
    }


def test_a_result_of_other_code_is_stale() -> None:
    """Only results of the present files are current, whatever the commit."""
    tests = [recorded(Outcome.PASSED, OLD), recorded(Outcome.PASSED, NEW)]
    assert gather_facts({"unit": tests}, [], runs=[], code_hash="bbb")["unit"].n_stale == 1


def test_code_that_is_not_known_is_no_code_of_ours() -> None:
    """A run of an older tierwise, or files that cannot be read, leave results in doubt."""
    before = RunRow(run_id="c", started_at="", info=RunInfo(commit="ccc"))
    for code_hash in ("", "bbb"):
        facts = gather_facts(
            {"unit": [recorded(Outcome.PASSED, before)]}, [], runs=[], code_hash=code_hash
        )
        assert facts["unit"].n_stale == 1


def test_a_whole_run_counts_for_its_tier_and_its_code() -> None:
    """Whether a tier was run whole now, before or never is told apart."""
    tests = {"unit": [recorded(Outcome.PASSED)], "e2e": [recorded(Outcome.PASSED)]}
    after = replace(NEW, run_id="c", complete_tiers=())
    for code_hash, expected in (("bbb", Whole.NOW), ("ccc", Whole.BEFORE)):
        facts = gather_facts(tests, [], runs=[NEW, after], code_hash=code_hash)
        assert (facts["unit"].whole, facts["e2e"].whole) == (expected, Whole.NEVER)


def test_verdicts_go_to_the_tier_of_their_eval() -> None:
    """A verdict counts for its own tier and for no other."""
    tests = {"unit": [recorded(Outcome.PASSED)], "evals": [recorded(Outcome.PASSED)]}
    facts = gather_facts(tests, [judged(Verdict.UNDECIDED, "evals")], runs=[], code_hash="bbb")
    assert facts["evals"].verdicts == {Verdict.UNDECIDED: 1}
    assert facts["unit"].verdicts == {}
