from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scipy.stats import multinomial

from tierwise.errors import StatisticsError
from tierwise.stats import mcnemar_test, pairs_needed, power_of_mcnemar

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("method", ["exact", "mid-p"])
@pytest.mark.parametrize(("b", "c", "n"), [(0.3, 0.05, 30), (0.1, 0.0, 25), (0.2, 0.2, 20)])
def test_power_is_that_of_the_trinomial(b: float, c: float, n: int, method: str) -> None:
    """Summing over all outcomes that the test rejects gives the same power."""
    expected = sum(
        multinomial.pmf([x, y, n - x - y], n, [b, c, 1 - b - c])
        for x in range(n + 1)
        for y in range(n + 1 - x)
        if mcnemar_test(x, y, method=method).value <= 0.05
    )
    assert power_of_mcnemar(b, c, n, method=method) == pytest.approx(expected, rel=1e-7, abs=1e-12)


def test_the_numbers_of_pairs_in_the_docs() -> None:
    """Perfect nesting needs 155 pairs; no gain from pairing needs 438."""
    assert (pairs_needed(0.05, 0.0), pairs_needed(0.095, 0.045)) == (155, 438)


@pytest.mark.parametrize(("method", "first"), [("exact", 228), ("mid-p", 199)])
def test_where_the_exact_power_first_reaches_four_fifths(method: str, first: int) -> None:
    """Exact McNemar needs 228 pairs where mid-p needs 199."""
    powers = [power_of_mcnemar(0.06, 0.01, n, method=method) for n in (first - 1, first)]
    assert powers[0] < 0.8 <= powers[1]


def test_systems_that_never_disagree_have_no_power() -> None:
    """Without disagreement nothing is ever rejected."""
    assert power_of_mcnemar(0.0, 0.0, 50) == 0.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pairs_needed(0.1, 0.1), "two different shares"),
        (lambda: pairs_needed(0.6, 0.5), "sum to be at most 1"),
        (lambda: pairs_needed(0.6, 0.1, alpha=0), "alpha=0"),
        (lambda: pairs_needed(0.6, 0.1, power=1), "power=1"),
        (lambda: power_of_mcnemar(0.6, 0.1, 0), "n=0"),
        (lambda: power_of_mcnemar(-0.6, 0.1, 5), "first_only=-0.6"),
        (lambda: power_of_mcnemar(0.6, 0.1, 5, method="asymptotic"), "exact, mid-p"),
        (lambda: power_of_mcnemar(0.6, 0.1, 5, alpha=2), "alpha=2"),
    ],
)
def test_nonsense_is_refused(call: Callable[[], Any], words: str) -> None:
    """Equal shares, shares beyond 1 and impossible risks raise."""
    with pytest.raises(StatisticsError, match=words):
        call()
