"""The map says no more than the records know."""

from __future__ import annotations

import pytest

from tierwise.domain import Level, Outcome, Tier, Verdict
from tierwise.report.map import LevelRow, Status, TierFacts, Whole, draw_map

UNIT = Tier(name="unit", level=Level.UNIT, question="Does one module decide rightly?")
SECOND = Tier(name="fast", level=Level.UNIT)
EVALS = Tier(name="evals", level=Level.ACCEPTANCE, deliberate=True)
GREEN = TierFacts(
    outcomes={Outcome.PASSED: 3}, last_run="2026-01-02T03:04:05+00:00", whole=Whole.NOW
)


def row_of(level: Level, tiers: list[Tier], facts: dict[str, TierFacts]) -> LevelRow:
    """Return the row of one level of a map."""
    (row,) = (row for row in draw_map(tiers, facts) if row.level == level)
    return row


def test_all_twelve_levels_are_on_the_map_in_order() -> None:
    """A level that nobody serves is a row that says gap, not a missing row."""
    rows = draw_map([], {})
    assert [row.level for row in rows] == list(Level)
    assert {row.status for row in rows} == {Status.GAP}
    assert rows[0].reason == "no tier serves this level"


def test_a_level_whose_tests_all_passed_on_this_code_is_covered() -> None:
    """Covered takes results, all of them passed, all of them current."""
    row = row_of(Level.UNIT, [UNIT], {"unit": GREEN})
    assert (row.status, row.n_tests) == (Status.COVERED, 3)
    assert row.reason == "all 3 passed on this state of the code"
    assert row.last_run == "2026-01-02T03:04:05+00:00"


def test_a_tier_that_never_ran_is_a_gap() -> None:
    """A declared tier without a single result proves nothing."""
    row = row_of(Level.UNIT, [UNIT], {})
    assert (row.status, row.reason) == (Status.GAP, 'no test of "unit" has a result yet')


def test_a_tier_that_ran_does_not_speak_for_one_that_did_not() -> None:
    """One silent tier of a level makes the level partial and is named."""
    row = row_of(Level.UNIT, [UNIT, SECOND], {"unit": GREEN})
    assert (row.status, row.reason) == (Status.PARTIAL, '"fast" never ran')


@pytest.mark.parametrize("outcome", [o for o in Outcome if o != Outcome.PASSED])
def test_any_outcome_but_passed_makes_a_level_partial(outcome: Outcome) -> None:
    """Failed, error, unobservable and not run are each named and never covered."""
    facts = TierFacts(outcomes={Outcome.PASSED: 9, outcome: 1}, whole=Whole.NOW)
    row = row_of(Level.UNIT, [UNIT], {"unit": facts})
    assert (row.status, row.reason) == (Status.PARTIAL, f"1 {outcome.replace('_', ' ')}")


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (
            TierFacts(outcomes={Outcome.PASSED: 2}, n_stale=2, whole=Whole.BEFORE),
            "2 from another state of the code",
        ),
        (TierFacts(outcomes={Outcome.PASSED: 2}, violations=1, whole=Whole.NOW), "1 violation"),
    ],
)
def test_old_results_and_violations_make_a_level_partial(facts: TierFacts, reason: str) -> None:
    """Results of other code, or with forbidden touches, do not cover a level."""
    row = row_of(Level.UNIT, [UNIT], {"unit": facts})
    assert (row.status, row.reason) == (Status.PARTIAL, reason)


def test_an_undecided_eval_does_not_cover_its_level() -> None:
    """Only proven verdicts cover; an undecided one is counted and named."""
    facts = TierFacts(
        outcomes={Outcome.PASSED: 2},
        verdicts={Verdict.PROVEN: 1, Verdict.UNDECIDED: 1},
        whole=Whole.NOW,
    )
    row = row_of(Level.ACCEPTANCE, [EVALS], {"evals": facts})
    assert (row.status, row.reason) == (Status.PARTIAL, "1 undecided")


def test_proven_expectations_are_part_of_the_good_news() -> None:
    """A covered level of evals says how many expectations were proven."""
    facts = TierFacts(outcomes={Outcome.PASSED: 2}, verdicts={Verdict.PROVEN: 3}, whole=Whole.NOW)
    row = row_of(Level.ACCEPTANCE, [EVALS], {"evals": facts})
    assert row.status == Status.COVERED
    assert row.reason.endswith("3 expectations proven")


def test_one_test_of_a_tier_does_not_cover_its_level() -> None:
    """Whoever ran a part knows a part: each tier of the level must have been run whole."""
    part = TierFacts(outcomes={Outcome.PASSED: 1})
    row = row_of(Level.UNIT, [UNIT, SECOND], {"unit": part, "fast": GREEN})
    assert (row.status, row.reason) == (Status.PARTIAL, '"unit" was never run whole')


def test_a_whole_run_of_other_code_does_not_cover_its_level() -> None:
    """A test that was written since, and left out since, may be missing from what is known."""
    part = TierFacts(outcomes={Outcome.PASSED: 1}, whole=Whole.BEFORE)
    row = row_of(Level.UNIT, [UNIT], {"unit": part})
    expected = '"unit" was not run whole on this state of the code'
    assert (row.status, row.reason) == (Status.PARTIAL, expected)


def test_how_a_deliberate_tier_is_run_whole_is_named() -> None:
    """`tierwise eval run` leaves a tier's other tests out, and a bare pytest all of it."""
    row = row_of(Level.ACCEPTANCE, [EVALS], {"evals": TierFacts(outcomes={Outcome.PASSED: 1})})
    assert row.reason == '"evals" was never run whole (all of it: pytest --tier evals)'


def test_what_another_python_says_is_told() -> None:
    """Whoever saw a green run is told that the doubt comes from elsewhere."""
    facts = TierFacts(outcomes={Outcome.FAILED: 2}, whole=Whole.NOW, n_elsewhere=1)
    rows = draw_map([Tier(name="unit", level=Level.UNIT)], {"unit": facts})
    (row,) = (row for row in rows if row.level is Level.UNIT)
    assert row.reason == "2 failed, 1 of these on another Python or platform than the last"
