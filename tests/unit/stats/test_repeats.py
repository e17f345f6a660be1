from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from tierwise.errors import StatisticsError
from tierwise.stats import Undetermined, plan_error, weigh_repeats


def test_repeats_that_never_vary_tell_nothing_new() -> None:
    """When each case always ends the same way only the cases count."""
    found = weigh_repeats([[1, 1, 1], [0, 0, 0], [1, 1, 1]])
    assert found.intraclass_correlation == 1
    assert (found.design_effect, found.effective_trials) == (3, 3)


def test_cases_that_differ_less_than_chance_are_clipped() -> None:
    """A negative correlation counts as none: trials are worth at most themselves."""
    found = weigh_repeats([[1, 0], [0, 1], [1, 0]])
    assert (found.intraclass_correlation, found.design_effect, found.effective_trials) == (0, 1, 6)


def test_unequal_cases_use_the_average_size_of_the_anova() -> None:
    """By hand: [[1, 1], [1, 0, 0, 0]] has between 1/3 * 9/4, within 3/16, size 8/3."""
    between = 2 * (1 - 0.5) ** 2 + 4 * (0.25 - 0.5) ** 2
    within = 0.75 / 4
    size = 6 - (4 + 16) / 6
    expected = (between - within) / (between + (size - 1) * within)
    found = weigh_repeats([[1, 1], [1, 0, 0, 0]])
    assert found.intraclass_correlation == pytest.approx(expected)
    assert found.design_effect == pytest.approx(1 + (size - 1) * expected)


@pytest.mark.parametrize(
    ("cases", "trials", "error"), [(20, 15, 0.029), (60, 5, 0.019), (300, 1, 0.0126)]
)
def test_more_cases_beat_more_trials(cases: int, trials: int, error: float) -> None:
    """300 trials at intraclass correlation .3: the figures of the docs."""
    found = plan_error(0.95, cases=cases, trials=trials, intraclass_correlation=0.3)
    assert found == pytest.approx(error, rel=0.02)


@settings(max_examples=50)
@given(st.floats(0.05, 0.95), st.floats(0, 1), st.integers(1, 30), st.integers(1, 20))
def test_the_planned_error_is_that_of_a_two_stage_draw(
    rate: float, correlation: float, cases: int, trials: int
) -> None:
    """Variance between cases plus variance within, each over what shrinks it."""
    variance = rate * (1 - rate)
    expected = (variance * correlation + variance * (1 - correlation) / trials) / cases
    found = plan_error(rate, cases=cases, trials=trials, intraclass_correlation=correlation)
    assert found**2 == pytest.approx(expected)


@pytest.mark.parametrize(
    ("cases", "reason"),
    [
        ([], "2 cases"),
        ([[1, 0]], "2 cases"),
        ([[1], [0]], "no case was repeated"),
        ([[1, 1], [1, 1]], "the same"),
    ],
)
def test_what_cannot_be_judged_is_undetermined(cases: list[list[float]], reason: str) -> None:
    """One case, no repeats or no spread give a reason."""
    found = weigh_repeats(cases)
    assert isinstance(found, Undetermined)
    assert reason in found.reason


@pytest.mark.parametrize(
    "changed", [{"cases": 0}, {"trials": 0}, {"intraclass_correlation": 1.1}, {"rate": 2}]
)
def test_an_impossible_plan_is_refused(changed: dict[str, float]) -> None:
    """Counts start at 1 and shares end at 1."""
    plan = {"rate": 0.5, "cases": 2, "trials": 2, "intraclass_correlation": 0.1, **changed}
    with pytest.raises(StatisticsError, match="expected"):
        plan_error(plan.pop("rate"), **plan)
