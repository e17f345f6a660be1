from __future__ import annotations

import inspect
import itertools
from statistics import fmean, pstdev

import numpy as np
import pytest
from scipy.stats import bootstrap, norm

from tierwise.errors import StatisticsError
from tierwise.stats import Undetermined, bootstrap_cases, bootstrap_error
from tierwise.stats.bootstrap import _correct_tails

SKEWED = [0.0, 0.0, 0.0, 0.1, 0.1, 0.2, 0.0, 0.9, 0.3, 0.0, 0.1, 1.0]


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
def test_it_agrees_with_scipy_up_to_the_draws(method: str, theirs: str) -> None:
    """Both kinds of interval lie where scipy's do, within the noise of 9999 draws."""
    # scipy renamed the argument in 1.15.
    seed = "rng" if "rng" in inspect.signature(bootstrap).parameters else "random_state"
    expected = bootstrap(
        (SKEWED,), np.mean, method=theirs, n_resamples=20_000, **{seed: np.random.default_rng(1)}
    ).confidence_interval
    found = bootstrap_cases(SKEWED, method=method)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.012)


def test_bca_moves_a_skewed_interval_towards_the_long_tail() -> None:
    """The correction shifts both ends up for data with a tail of high values."""
    plain, corrected = bootstrap_cases(SKEWED), bootstrap_cases(SKEWED, method="bca")
    assert corrected.low > plain.low
    assert corrected.high > plain.high + 0.02


def test_the_bca_tails_are_those_of_the_jackknife() -> None:
    """Bias from the share of draws below the mean, skew from leaving one case out."""
    drawn = sorted(SKEWED * 3)
    left_out = [(sum(SKEWED) - value) / (len(SKEWED) - 1) for value in SKEWED]
    pulls = [fmean(left_out) - mean for mean in left_out]
    skew = sum(d**3 for d in pulls) / (6 * sum(d**2 for d in pulls) ** 1.5)
    bias = norm.ppf(sum(value < fmean(SKEWED) for value in drawn) / len(drawn))
    tails = (0.025, 0.9)
    shifted = [bias + norm.ppf(tail) for tail in tails]
    expected = [norm.cdf(bias + z / (1 - skew * z)) for z in shifted]
    assert _correct_tails(SKEWED, drawn, tails) == pytest.approx(tuple(expected))


def test_the_seed_decides_the_draws() -> None:
    """The same seed gives the same interval and another seed another."""
    assert bootstrap_cases(SKEWED, seed=3) == bootstrap_cases(SKEWED, seed=3)
    assert bootstrap_cases(SKEWED, seed=3).high != bootstrap_cases(SKEWED, seed=4).high


def test_the_method_names_draws_and_seed() -> None:
    """A reader can repeat the interval from the report."""
    assert "9999 draws, seed 3" in bootstrap_cases(SKEWED, seed=3).method
    assert bootstrap_cases(SKEWED).cautions != ()


def test_the_error_is_that_of_all_resamples() -> None:
    """The closed form equals the spread over every possible resample."""
    means = [0.0, 1.0, 1.0, 0.5]
    every = [fmean(drawn) for drawn in itertools.product(means, repeat=4)]
    assert bootstrap_error(means) == pytest.approx(pstdev(every))


@pytest.mark.parametrize(
    ("values", "reason"), [([0.1] * 9 + [0.2], None), ([0.1, 0.2] * 4, "8 cases are too few")]
)
def test_fewer_than_ten_cases_are_refused(values: list[float], reason: str | None) -> None:
    """Ten cases may be resampled, eight may not."""
    found = bootstrap_cases(values)
    assert (found.reason if isinstance(found, Undetermined) else None) == (
        reason and f"{reason} to resample; at least 10 are needed"
    )


def test_no_spread_is_undetermined() -> None:
    """Cases that agree exactly, or a single one, give no error of zero."""
    assert isinstance(bootstrap_cases([0.5] * 20), Undetermined)
    assert isinstance(bootstrap_error([0.5] * 20), Undetermined)
    assert isinstance(bootstrap_error([0.5]), Undetermined)


def test_nonsense_is_refused() -> None:
    """Few draws, unknown methods and NaN raise."""
    with pytest.raises(StatisticsError, match="at least 9999"):
        bootstrap_cases(SKEWED, resamples=1000)
    with pytest.raises(StatisticsError, match="expected one of: bca, percentile"):
        bootstrap_cases(SKEWED, method="basic")
    with pytest.raises(StatisticsError, match="nan"):
        bootstrap_cases([*SKEWED, float("nan")])
    with pytest.raises(StatisticsError, match="confidence"):
        bootstrap_cases(SKEWED, confidence=0)
