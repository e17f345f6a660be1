"""`no_worse_than`: an earlier run as the measure, case by case."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from scipy.stats import ttest_rel

from tierwise.domain import Outcome, Verdict
from tierwise.errors import EvalUsageError
from tierwise.evals import must_refute, no_worse_than
from tierwise.evals.baseline import Baseline
from tierwise.evals.cases import gather_cases
from tierwise.evals.judging import judge_eval
from tierwise.evals.plan import PlannedCase
from tierwise.evals.table import judgement_lines
from tierwise.evals.tally import Tally
from tierwise.records.scores import Shared
from tierwise.stats import zero_bound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.domain import Judgement
    from tierwise.evals import Expectation
    from tierwise.evals.trial import Score

    Scores = Mapping[str, Sequence[Score | None]]

KEPT = no_worse_than("m", margin=0.05)


def judge(
    expectation: Expectation,
    scores: Scores,
    before: Scores | None,
    shared: Shared = Shared(),  # noqa: B008  a frozen value
) -> Judgement:
    """Judge the scores of each case beside those of an earlier run; None is an error."""
    found = gather_cases(list(scores))
    tally = Tally(
        PlannedCase(case=case, arm="trial", trials=len(scores[case.id])) for case in found
    )
    for label, values in scores.items():
        for value in values:
            outcome = Outcome.ERROR if value is None else Outcome.PASSED
            tally.add(label, outcome, {} if value is None else {"m": value})
    baseline = None
    if before is not None:
        rows = [("m", label, value) for label, values in before.items() for value in values]
        made = Baseline.from_scores("run 7", rows)  # type: ignore[arg-type]  numbers only here
        baseline = replace(made, shared=shared)
    (judgement,) = judge_eval([expectation], [], tally, baseline=baseline).judgements
    return judgement


def suite(n: int, values: Sequence[Score | None]) -> dict[str, Sequence[Score | None]]:
    return {f"case {k}": values for k in range(n)}


def test_without_a_baseline_it_is_undecided_and_says_how_to_name_one() -> None:
    """Nothing to compare with is not fine."""
    found = judge(KEPT, suite(5, [True]), None)
    assert found.verdict is Verdict.UNDECIDED
    assert found.reason == "there is no run to compare with"
    assert "--baseline RUN" in found.next_step
    assert found.estimate is None
    assert found.interval is None
    assert "difference unknown" in judgement_lines(found)[1]


def test_two_flawless_runs_are_no_worse() -> None:
    """20 x 15 beside 20 x 15: nothing differs, and the bound is that of trials that agree."""
    found = judge(KEPT, suite(20, [True] * 15), suite(20, [True] * 15))
    assert found.verdict is Verdict.PROVEN
    assert (found.unit, found.baseline, found.estimate) == ("difference", "run 7", 0.0)
    assert found.bound == pytest.approx(-2 * zero_bound(600))
    assert "compared with run 7, case by case" in judgement_lines(found)[2]


def test_few_flawless_trials_prove_little() -> None:
    """5 cases once: a drop of 45 points could hide."""
    found = judge(KEPT, suite(5, [True]), suite(5, [True]))
    assert found.verdict is Verdict.UNDECIDED


def test_a_drop_is_refuted() -> None:
    """From 14 of 15 to 7 of 15 in each case."""
    before = suite(20, [True] * 14 + [False])
    found = judge(KEPT, suite(20, [True] * 7 + [False] * 8), before)
    assert found.verdict is Verdict.REFUTED
    assert found.reason.startswith("the difference is below -0.4")
    assert found.reason.endswith("short of -0.05")
    assert found.bound_side == "upper"


def test_lower_may_be_better() -> None:
    """A leak that became more frequent is worse, one that vanished is not."""
    rare, often = suite(20, [True] + [False] * 14), suite(20, [True] * 8 + [False] * 7)
    fewer = no_worse_than("m", margin=0.05, better="lower")
    assert judge(fewer, rare, often).verdict is Verdict.PROVEN
    assert judge(fewer, often, rare).verdict is Verdict.REFUTED
    assert judge(KEPT, rare, often).verdict is Verdict.REFUTED


def test_numbers_are_compared_by_the_paired_t_test() -> None:
    """For cases like these; the oracle is scipy's ttest_rel."""
    new, old = [3.1, 4.2, 2.9, 3.8, 4.4], [3.0, 4.4, 2.8, 3.9, 4.3]
    promise = no_worse_than("m", margin=0.3, population="cases_like_these")
    found = judge(
        promise,
        {f"case {k}": [x] for k, x in enumerate(new)},
        {f"case {k}": [x] for k, x in enumerate(old)},
    )
    wanted = ttest_rel(new, old).confidence_interval(0.90)
    assert found.bound == pytest.approx(wanted.low)
    assert found.verdict is Verdict.PROVEN


