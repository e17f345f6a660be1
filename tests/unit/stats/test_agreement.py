from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from tierwise.errors import StatisticsError
from tierwise.stats import Undetermined, cohen_kappa


@st.composite
def tables(draw: st.DrawFn) -> list[list[int]]:
    size = draw(st.integers(2, 4))
    row = st.lists(st.integers(1, 30), min_size=size, max_size=size)
    return draw(st.lists(row, min_size=size, max_size=size))


@settings(max_examples=40)
@given(tables())
@pytest.mark.parametrize(("weights", "theirs"), [("none", None), ("quadratic", "quadratic")])
def test_kappa_and_its_error_agree_with_statsmodels(
    weights: str, theirs: str | None, table: list[list[int]]
) -> None:
    """Plain and quadratic kappa, on tables of several sizes."""
    expected = cohens_kappa(table, wt=theirs)
    found = cohen_kappa(table, weights=weights)
    assert found.kappa == pytest.approx(expected.kappa, abs=1e-12)
    assert found.error == pytest.approx(expected.std_kappa)
    ends = (found.interval.low, found.interval.high)
    assert ends == pytest.approx((expected.kappa_low, expected.kappa_upp))


def test_what_must_be_read_beside_kappa_travels_with_it() -> None:
    """90 % agreement and a kappa below 0: the marginals and recalls show why."""
    found = cohen_kappa([[90, 5], [5, 0]])
    assert found.kappa < 0
    assert found.observed == pytest.approx(0.9)
    assert found.row_shares == pytest.approx((0.95, 0.05))
    assert found.recalls == pytest.approx((90 / 95, 0.0))


def test_rows_and_columns_are_told_apart() -> None:
    """The first rater is in the rows: shares and recalls follow."""
    found = cohen_kappa([[8, 2], [0, 10]])
    assert found.row_shares == pytest.approx((0.5, 0.5))
    assert found.column_shares == pytest.approx((0.4, 0.6))
    assert found.recalls == pytest.approx((0.8, 1.0))


def test_a_category_the_first_rater_never_chose_has_no_recall() -> None:
    """Its recall is undetermined, not 0."""
    found = cohen_kappa([[5, 5], [0, 0]])
    assert found.recalls[0] == 0.5
    assert isinstance(found.recalls[1], Undetermined)


def test_perfect_agreement_has_no_zero_width() -> None:
    """Kappa is 1 and its error undetermined."""
    found = cohen_kappa([[10, 0], [0, 10]])
    assert found.kappa == pytest.approx(1)
    assert isinstance(found.error, Undetermined)
    assert isinstance(found.interval, Undetermined)


@pytest.mark.parametrize("table", [[[0, 0], [0, 0]], [[9, 0], [0, 0]]])
def test_no_items_or_one_category_is_undetermined(table: list[list[int]]) -> None:
    """Chance explains all, or there is nothing to explain."""
    assert isinstance(cohen_kappa(table), Undetermined)


@pytest.mark.parametrize("table", [[], [[1]], [[1, 2]], [[1, 2], [3]], [[1, 2], [3, -1]]])
def test_a_table_that_is_none_is_refused(table: list[list[int]]) -> None:
    """Ragged, one-sided or negative tables raise."""
    with pytest.raises(StatisticsError, match="expected"):
        cohen_kappa(table)


def test_other_nonsense_is_refused() -> None:
    """Unknown weights and impossible confidences raise."""
    with pytest.raises(StatisticsError, match="expected one of: none, quadratic"):
        cohen_kappa([[1, 2], [3, 4]], weights="linear")
    with pytest.raises(StatisticsError, match="confidence"):
        cohen_kappa([[1, 2], [3, 4]], confidence=0)
