"""Statistics as a user would ask for them; type-checked, never run.

What the data may not be able to say comes back as `| Undetermined`, so a type checker makes the
caller look. A plan, which rests on no data, is always a number.
"""

from __future__ import annotations

from typing import assert_type

from tierwise import stats
from tierwise.domain import Verdict
from tierwise.stats import (
    Agreement,
    BaselinePlan,
    CaseMean,
    CorrectedRate,
    CurtailedPlan,
    Interval,
    JudgedZeroBound,
    MeanBounds,
    OperatingCharacteristics,
    PairedDifference,
    Population,
    PValue,
    RateBounds,
    RepeatWeight,
    ScoreSpread,
    SequentialTest,
    Undetermined,
    WaldBounds,
)

PER_CASE = [(0, 15), (1, 15)]
SCORES = [0.5, 0.75]
P_VALUES = [0.01, 0.2]


def rates() -> None:
    assert_type(stats.upper_bound(0, 59), float | Undetermined)
    assert_type(stats.lower_bound(59, 59, confidence=0.9), float | Undetermined)
    assert_type(stats.clopper_pearson(1, 10), Interval | Undetermined)
    assert_type(stats.wilson(1, 10), Interval | Undetermined)
    assert_type(stats.jeffreys(1, 10), Interval | Undetermined)
    assert_type(stats.zero_bound(59, sensitivity=None, secrets=3), float | Undetermined)
    assert_type(stats.weaken_upper_bound(0.05, sensitivity=0.9), float | Undetermined)
    assert_type(stats.detection_probability(0.05, 59), float)
    assert_type(stats.pass_at_k(3, 10, k=2), float | Undetermined)
    assert_type(stats.pass_hat_k(3, 10, k=2), float | Undetermined)
    assert_type(stats.mean_pass_at_k(PER_CASE, k=2), Interval | Undetermined)
    assert_type(stats.mean_pass_hat_k(PER_CASE, k=2), Interval | Undetermined)


def bounds() -> None:
    """Ask for both one-sided bounds of means, differences and tries."""
    case = CaseMean(n=15, mean=0.8, variance=0.1)
    assert_type(case.fill(2, 0.0), CaseMean)
    mean = stats.bound_mean("these_cases", [case, case], span=(0.0, 1.0))
    assert_type(mean, MeanBounds | Undetermined)
    pairs = [(case, case)]
    difference = stats.bound_difference(Population.THESE_CASES, pairs, is_binary=True)
    assert_type(difference, MeanBounds | Undetermined)
    tries = stats.bound_tries("pass_hat_k", "cases_like_these", PER_CASE, k=3)
    assert_type(tries, MeanBounds | Undetermined)
    if isinstance(mean, MeanBounds):
        assert_type((mean.lower, mean.upper, mean.error), tuple[float, float, float])


def looks() -> None:
    """Look after every trial."""
    assert_type(stats.excludes_rate(3, 120, 0.1, prior=(1, 9)), bool)
    assert_type(stats.ratio_e_value(57, 60, rate=0.9, against=0.95), float)


def read(found: Interval | Undetermined) -> tuple[float, float]:
    """Ask before reading: an undetermined interval has no ends."""
    if isinstance(found, Interval):
        return (found.low, found.high)
    assert_type(found, Undetermined)
    raise LookupError(found.reason)


def clusters() -> None:
    bounds = stats.bounds_for(Population.CASES_LIKE_THESE, PER_CASE, missing=[0, 1])
    assert_type(bounds, RateBounds | Undetermined)
    assert_type(stats.korn_graubard(PER_CASE), Interval | Undetermined)
    assert_type(stats.effective_trials(PER_CASE), float | Undetermined)
    assert_type(stats.case_mean_interval([SCORES]), Interval | Undetermined)
    assert_type(stats.clustered_error([SCORES], kind="CR0"), float | Undetermined)
    assert_type(stats.bootstrap_cases(SCORES, method="bca"), Interval | Undetermined)
    assert_type(stats.bootstrap_error(SCORES), float | Undetermined)
    assert_type(stats.weigh_repeats([SCORES]), RepeatWeight | Undetermined)


def comparisons() -> None:
    assert_type(stats.compare_paired(SCORES, SCORES), PairedDifference | Undetermined)
    assert_type(stats.sign_flip_test(SCORES, SCORES, seed=1), PValue | Undetermined)
    assert_type(stats.mcnemar_test(1, 5, method="exact"), PValue)
    assert_type(stats.exact_case_test(PER_CASE, [(3, 9), (0, 15)]), PValue | Undetermined)
    assert_type(stats.least_case_p([15, 15], [9, 15]), float)
    one, two = CaseMean(n=5, mean=0.5, variance=0.1), CaseMean(n=5, mean=0.75, variance=0.2)
    assert_type(stats.welch_case_test([(one, two)]), PValue | Undetermined)
    assert_type(stats.bonett_price(1, 5, 40), Interval | Undetermined)
    assert_type(stats.newcombe((1, 10), (5, 10)), Interval | Undetermined)
    assert_type(stats.agresti_caffo((1, 10), (5, 10)), Interval | Undetermined)


