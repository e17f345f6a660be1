from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import permutation_test, sem, ttest_rel

from tierwise.errors import StatisticsError
from tierwise.stats import Undetermined, compare_paired, mcnemar_test, sign_flip_test

FIRST = [0.9, 1, 0.6, 0.8, 0.7, 1, 0.5, 0.9]
SECOND = [0.8, 0.9, 0.6, 0.5, 0.6, 1, 0.4, 0.7]
EIGHTHS = st.integers(0, 8).map(lambda x: x / 8)


def test_the_paired_difference_agrees_with_scipy() -> None:
    """Difference, error, t, p and interval are those of the paired t test."""
    expected = ttest_rel(FIRST, SECOND)
    ends = expected.confidence_interval(0.9)
    found = compare_paired(FIRST, SECOND, confidence=0.9)
    assert found.error == pytest.approx(sem(np.array(FIRST) - np.array(SECOND)))
    assert (found.t, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert (found.interval.low, found.interval.high) == pytest.approx((ends.low, ends.high))
    assert found.difference == pytest.approx(np.mean(FIRST) - np.mean(SECOND))


def test_pairing_buys_precision() -> None:
    """The same numbers unpaired have nearly three times the error."""
    found = compare_paired(FIRST, SECOND)
    assert found.unpaired_error == pytest.approx(math.hypot(sem(FIRST), sem(SECOND)))
    assert found.unpaired_error > 2.5 * found.error


def test_few_pairs_are_cautioned() -> None:
    """Eight cases carry the caution that thirty do not."""
    assert compare_paired(FIRST, SECOND).interval.cautions != ()
    assert compare_paired(FIRST * 4, SECOND * 4).interval.cautions == ()


@settings(max_examples=40)
@given(st.lists(st.tuples(EIGHTHS, EIGHTHS), min_size=1, max_size=7))
def test_the_sign_flip_test_enumerates_all_flips(pairs: list[tuple[float, float]]) -> None:
    """The p-value is the share of sign patterns with a sum as far from 0."""
    differences = [a - b for a, b in pairs]
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(pairs))
    ]
    expected = sum(total >= abs(sum(differences)) for total in sums) / len(sums)
    found = sign_flip_test([a for a, _ in pairs], [b for _, b in pairs])
    assert found.value == pytest.approx(expected)


def test_the_sign_flip_test_agrees_with_scipy() -> None:
    """On graded scores the exact p is that of scipy's permutation test."""
    expected = permutation_test(
        (FIRST, SECOND), lambda a, b: np.mean(a - b), permutation_type="samples", vectorized=False
    )
    assert sign_flip_test(FIRST, SECOND).value == pytest.approx(expected.pvalue)


@settings(max_examples=20)
@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 3))
def test_on_pass_and_fail_it_is_the_exact_mcnemar_test(b: int, c: int, same: int) -> None:
    """With one 0/1 result per case both tests give one number."""
    first = [1] * b + [0] * c + [1] * (same + 1)
    second = [0] * b + [1] * c + [1] * (same + 1)
    expected = mcnemar_test(b, c, method="exact").value
    assert sign_flip_test(first, second).value == pytest.approx(expected)


def test_fewer_than_six_cases_never_reach_significance() -> None:
    """The least p of C cases is 2 / 2**C."""
    least = [sign_flip_test([1] * cases, [0] * cases).value for cases in (5, 6)]
    assert least == [0.0625, 0.03125]


def test_many_cases_are_drawn_from_the_seed() -> None:
    """Above 20 differing cases the p is drawn: repeatable, near the exact one, never 0."""
    first = [1.0] * 15 + [0.0] * 7
    second = [0.0] * 15 + [1.0] * 7
    found = sign_flip_test(first, second, seed=5)
    assert found == sign_flip_test(first, second, seed=5)
    assert found.value != sign_flip_test(first, second, seed=6).value
    assert found.value == pytest.approx(mcnemar_test(15, 7, method="exact").value, abs=0.015)
    assert "seed 5" in found.method
    assert sign_flip_test([1] * 30, [0] * 30).value == 1 / 10_000


def test_equal_cases_do_not_count_against_enumeration() -> None:
    """Only differing cases are flipped, so 20 of 100 are still exact."""
    found = sign_flip_test([1] * 20 + [0] * 80, [0] * 100)
    assert (found.value, found.method) == (2 / 2**20, "sign flip, exact")


def test_no_difference_at_all_gives_one() -> None:
    """Equal scores are no evidence, and the note says why."""
    found = sign_flip_test([1, 0, 1], [1, 0, 1])
    assert (found.value, found.note) == (1.0, "no case differs")


def test_rounding_does_not_hide_a_tie() -> None:
    """Differences of .3, .6, -.3 and -.5 sum to .1 and so do others, up to the last digit."""
    assert sign_flip_test([1.0, 0.6, 0.3, 0.1], [0.7, 0.0, 0.6, 0.6]).value == 1.0


@pytest.mark.parametrize(
    ("first", "second"), [([], []), ([1], [0]), ([1, 1, 1], [0, 0, 0]), ([0.3, 0.4], [0.1, 0.2])]
)
def test_a_difference_without_spread_is_undetermined(
    first: list[float], second: list[float]
) -> None:
    """One case, or cases that differ by the same amount, give no error of zero."""
    assert isinstance(compare_paired(first, second), Undetermined)


def test_no_case_leaves_the_sign_flip_test_undetermined() -> None:
    """Without a case there is nothing to flip."""
    assert isinstance(sign_flip_test([], []), Undetermined)


def test_nonsense_is_refused() -> None:
    """Cases that cannot be paired, NaN and too few draws raise."""
    with pytest.raises(StatisticsError, match="3 and 2 values"):
        compare_paired([1, 2, 3], [1, 2])
    with pytest.raises(StatisticsError, match="1 and 2 values"):
        sign_flip_test([1], [1, 2])
    with pytest.raises(StatisticsError, match=r"second\[1\]=nan"):
        sign_flip_test([1, 1], [1, math.nan])
    with pytest.raises(StatisticsError, match="at least 9999"):
        sign_flip_test([1], [0], resamples=100)
    with pytest.raises(StatisticsError, match="confidence"):
        compare_paired(FIRST, SECOND, confidence=1)