def test_true_and_false_spread_as_1_and_0_do() -> None:
    """A claim and the same claim as a number have one interval."""
    new, old = [True, True, False, True], [True, False, False, True]
    claims = judge(KEPT, suite(30, new), suite(30, old))
    numbers = judge(KEPT, suite(30, [float(x) for x in new]), suite(30, [float(x) for x in old]))
    assert claims.interval_method == "t within cases"
    assert claims.interval == pytest.approx(numbers.interval)


def test_cases_of_one_side_are_counted_and_named() -> None:
    """A case that fell out of the suite may be the one that got worse."""
    new = {**suite(40, [True] * 5), "new one": [True] * 5}
    old = {**suite(40, [True] * 5), "gone": [False] * 5}
    found = judge(KEPT, new, old)
    assert found.verdict is Verdict.PROVEN
    assert found.unpaired == ("new one", "gone")
    assert "1 case was scored here and not in the baseline: 'new one'" in found.cautions
    assert "1 case was scored in the baseline and not here: 'gone'" in found.cautions


def test_more_unpaired_cases_than_the_ceiling_are_undecided() -> None:
    """Which of them differ would decide, not how the subject does."""
    old = suite(20, [True] * 15) | {f"gone {k}": [True] * 15 for k in range(5)}
    found = judge(KEPT, suite(20, [True] * 15), old)
    assert found.verdict is Verdict.UNDECIDED
    assert "5 of 25 cases were scored on one side only (20 %)" in found.reason
    assert "'gone 0', 'gone 1', 'gone 2' and 2 more" in found.reason
    assert found.interval is None


def test_a_case_that_only_erred_is_not_left_out_in_silence() -> None:
    """It was scored before and is not now: it counts as the worst, and is named."""
    new = suite(60, [True] * 5) | {"case 3": [None] * 5}
    found = judge(no_worse_than("m", margin=0.1), new, suite(60, [True] * 5))
    assert found.unpaired == ("case 3",)
    assert found.bound is not None
    assert found.bound_if_missing_were_like_the_rest is not None
    assert found.bound < found.bound_if_missing_were_like_the_rest - 0.01


def test_missing_trials_are_counted_against_either_verdict() -> None:
    """Each may have been False, or True."""
    patient = no_worse_than("m", margin=0.05, missing_ceiling=0.5)
    gaps = suite(20, [True] * 12 + [None] * 3)
    assert judge(patient, gaps, suite(20, [True] * 15)).verdict is Verdict.UNDECIDED
    full = suite(20, [True] * 12)
    assert judge(patient, full, suite(20, [True] * 15)).verdict is Verdict.PROVEN


def test_nothing_in_common_is_undecided() -> None:
    """Another suite is no baseline."""
    found = judge(KEPT, suite(5, [True]), {"other": [True]})
    assert found.verdict is Verdict.UNDECIDED
    assert "no case was scored both here and in run 7" in found.reason


def test_a_metric_that_was_a_number_before_is_undecided() -> None:
    """True is not compared with a grade of 4."""
    found = judge(KEPT, suite(20, [True, False]), suite(20, [4.0, 3.5]))
    assert found.verdict is Verdict.UNDECIDED
    assert "was a number in run 7" in found.reason


