from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.stats import binom

from tierwise.errors import StatisticsError
from tierwise.stats import (
    Undetermined,
    lower_bound,
    plan_against_baseline,
    trials_needed_at_least,
    trials_needed_less_than,
    upper_bound,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def exact_power(n: int, baseline: float, worse: float) -> tuple[int, float]:
    below = binom.cdf(np.arange(n + 1), n, baseline) <= 0.05
    alarm = int(below.sum()) - 1
    return alarm, float(binom.cdf(alarm, n, worse))


def test_the_first_plan_is_169_trials_for_95_against_90() -> None:
    """169 trials that alarm at 155 passes or fewer, with the exact risks."""
    plan = plan_against_baseline(0.95, 0.90)
    assert (plan.n, plan.alarm_at) == (169, 155)
    assert plan.false_alarm == pytest.approx(binom.cdf(155, 169, 0.95))
    assert plan.power == pytest.approx(binom.cdf(155, 169, 0.90))
    assert all(exact_power(n, 0.95, 0.90)[1] < 0.8 for n in range(100, 169))


def test_the_lasting_plan_has_no_dip_behind_it() -> None:
    """From 191 on the sawtooth never falls below .8 again, at 190 it still does."""
    plan = plan_against_baseline(0.95, 0.90, lasting=True)
    assert plan.n == 191
    assert exact_power(190, 0.95, 0.90)[1] < 0.8
    assert all(exact_power(n, 0.95, 0.90)[1] >= 0.8 for n in range(191, 500, 3))


@pytest.mark.parametrize(("baseline", "worse"), [(0.5, 0.2), (0.99, 0.9), (0.9, 0.0)])
def test_every_plan_is_exact(baseline: float, worse: float) -> None:
    """The alarm count and both risks are those of the binomial."""
    plan = plan_against_baseline(baseline, worse)
    alarm, power = exact_power(plan.n, baseline, worse)
    assert (plan.alarm_at, plan.power) == (alarm, pytest.approx(power))
    assert plan.false_alarm <= 0.05
    assert exact_power(plan.n - 1, baseline, worse)[1] < 0.8


@pytest.mark.parametrize(("believed", "threshold"), [(0.99, 0.9), (0.8, 0.5), (1.0, 0.95)])
def test_at_least_is_planned_for_its_own_gate(believed: float, threshold: float) -> None:
    """With the planned trials the lower bound reaches the threshold often enough."""
    n = trials_needed_at_least(believed, threshold)

    def proven(trials: int) -> float:
        return sum(
            binom.pmf(x, trials, believed)
            for x in range(trials + 1)
            if lower_bound(x, trials) >= threshold
        )

    assert proven(n) >= 0.8
    assert proven(n - 1) < 0.8


@pytest.mark.parametrize(("believed", "limit"), [(0.01, 0.05), (0.0, 0.01), (0.3, 0.5)])
def test_less_than_is_planned_for_its_own_gate(believed: float, limit: float) -> None:
    """With the planned trials the upper bound stays under the limit often enough."""
    n = trials_needed_less_than(believed, limit, power=0.9)

    def proven(trials: int) -> float:
        return sum(
            binom.pmf(x, trials, believed)
            for x in range(trials + 1)
            if upper_bound(x, trials) <= limit
        )

    assert proven(n) >= 0.9
    assert proven(n - 1) < 0.9


def test_a_subject_without_events_needs_the_clean_run_of_the_zero_bound() -> None:
    """Believing in rate 0, 299 trials show 1 % with certainty."""
    assert trials_needed_less_than(0.0, 0.01) == 299


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (lambda: trials_needed_at_least(0.9, 0.9), "does not satisfy"),
        (lambda: trials_needed_at_least(0.8, 0.9), "does not satisfy"),
        (lambda: trials_needed_less_than(0.2, 0.1), "does not satisfy"),
        (lambda: plan_against_baseline(0.5, 0.499), "too close"),
        (lambda: plan_against_baseline(0.5, 0.499, lasting=True), "too close"),
    ],
)
def test_what_no_number_of_trials_shows_is_undetermined(
    found: Callable[[], Any], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A claim that the belief contradicts, or rates too close to search, give a reason."""
    monkeypatch.setattr("tierwise.stats.power_one._MOST_TRIALS", 500)
    answer = found()
    assert isinstance(answer, Undetermined)
    assert reason in answer.reason


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: plan_against_baseline(0.9, 0.9), "expected worse below"),
        (lambda: plan_against_baseline(1.0, 0.9), "baseline=1.0"),
        (lambda: plan_against_baseline(0.9, -0.1), "worse=-0.1"),
        (lambda: plan_against_baseline(0.9, 0.8, power=0), "power=0"),
        (lambda: plan_against_baseline(0.9, 0.8, alpha=1), "alpha=1"),
        (lambda: trials_needed_at_least(1.1, 0.5), "rate_true=1.1"),
        (lambda: trials_needed_at_least(0.9, 1.0), "threshold=1.0"),
        (lambda: trials_needed_less_than(0.0, 0.0), "limit=0.0"),
        (lambda: trials_needed_less_than(0.0, 0.1, confidence=0), "confidence=0"),
        (lambda: trials_needed_less_than(0.2, 0.1, power=2), "power=2"),
    ],
)
def test_nonsense_is_refused(call: Callable[[], Any], words: str) -> None:
    """Each refusal names the argument as the caller wrote it."""
    with pytest.raises(StatisticsError, match=words):
        call()