def many() -> None:
    assert_type(stats.holm(P_VALUES), tuple[float, ...])
    assert_type(stats.hochberg(P_VALUES), tuple[float, ...])
    assert_type(stats.bonferroni(P_VALUES), tuple[float, ...])
    assert_type(stats.benjamini_hochberg(P_VALUES), tuple[float, ...])
    assert_type(stats.benjamini_yekutieli(P_VALUES), tuple[float, ...])
    assert_type(stats.e_bh([20.0, 1.0], alpha=0.1), tuple[bool, ...])
    assert_type(stats.false_alarm_probability(20), float)


def plans() -> None:
    assert_type(stats.trials_needed(0.05, events=1, sensitivity=0.9), int)
    assert_type(stats.trials_needed_at_least(0.95, 0.9), int | Undetermined)
    assert_type(stats.trials_needed_less_than(0.01, 0.05), int | Undetermined)
    assert_type(stats.trials_per_arm(0.8, 0.9, corrected=True), int)
    assert_type(stats.power_of_arms(0.8, 0.9, 100, two_sided=False), float)
    assert_type(stats.pairs_needed(0.1, 0.2), int)
    assert_type(stats.power_of_mcnemar(0.1, 0.2, 100, method="mid-p"), float)
    assert_type(stats.plan_against_baseline(0.9, 0.8), BaselinePlan | Undetermined)
    spread = ScoreSpread(between_cases=0.04, first_noise=0.1)
    assert_type(spread.per_case, float)
    assert_type(stats.cases_needed(0.05, spread), int)
    assert_type(stats.detectable_effect(100, spread), float)
    error = stats.plan_error(0.9, cases=20, trials=5, intraclass_correlation=0.3)
    assert_type(error, float)


def early_stopping() -> None:
    assert_type(CurtailedPlan(n=59).after(0, 59), Verdict | None)
    test = SequentialTest(good=0.95, bad=0.8, cap=100)
    assert_type(test.after(fails=1, seen=20), Verdict | None)
    assert_type(test.characterise(0.9), OperatingCharacteristics)
    assert_type(stats.wald_bounds(alpha=0.01), WaldBounds)
    looks = [stats.confidence_sequence(0, n) for n in (10, 20)]
    known = [look for look in looks if not isinstance(look, Undetermined)]
    assert_type(stats.intersect_sequence(known), Interval | Undetermined)
    assert_type(stats.clean_trials_needed(0.05), int)
    assert_type(stats.zero_e_value(0, 59, rate=0.05), float)
    assert_type(stats.mixture_e_value(1, 59, rate=0.05), float)
    assert_type(stats.multiply_e_values([2.0, 3.0]), float | Undetermined)
    assert_type(stats.average_e_values([2.0, 3.0]), float | Undetermined)
    assert_type(stats.p_from_e(20.0), float)


def judges() -> None:
    rate = stats.correct_rate(10, 100, caught=(45, 50), cleared=(48, 50))
    assert_type(rate, CorrectedRate | Undetermined)
    bound = stats.judged_zero_bound(59, caught=45, known=50)
    assert_type(bound, JudgedZeroBound | Undetermined)
    assert_type(stats.sensitivity_bound(45, 50), float | Undetermined)
    assert_type(stats.labels_needed(0.9), int)
    mean = stats.prediction_powered_mean(SCORES, SCORES, SCORES)
    assert_type(mean, Interval | Undetermined)
    assert_type(stats.cohen_kappa([[8, 2], [1, 9]], weights="quadratic"), Agreement | Undetermined)
    alpha = stats.krippendorff_alpha([[1.0, None], [2.0, 2.0]], level="ordinal")
    assert_type(alpha, float | Undetermined)


def flakiness() -> None:
    assert_type(stats.judge_flakiness(1, 20), Verdict)
    assert_type(stats.flaky_probability(1, 20), float | Undetermined)
    assert_type(stats.flip_rate([True, False]), float | Undetermined)
    assert_type(stats.outcome_entropy(1, 20), float | Undetermined)
    assert_type(stats.failure_rate_when_good(PER_CASE), Interval | Undetermined)
    assert_type(stats.hidden_by_retries(0.5, retries=2), float)
    assert_type(stats.decayed_score(SCORES, decay=0.7), float | Undetermined)