def test_numbers_that_never_differ_need_a_range() -> None:
    """No spread is not the same as no error."""
    same = suite(20, [5.0] * 10)
    assert judge(no_worse_than("m", margin=0.2), same, same).verdict is Verdict.UNDECIDED
    ranged = no_worse_than("m", margin=0.2, range=(0, 5))
    assert judge(ranged, same, same).verdict is Verdict.PROVEN


def test_a_text_cannot_be_worse() -> None:
    """Which of two texts is better nobody has said."""
    with pytest.raises(EvalUsageError, match=r"holds texts.*share\('m'"):
        judge(KEPT, suite(2, ["good"]), suite(2, [True]))


def test_a_negative_control_turns_it_around() -> None:
    """A change that has to be seen; without a baseline it stays undecided."""
    worse = must_refute(KEPT)
    before, after = suite(20, [True] * 15), suite(20, [False] * 15)
    assert judge(worse, after, before).verdict is Verdict.PROVEN
    assert judge(worse, before, before).verdict is Verdict.REFUTED
    assert judge(worse, after, None).verdict is Verdict.UNDECIDED


def test_an_undecided_comparison_says_what_a_new_plan_would_need() -> None:
    """From the spread that was seen."""
    new = {f"case {k}": [k % 3 > 0, True, k % 2 > 0] for k in range(20)}
    found = judge(no_worse_than("m", margin=0.02), new, new)
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_needed is not None
    assert found.n_needed > 60


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"margin": -0.1}, "expected 0 or more"),
        ({"margin": "5 %"}, "finite number"),
        ({"margin": 0.1, "better": "smaller"}, "Expected one of"),
        ({"margin": 0.1, "range": (1, 0)}, "the least value first"),
        ({}, "stands without `margin`"),
    ],
)
def test_a_comparison_without_meaning_is_refused(given: dict[str, object], said: str) -> None:
    """With what was expected."""
    with pytest.raises(EvalUsageError, match=said):
        no_worse_than("m", **given)


def test_it_reads_as_a_line_of_a_table() -> None:
    """The run that was named, the margin and which way is better."""
    assert str(KEPT) == "m no worse than the baseline (margin 0.05)"
    named = no_worse_than("m", margin=1, baseline="run 3", better="lower")
    assert str(named) == "m no worse than run 3 (margin 1, lower is better)"


def test_a_baseline_is_made_of_scores_in_any_order() -> None:
    """Each case's number of scores, mean and variance."""
    rows = [("m", "a", 1.0), ("m", "a", 0.0), ("n", "a", 4.0), ("m", "a", 1.0)]
    found = Baseline.from_scores("x", rows)
    assert found == Baseline.from_scores("x", rows[::-1])
    case = found.metrics["m"]["a"]
    assert (case.n, case.mean) == (3, pytest.approx(2 / 3))
    assert case.variance == pytest.approx(1 / 3)
    assert found.metrics["n"]["a"].variance == 0.0


@pytest.mark.parametrize("shared", [Shared(n_taken_over=1), Shared(n_copied=300)])
def test_what_was_compared_with_itself_proves_nothing(shared: Shared) -> None:
    """Neither for a population, nor for a planted hole; a loss that shows all the same counts."""
    good, bad = suite(20, [True] * 15), suite(20, [False] * 15)
    found = judge(KEPT, good, good, shared)
    assert found.verdict is Verdict.UNDECIDED
    assert "the same on both sides" in found.reason
    assert found.next_step.startswith("measure both sides: ")
    assert all(claim.sentence.startswith("nothing: ") for claim in found.claims)
    assert (found.bound, found.interval, found.n_needed) == (None, None, None)
    assert judge(must_refute(KEPT), good, good, shared).verdict is Verdict.UNDECIDED
    assert judge(KEPT, bad, good, shared).verdict is Verdict.REFUTED
