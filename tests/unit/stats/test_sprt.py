from __future__ import annotations

import itertools
import math

import pytest

from tierwise.domain import Verdict
from tierwise.errors import StatisticsError
from tierwise.stats import SequentialTest, wald_bounds


@pytest.mark.parametrize(
    ("good", "bad", "alpha", "beta"),
    [(0.95, 0.9, 0.05, 0.2), (0.999, 0.99, 0.05, 0.05), (0.9, 0.6, 0.1, 0.1)],
)
def test_true_error_rates_obey_wald(good: float, bad: float, alpha: float, beta: float) -> None:
    """By dynamic programming: each risk within Wald's bound and the sum within the sum."""
    plan = SequentialTest(good=good, bad=bad, alpha=alpha, beta=beta, cap=3000)
    when_good, when_bad = plan.characterise(good), plan.characterise(bad)
    assert max(when_good.undecided, when_bad.undecided) < 1e-3
    assert when_good.refuted <= alpha / (1 - beta)
    assert when_bad.proven <= beta / (1 - alpha)
    assert when_good.refuted + when_bad.proven <= alpha + beta


def test_a_single_risk_can_pass_its_nominal_value() -> None:
    """.999 against .99 at .05 each: the risk of proving the bad one is .0511."""
    plan = SequentialTest(good=0.999, bad=0.99, alpha=0.05, beta=0.05, cap=5000)
    assert plan.characterise(0.99).proven == pytest.approx(0.0511, abs=5e-5)


def test_it_needs_half_the_trials_of_a_fixed_plan() -> None:
    """.95 against .90: 84 trials on average when good and 102 when bad."""
    plan = SequentialTest(good=0.95, bad=0.9, cap=3000)
    means = [plan.characterise(rate).mean_trials for rate in (0.95, 0.9)]
    assert means == pytest.approx([84, 102], abs=0.6)


def test_the_characteristics_are_those_of_all_paths() -> None:
    """On a short cap every path is walked by hand."""
    plan = SequentialTest(good=0.9, bad=0.3, cap=6)
    ended = dict.fromkeys(Verdict, 0.0)
    mean = 0.0
    for path in itertools.product((0, 1), repeat=6):
        stop = next(n for n in range(1, 7) if plan.after(sum(path[:n]), n) is not None)
        weight = 0.3 ** sum(path) * 0.7 ** (6 - sum(path))
        ended[plan.after(sum(path[:stop]), stop)] += weight
        mean += weight * stop
    found = plan.characterise(0.7)
    assert (found.proven, found.refuted) == pytest.approx(
        (ended[Verdict.PROVEN], ended[Verdict.REFUTED])
    )
    assert (found.undecided, found.mean_trials) == pytest.approx((ended[Verdict.UNDECIDED], mean))
    assert found.undecided > 0


def test_at_the_cap_nothing_is_decided() -> None:
    """A test that runs out of trials is undecided, never proven."""
    plan = SequentialTest(good=0.95, bad=0.9, cap=28)
    assert (plan.after(0, 27), plan.after(0, 28)) == (None, Verdict.UNDECIDED)
    assert SequentialTest(good=0.95, bad=0.9, cap=29).after(0, 29) is Verdict.PROVEN


def test_the_bounds_are_straight_lines_in_fails() -> None:
    """Accept below s n - h1, reject above s n + h2, as in Wald's form."""
    plan = SequentialTest(good=0.95, bad=0.9, cap=400)
    slope_sum = math.log(0.1 / 0.05) + math.log(0.95 / 0.9)
    slope = math.log(0.95 / 0.9) / slope_sum
    low, high = math.log(0.2 / 0.95) / slope_sum, math.log(0.8 / 0.05) / slope_sum
    for n, fails in itertools.product((40, 100, 300), range(40)):
        expected = None
        if fails <= slope * n + low:
            expected = Verdict.PROVEN
        elif fails >= slope * n + high:
            expected = Verdict.REFUTED
        assert plan.after(fails, n) is expected


@pytest.mark.parametrize(
    "changed",
    [
        {"good": 0.9, "bad": 0.95},
        {"good": 0.9, "bad": 0.9},
        {"good": 1.0},
        {"bad": 0.0},
        {"cap": 0},
        {"alpha": 0.5, "beta": 0.5},
        {"alpha": 0.0},
        {"beta": 1.0},
    ],
)
def test_a_plan_that_cannot_decide_is_refused(changed: dict[str, float]) -> None:
    """Rates in the wrong order, at the ends, or risks that add up to 1 raise."""
    with pytest.raises(StatisticsError, match="expected"):
        SequentialTest(**{"good": 0.95, "bad": 0.9, "cap": 10, **changed})


def test_impossible_counts_are_refused() -> None:
    """More trials than the cap, more fails than trials, rates beyond 1 raise."""
    plan = SequentialTest(good=0.95, bad=0.9, cap=10)
    with pytest.raises(StatisticsError, match="cap of 10"):
        plan.after(0, 11)
    with pytest.raises(StatisticsError, match="events=3 of n=2"):
        plan.after(3, 2)
    with pytest.raises(StatisticsError, match="pass_rate"):
        plan.characterise(1.1)
    with pytest.raises(StatisticsError, match="sum below 1"):
        wald_bounds(alpha=0.6, beta=0.4)
