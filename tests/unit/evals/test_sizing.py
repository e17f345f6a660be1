"""How many cases and trials a question takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scipy.stats import binom
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import power_proportions_2indep

from tierwise.errors import EvalUsageError
from tierwise.evals.sizes import Setting, Size, Sizing
from tierwise.evals.sizing import size_difference, size_never, size_rate
from tierwise.evals.sizing_drops import size_drop
from tierwise.stats import bounds_for

if TYPE_CHECKING:
    from collections.abc import Sequence

ANY = Setting()


def these(sizing: Sizing) -> Size:
    return sizing.sizes[0]


def like(sizing: Sizing) -> Size:
    return sizing.sizes[1]


def upper(cases: Sequence[tuple[int, int]], population: str) -> float:
    return bounds_for(population, cases).upper


def test_never_takes_what_a_clean_run_proves() -> None:
    """299 trials for 1 %, of these cases however they are split, of cases like these as cases."""
    found = size_never(0.01, ANY)
    assert (these(found).n_trials, like(found).n_cases) == (299, 299)
    assert upper([(0, 299)], "these_cases") < 0.01 <= upper([(0, 298)], "these_cases")
    assert upper([(0, 1)] * 299, "cases_like_these") < 0.01
    assert upper([(0, 9)] * 298, "cases_like_these") >= 0.01
    assert any(
        note.startswith("a subject at 1 % would show itself in 95.0") for note in found.notes
    )


def test_cases_that_there_are_share_the_trials() -> None:
    """20 cases of 15 trials for these cases; no number of trials for cases like them."""
    found = size_never(0.01, Setting(cases=20))
    assert (these(found).n_trials, these(found).trials_each) == (300, 15)
    assert (like(found).n_trials, like(found).n_cases) == (None, 299)
    assert (
        "20 cases are too few, however often each of them runs: 299 are needed"
        in like(found).sentence
    )
    assert like(size_never(0.2, Setting(cases=20))).n_cases == 14


def test_a_blind_spot_takes_more_trials() -> None:
    """A detector that sees 9 of 10 events: 332, and the assumption is said."""
    found = size_never(0.01, ANY, sensitivity=0.9)
    assert these(found).n_trials == 332
    assert any("sees 90 % of the events" in line for line in found.assumptions)


@pytest.mark.parametrize(
    ("kind", "limit", "rate"), [("at_least", 0.9, 0.95), ("at_most", 0.1, 0.05)]
)
def test_a_rate_takes_what_the_exact_test_needs(kind: str, limit: float, rate: float) -> None:
    """The smallest n at which the exact one-sided test has the power that was asked for."""
    n = these(size_rate(kind, limit, rate, ANY)).n_trials
    assert n is not None

    def power(n: int) -> float:
        failures = [x for x in range(n + 1) if binom.cdf(x, n, 0.1) <= 0.05]
        return float(binom.cdf(max(failures), n, 0.05)) if failures else 0.0

    assert power(n) >= 0.8
    assert all(power(m) < 0.8 for m in range(1, n))


def test_a_rate_that_is_not_believed_to_hold_takes_more_than_there_is() -> None:
    """No number of trials proves what is false."""
    found = size_rate("at_least", 0.9, 0.85, ANY)
    assert these(found).n_trials is None
    assert "no number of trials proves it" in like(found).sentence


@pytest.mark.parametrize("cases", [58, 60, 100, 179, 500])
def test_trials_of_one_case_count_by_how_unlike_they_are(cases: int) -> None:
    """As many trials each as make the effective number, by the design effect, and no more."""
    n = these(size_rate("at_least", 0.9, 0.95, ANY)).n_trials
    each = like(size_rate("at_least", 0.9, 0.95, Setting(cases=cases, icc=0.3))).trials_each
    assert n is not None
    assert each is not None

    def effective(m: int) -> float:
        return cases * m / (1 + (m - 1) * 0.3)

    assert effective(each) >= n - 1e-6
    assert each == 1 or effective(each - 1) < n


def test_too_few_cases_cannot_be_made_up_for_by_trials() -> None:
    """54 cases with a correlation of .3 are the least that could ever do."""
    found = like(size_rate("at_least", 0.9, 0.95, Setting(cases=53, icc=0.3)))
    assert (found.n_trials, found.n_cases) == (None, 54)
    assert like(size_rate("at_least", 0.9, 0.95, Setting(cases=54, icc=0.3))).n_trials is not None


def test_no_correlation_leaves_a_floor_of_cases() -> None:
    """However unlike trials are, 29 cases that all agree are the least that prove 90 %."""
    found = like(size_rate("at_least", 0.9, 0.95, Setting(cases=28, icc=0.0)))
    assert (found.n_trials, found.n_cases) == (None, 29)


def test_without_cases_several_splits_are_offered() -> None:
    """With what is known of the correlation, or with the range where nothing is."""
    offered = like(size_rate("at_least", 0.9, 0.95, Setting(icc=0.3)))
    assert (
        offered.sentence == "cases, about: 179 of one trial, or 96 of 3 trials, or 67 of 10 trials"
    )
    unknown = like(size_rate("at_least", 0.9, 0.95, ANY))
    assert unknown.n_cases == 179
    assert "no fewer than 29 cases" in unknown.sentence


def test_a_fall_takes_two_arms() -> None:
    """435 on each side for 95 % to 90 %, and 191 where the first were known."""
    found = size_drop(0.95, 0.90, ANY, discordant=None, is_paired=False)
    assert these(found).n_trials == 435
    oracle = power_proportions_2indep(0.05, 0.90, 435, alternative="two-sided").power
    assert oracle == pytest.approx(0.8, abs=0.01)
    assert any(
        "191 trials of the new side alone would do: 175 passes or fewer" in note
        for note in found.notes
    )


def test_a_fall_of_the_same_cases_takes_fewer() -> None:
    """218 where 6 % pass before alone and 1 % after alone; 155 to 438 where nobody knows."""
    found = size_drop(0.95, 0.90, ANY, discordant=0.06, is_paired=False)
    assert like(found).n_cases == 218
    assert "6 % of the cases pass before alone, 1 % after alone" in found.assumptions
    assert "84.03 % by McNemar's mid-p test, 77.82 % by the exact one" in found.notes[0]
    unknown = like(size_drop(0.95, 0.90, ANY, discordant=None, is_paired=True))
    assert unknown.sentence.startswith("155 cases if no case gets better, up to 438")


@pytest.mark.parametrize(
    ("before", "after", "discordant", "complaint"),
    [
        (0.9, 0.95, None, "expected the rate before and a lower one after"),
        (0.9, 0.9, None, "expected the rate before and a lower one after"),
        (0.95, 0.90, 0.03, "at least the fall of 0.05 itself"),
        (0.95, 0.90, 0.9, "--discordant 0.9: expected the share"),
    ],
)
def test_a_fall_that_is_none_is_refused(
    before: float, after: float, discordant: float | None, complaint: str
) -> None:
    """With what the numbers mean."""
    with pytest.raises(EvalUsageError, match=complaint):
        size_drop(before, after, ANY, discordant=discordant, is_paired=False)


def test_the_whole_fall_may_be_in_cases_that_get_worse() -> None:
    """No case gets better: the smallest share that is possible, rounding included."""
    assert like(size_drop(0.95, 0.90, ANY, discordant=0.05, is_paired=False)).n_cases == 155
    assert 0.8 - 0.7 > 0.1
    assert like(size_drop(0.8, 0.7, ANY, discordant=0.1, is_paired=False)).n_cases is not None


def test_a_difference_of_means_takes_cases() -> None:
    """969 cases for .03 where the difference varies by 1/3 from case to case."""
    found = size_difference(0.03, 1 / 3, 0.0, ANY, trials=1)
    assert like(found).n_cases == 969
    oracle = NormalIndPower(ddof=0).solve_power(0.03 * 3, power=0.8, alpha=0.05, ratio=0)
    assert oracle == pytest.approx(969, abs=1)
    assert these(found).n_trials is None
    assert "--trial-sd" in these(found).sentence


def test_more_trials_of_each_case_shrink_the_noise_alone() -> None:
    """Cases fall towards what the spread of cases needs; these cases take the noise alone."""
    one, nine = (size_difference(0.1, 0.2, 0.6, ANY, trials=m) for m in (1, 9))
    for found, trials in ((one, 1), (nine, 9)):
        spread = (0.2**2 + 2 * 0.6**2 / trials) ** 0.5
        cases = NormalIndPower(ddof=0).solve_power(0.1 / spread, power=0.8, alpha=0.05, ratio=0)
        assert like(found).n_cases == pytest.approx(cases, abs=1)
    noise = NormalIndPower().solve_power(0.1 / 0.6, power=0.8, alpha=0.05)
    assert these(nine).n_trials == pytest.approx(noise, abs=1)


@pytest.mark.parametrize(
    ("difference", "case_sd", "trial_sd"),
    [(0.0, 1.0, 1.0), (0.1, 0.0, 0.0), (0.1, -1.0, 0.0), (0.1, 1.0, -1.0)],
)
def test_a_difference_without_a_spread_is_refused(
    difference: float, case_sd: float, trial_sd: float
) -> None:
    """Nothing could be planned by it."""
    with pytest.raises(EvalUsageError, match="a difference other than 0 and a spread above 0"):
        size_difference(difference, case_sd, trial_sd, ANY, trials=1)


def test_confidence_and_power_are_those_that_are_asked_for() -> None:
    """More of either takes more trials."""
    assert these(size_never(0.01, Setting(confidence=0.99))).n_trials == 459
    few = these(size_drop(0.95, 0.90, ANY, discordant=None, is_paired=False)).n_trials
    more = these(
        size_drop(0.95, 0.90, Setting(power=0.9), discordant=None, is_paired=False)
    ).n_trials
    assert few is not None
    assert more is not None
    assert more > few
