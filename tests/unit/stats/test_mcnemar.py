from __future__ import annotations

import math

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binom, multinomial
from statsmodels.stats.contingency_tables import mcnemar

from tierwise.errors import StatisticsError
from tierwise.stats import Undetermined, bonett_price, mcnemar_test


@settings(max_examples=50)
@given(st.integers(0, 60), st.integers(0, 60))
def test_the_exact_test_agrees_with_statsmodels(b: int, c: int) -> None:
    """The exact p is twice the binomial tail, at most 1."""
    expected = mcnemar([[5, b], [c, 5]], exact=True).pvalue if b + c else 1.0
    assert mcnemar_test(b, c, method="exact").value == pytest.approx(expected, rel=1e-9)


@settings(max_examples=50)
@given(st.integers(0, 60), st.integers(0, 60))
def test_mid_p_takes_half_of_the_observed_outcome_off(b: int, c: int) -> None:
    """Mid-p is exact minus the point probability, with the rule for ties."""
    if b + c == 0:
        return
    point = binom.pmf(min(b, c), b + c, 0.5)
    exact = min(1.0, 2 * binom.cdf(min(b, c), b + c, 0.5))
    expected = 1 - point / 2 if b == c else exact - point
    assert mcnemar_test(b, c).value == pytest.approx(expected, rel=1e-9)


def test_large_counts_neither_overflow_nor_vanish() -> None:
    """Two thousand disagreements are counted exactly."""
    found = mcnemar_test(900, 1100, method="exact").value
    assert found == pytest.approx(2 * binom.cdf(900, 2000, 0.5), rel=1e-9)


def test_no_disagreement_is_said() -> None:
    """With nothing to compare p is 1 and the note says why."""
    found = mcnemar_test(0, 0)
    assert (found.value, found.note) == (1.0, "no disagreement")


def test_the_method_is_named() -> None:
    """A report can tell mid-p from exact."""
    names = [mcnemar_test(1, 7).method, mcnemar_test(1, 7, method="exact").method]
    assert names == ["mcnemar mid-p", "mcnemar exact"]


def test_bonett_price_adds_one_to_each_disagreement() -> None:
    """By hand for 1 and 7 of 20: 2/22 - 8/22 and its Wald width."""
    found = bonett_price(1, 7, 20)
    p1, p2 = 2 / 22, 8 / 22
    half = 1.959963984540054 * math.sqrt((p1 + p2 - (p1 - p2) ** 2) / 22)
    assert (found.low, found.high) == pytest.approx((p1 - p2 - half, p1 - p2 + half))


@pytest.mark.parametrize(("b", "c"), [(0.06, 0.01), (0.2, 0.2), (0.3, 0.1), (0.02, 0.0)])
def test_bonett_price_covers_near_what_it_promises(b: float, c: float) -> None:
    """Over all outcomes of 30 cases the coverage stays near 95 %."""
    covered = sum(
        multinomial.pmf([x, y, 30 - x - y], 30, [b, c, 1 - b - c])
        for x in range(31)
        for y in range(31 - x)
        if (b - c) in bonett_price(x, y, 30)
    )
    assert covered > 0.94


@settings(max_examples=40)
@given(st.integers(0, 20), st.integers(0, 20))
def test_bonett_price_stays_inside_and_mirrors(b: int, c: int) -> None:
    """The interval lies in [-1, 1] and swapping the systems mirrors it."""
    found, mirrored = bonett_price(b, c, max(1, b + c)), bonett_price(c, b, max(1, b + c))
    assert -1 <= found.low < found.high <= 1
    assert (found.low, found.high) == pytest.approx((-mirrored.high, -mirrored.low))


def test_no_case_is_undetermined() -> None:
    """Without cases there is no difference to bound."""
    assert isinstance(bonett_price(0, 0, 0), Undetermined)


def test_nonsense_is_refused() -> None:
    """Negative counts, unknown methods and more disagreements than cases raise."""
    with pytest.raises(StatisticsError, match="first_only=-1"):
        mcnemar_test(-1, 2)
    with pytest.raises(StatisticsError, match="expected one of: exact, mid-p"):
        mcnemar_test(1, 2, method="asymptotic")
    with pytest.raises(StatisticsError, match="sum to be at most n"):
        bonett_price(3, 3, 5)
    with pytest.raises(StatisticsError, match="first_only=-1"):
        bonett_price(-1, 2, 5)
    with pytest.raises(StatisticsError, match="second_only=-2"):
        bonett_price(1, -2, 5)
    with pytest.raises(StatisticsError, match="n=-5"):
        bonett_price(0, 0, -5)
    with pytest.raises(StatisticsError, match="confidence"):
        bonett_price(0, 0, 0, confidence=0)
