from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep

from tierwise.errors import StatisticsError
from tierwise.stats import Undetermined, agresti_caffo, newcombe

if TYPE_CHECKING:
    from collections.abc import Callable


@st.composite
def arms(draw: st.DrawFn) -> tuple[int, int]:
    n = draw(st.integers(1, 200))
    return draw(st.integers(0, n)), n


@settings(max_examples=50)
@given(arms(), arms())
@pytest.mark.parametrize(
    ("method", "theirs"), [(newcombe, "newcomb"), (agresti_caffo, "agresti-caffo")]
)
def test_the_difference_agrees_with_statsmodels(
    method: Callable[..., Any], theirs: str, first: tuple[int, int], second: tuple[int, int]
) -> None:
    """Both intervals of the difference equal those of statsmodels."""
    low, high = confint_proportions_2indep(*first, *second, method=theirs, alpha=0.1)
    found = method(first, second, confidence=0.9)
    expected = (max(-1, low), min(1, high))
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)
    assert -1 <= found.low < found.high <= 1


@pytest.mark.parametrize("method", [newcombe, agresti_caffo])
def test_an_arm_without_trials_is_undetermined(method: Callable[..., Any]) -> None:
    """Either side empty leaves the difference unknown."""
    assert isinstance(method((0, 0), (1, 2)), Undetermined)
    assert isinstance(method((1, 2), (0, 0)), Undetermined)


@pytest.mark.parametrize("method", [newcombe, agresti_caffo])
def test_nonsense_is_refused(method: Callable[..., Any]) -> None:
    """Impossible counts and confidences raise on either side."""
    for first, second in [((3, 2), (1, 2)), ((1, 2), (3, 2))]:
        with pytest.raises(StatisticsError, match="events=3 of n=2"):
            method(first, second)
    with pytest.raises(StatisticsError, match="confidence"):
        method((1, 2), (1, 2), confidence=95)
