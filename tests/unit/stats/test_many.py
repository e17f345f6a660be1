from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from tierwise.errors import StatisticsError
from tierwise.stats import (
    benjamini_hochberg,
    benjamini_yekutieli,
    bonferroni,
    e_bh,
    false_alarm_probability,
    hochberg,
    holm,
)

if TYPE_CHECKING:
    from collections.abc import Callable

METHODS = {
    "bonferroni": bonferroni,
    "holm": holm,
    "simes-hochberg": hochberg,
    "fdr_bh": benjamini_hochberg,
    "fdr_by": benjamini_yekutieli,
}
FAMILIES = [
    [0.04],
    [0.05, 0.01],
    [0.02, 0.5, 0.02, 0.001],
    [0.0, 1.0, 0.3, 0.3, 0.3],
    [0.011, 0.2, 0.049, 0.0004, 0.013, 0.9, 0.049],
]
FAMILY = st.lists(st.integers(0, 1000).map(lambda x: x / 1000), min_size=1, max_size=12)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("values", FAMILIES, ids=len)
def test_adjusted_values_agree_with_statsmodels(name: str, values: list[float]) -> None:
    """Each method, in the order asked, ties included."""
    expected = multipletests(values, method=name)[1]
    assert METHODS[name](values) == pytest.approx(tuple(expected))


@settings(max_examples=50)
@given(FAMILY)
def test_discovery_rates_agree_with_scipy(values: list[float]) -> None:
    """Both kinds equal scipy's."""
    assert benjamini_hochberg(values) == pytest.approx(tuple(false_discovery_control(values)))
    expected = false_discovery_control(values, method="by")
    assert benjamini_yekutieli(values) == pytest.approx(tuple(expected))


@settings(max_examples=50)
@given(FAMILY)
def test_stricter_methods_never_reject_more(values: list[float]) -> None:
    """Bonferroni above Holm above Hochberg above Benjamini-Hochberg above the raw value."""
    ladder = [bonferroni, holm, hochberg, benjamini_hochberg, tuple]
    for strict, loose in pairwise(ladder):
        pairs = zip(strict(values), loose(values), strict=True)
        assert all(1 >= a >= b - 1e-12 for a, b in pairs)


@settings(max_examples=50)
@given(st.lists(st.sampled_from([0.0, 5.0, 9.0, 10.0, 14.0, 20.0, 30.0, 40.0]), max_size=5))
def test_e_values_alarm_by_their_rank(values: list[float]) -> None:
    """The largest k whose k-th value reaches K / (k alpha), counted by hand."""
    ordered = sorted(values, reverse=True)
    most = max(
        (k for k in range(1, len(values) + 1) if ordered[k - 1] >= len(values) / (k * 0.1)),
        default=0,
    )
    found = e_bh(values, alpha=0.1)
    assert sum(found) == most
    assert len(found) == len(values)
    chosen = [e for e, alarm in zip(values, found, strict=True) if alarm]
    assert sorted(chosen, reverse=True) == ordered[:most]


@pytest.mark.parametrize(("values", "alarms"), [([10.0], 1), ([9.9], 0), ([10.0, 10.0], 2)])
def test_an_e_value_at_its_limit_is_an_alarm(values: list[float], alarms: int) -> None:
    """One value needs 1 / alpha; two may share what two would need."""
    assert sum(e_bh(values, alpha=0.1)) == alarms


def test_twenty_unadjusted_evals_cry_wolf() -> None:
    """64 % chance of a false alarm at .05; no eval, no alarm."""
    assert false_alarm_probability(20) == pytest.approx(0.64, abs=0.005)
    assert false_alarm_probability(0) == 0


@pytest.mark.parametrize("method", METHODS.values())
def test_an_empty_family_has_no_alarm(method: Callable[..., Any]) -> None:
    """Nothing asked, nothing adjusted."""
    assert method([]) == ()
    assert e_bh([]) == ()


@pytest.mark.parametrize("method", METHODS.values())
@pytest.mark.parametrize("value", [math.nan, -0.1, 1.1])
def test_an_impossible_p_value_is_refused(method: Callable[..., Any], value: float) -> None:
    """The refusal names the place."""
    with pytest.raises(StatisticsError, match=r"p_values\[1\]"):
        method([0.5, value])


def test_impossible_e_values_and_risks_are_refused() -> None:
    """Negative evidence and risks beyond 1 raise."""
    with pytest.raises(StatisticsError, match=r"e_values\[0\]"):
        e_bh([-1.0])
    with pytest.raises(StatisticsError, match="alpha"):
        e_bh([1.0], alpha=1)
    with pytest.raises(StatisticsError, match="alpha"):
        false_alarm_probability(3, alpha=0)
    with pytest.raises(StatisticsError, match="evals"):
        false_alarm_probability(-3)
