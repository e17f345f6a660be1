from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import beta, entropy

from tierwise.domain import Verdict
from tierwise.errors import StatisticsError
from tierwise.stats import (
    Undetermined,
    decayed_score,
    failure_rate_when_good,
    flaky_probability,
    flip_rate,
    hidden_by_retries,
    jeffreys,
    judge_flakiness,
    outcome_entropy,
)

if TYPE_CHECKING:
    from collections.abc import Callable


@settings(max_examples=40)
@given(st.integers(1, 100), st.data())
def test_entropy_agrees_with_scipy(n: int, data: st.DataObject) -> None:
    """The entropy of fails and passes in bits."""
    fails = data.draw(st.integers(0, n))
    expected = entropy([fails, n - fails], base=2)
    assert outcome_entropy(fails, n) == pytest.approx(expected, abs=1e-12)


def test_broken_is_not_flaky() -> None:
    """A test that always fails has no entropy and no flips."""
    assert (outcome_entropy(9, 9), flip_rate([False] * 9)) == (0.0, 0.0)


def test_flips_are_counted_between_neighbours() -> None:
    """Order matters: the same outcomes flip once or three times."""
    rates = [flip_rate([True, True, False, False]), flip_rate([True, False, True, False])]
    assert rates == [1 / 3, 1.0]


def test_old_versions_fade() -> None:
    """Newest first, each version weighs half of the one before, normalised."""
    assert decayed_score([1.0, 0.0, 0.5]) == pytest.approx((1 + 0.125) / 1.75)
    assert decayed_score([0.3] * 5, decay=0.9) == pytest.approx(0.3)


@pytest.mark.parametrize(("fails", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (3, 300)])
def test_the_belief_is_the_middle_of_a_beta(fails: int, n: int) -> None:
    """What the posterior leaves between the tolerances."""
    posterior = beta(0.5 + fails, 0.5 + n - fails)
    expected = posterior.cdf(0.98) - posterior.cdf(0.02)
    assert flaky_probability(fails, n, tolerance=0.02) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("fails", "n", "verdict"),
    [
        (0, 10, Verdict.UNDECIDED),
        (3, 10, Verdict.PROVEN),
        (0, 300, Verdict.REFUTED),
        (300, 300, Verdict.REFUTED),
        (0, 0, Verdict.UNDECIDED),
    ],
)
def test_ten_clean_runs_leave_flakiness_undecided(fails: int, n: int, verdict: Verdict) -> None:
    """0 of 10 leaves a belief of .65; mixed runs prove it and hundreds alike refute it."""
    assert judge_flakiness(fails, n) is verdict


def test_the_belief_after_ten_clean_runs() -> None:
    """The figure of the docs."""
    assert flaky_probability(0, 10) == pytest.approx(0.65, abs=0.005)


def test_only_versions_that_ever_passed_are_good() -> None:
    """A version without a pass is broken and does not count."""
    found = failure_rate_when_good([(1, 10), (5, 5), (0, 3)], confidence=0.9)
    assert found == jeffreys(1, 13, confidence=0.9)


@pytest.mark.parametrize(("retries", "share"), [(0, 0.2), (1, 0.04), (2, 0.008)])
def test_retries_hide_fails(retries: int, share: float) -> None:
    """A test that fails one time in five looks red once in 125 after two retries."""
    assert hidden_by_retries(0.2, retries=retries) == pytest.approx(share)


@pytest.mark.parametrize(
    "call",
    [
        lambda: outcome_entropy(0, 0),
        lambda: flip_rate([]),
        lambda: flip_rate([True]),
        lambda: decayed_score([]),
        lambda: flaky_probability(0, 0),
        lambda: failure_rate_when_good([]),
        lambda: failure_rate_when_good([(3, 3), (0, 0)]),
    ],
)
def test_too_little_is_undetermined(call: Callable[[], Any]) -> None:
    """No run, one run for flips, or no good version give a reason."""
    assert isinstance(call(), Undetermined)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: outcome_entropy(3, 2), "events=3 of n=2"),
        (lambda: decayed_score([1.5]), r"scores\[0\]=1.5"),
        (lambda: decayed_score([0.5], decay=1), "decay=1"),
        (lambda: flaky_probability(3, 2), "events=3 of n=2"),
        (lambda: flaky_probability(1, 2, tolerance=0.5), "less than 0.5"),
        (lambda: flaky_probability(1, 2, tolerance=0), "tolerance=0"),
        (lambda: judge_flakiness(1, 2, confidence=1), "confidence=1"),
        (lambda: failure_rate_when_good([(3, 2)]), "events=3 of n=2"),
        (lambda: hidden_by_retries(2, retries=1), "rate=2"),
        (lambda: hidden_by_retries(0.5, retries=-1), "retries=-1"),
    ],
)
def test_nonsense_is_refused(call: Callable[[], Any], words: str) -> None:
    """Impossible counts, shares and tolerances raise."""
    with pytest.raises(StatisticsError, match=words):
        call()
