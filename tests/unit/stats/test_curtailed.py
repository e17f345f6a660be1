from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings, strategies as st

from tierwise.domain import Verdict
from tierwise.errors import StatisticsError
from tierwise.stats import CurtailedPlan


@settings(max_examples=40)
@given(st.integers(1, 8), st.data())
def test_every_path_ends_in_the_verdict_of_the_whole_plan(n: int, data: st.DataObject) -> None:
    """Stopping early never changes what all trials would have said."""
    plan = CurtailedPlan(n=n, allowed=data.draw(st.integers(0, n - 1)))
    for path in itertools.product((0, 1), repeat=n):
        verdicts = [plan.after(sum(path[:seen]), seen) for seen in range(n + 1)]
        first = next(verdict for verdict in verdicts if verdict is not None)
        assert first is (Verdict.PROVEN if sum(path) <= plan.allowed else Verdict.REFUTED)


def test_it_stops_at_the_first_moment_that_is_certain() -> None:
    """Refuted at the event too many; proven when the rest cannot change it; else open."""
    plan = CurtailedPlan(n=10, allowed=2)
    assert plan.after(3, 3) is Verdict.REFUTED
    assert plan.after(2, 9) is None
    assert plan.after(1, 9) is Verdict.PROVEN
    assert plan.after(0, 0) is None


def test_zero_tolerance_runs_to_the_end_when_clean() -> None:
    """298 clean trials of 299 leave it open, the last one proves it."""
    plan = CurtailedPlan(n=299)
    assert (plan.after(0, 298), plan.after(0, 299)) == (None, Verdict.PROVEN)


@pytest.mark.parametrize(("rate", "mean"), [(0.05, 20), (0.01, 95), (0.0, 299), (1.0, 1)])
def test_a_leaker_is_stopped_early(rate: float, mean: float) -> None:
    """The mean trials of the 299 plan: 20 at 5 %, 95 at 1 %."""
    assert CurtailedPlan(n=299).expect_trials(rate) == pytest.approx(mean, rel=0.01)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8])
def test_the_mean_is_that_of_all_paths(rate: float) -> None:
    """With allowed events the mean equals the sum over every path."""
    plan = CurtailedPlan(n=7, allowed=2)
    mean = 0.0
    for path in itertools.product((0, 1), repeat=7):
        stop = next(s for s in range(8) if plan.after(sum(path[:s]), s) is not None)
        mean += stop * rate ** sum(path) * (1 - rate) ** (7 - sum(path))
    assert plan.expect_trials(rate) == pytest.approx(mean)


@pytest.mark.parametrize(("n", "allowed"), [(0, 0), (-1, 0), (5, 5), (5, -1), (2.5, 0)])
def test_a_plan_that_decides_nothing_is_refused(n: int, allowed: int) -> None:
    """An empty plan and one that allows everything raise."""
    with pytest.raises(StatisticsError, match="expected"):
        CurtailedPlan(n=n, allowed=allowed)


def test_more_trials_than_planned_are_refused() -> None:
    """Running on after the plan's end needs a new plan; so do impossible counts."""
    plan = CurtailedPlan(n=10)
    with pytest.raises(StatisticsError, match="new plan"):
        plan.after(0, 11)
    with pytest.raises(StatisticsError, match="events=3 of n=2"):
        plan.after(3, 2)
    with pytest.raises(StatisticsError, match="rate"):
        plan.expect_trials(1.5)
