from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binom, norm, sem

from tierwise.errors import StatisticsError
from tierwise.stats import (
    Undetermined,
    correct_rate,
    judged_zero_bound,
    labels_needed,
    lower_bound,
    prediction_powered_mean,
    sensitivity_bound,
    zero_bound,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def test_false_flags_are_taken_out_and_the_raw_number_kept() -> None:
    """No flag at specificity .98 corrects below 0: clipped, and the raw value shown."""
    found = correct_rate(0, 299, caught=(90, 100), cleared=(98, 100))
    assert (found.rate, found.raw) == (0.0, pytest.approx(-0.02 / 0.88))
    assert found.interval.low == 0.0
    top = correct_rate(299, 299, caught=(90, 100), cleared=(98, 100))
    assert (top.rate, top.interval.high) == (1.0, 1.0)


def test_a_perfect_judge_changes_nothing() -> None:
    """With every label right the rate is what was flagged."""
    assert correct_rate(30, 100, caught=(50, 50), cleared=(50, 50)).rate == pytest.approx(0.3)


def test_the_correction_covers_near_what_it_promises() -> None:
    """Over all outcomes of a small calibration the interval holds the truth about 95 %."""
    truth, sensitivity, specificity = 0.3, 0.9, 0.8
    flagged = truth * sensitivity + (1 - truth) * (1 - specificity)
    covered = total = 0.0
    counts = itertools.product(range(41), range(10, 21), range(7, 21))
    for x, hits, passes in counts:
        weight = binom_weight(hits, 20, sensitivity) * binom_weight(passes, 20, specificity)
        weight *= binom_weight(x, 40, flagged)
        if weight < 1e-6:
            continue
        total += weight
        found = correct_rate(x, 40, caught=(hits, 20), cleared=(passes, 20))
        covered += weight * (truth in found.interval)
    assert total > 0.98
    assert covered / total > 0.945


def binom_weight(x: int, n: int, p: float) -> float:
    return math.comb(n, x) * p**x * (1 - p) ** (n - x)


@settings(max_examples=50)
@given(st.integers(0, 80), st.integers(60, 100), st.integers(60, 100))
def test_the_interval_lies_in_zero_to_one(flagged: int, hits: int, passes: int) -> None:
    """Rate and interval are clipped, and the method is named."""
    found = correct_rate(flagged, 80, caught=(hits, 100), cleared=(passes, 100))
    assert 0 <= found.interval.low <= found.interval.high <= 1
    assert 0 <= found.rate <= 1
    assert found.interval.method == "lang-reiczigel"


@pytest.mark.parametrize(
    ("sensitivity", "known"), [(0.3, 5), (0.3, 40), (0.9, 20), (0.9, 59), (1.0, 59)]
)
@pytest.mark.parametrize("rate", [0.002, 0.02, 0.2])
def test_a_judged_zero_bound_holds_with_the_judge_s_own_doubt(
    sensitivity: float, known: int, rate: float
) -> None:
    """Missed by at most 5 % of repetitions, calibration and run together."""
    n = 40
    clean = (1 - rate * sensitivity) ** n
    missed = sum(
        binom.pmf(hits, known, sensitivity) * clean
        for hits in range(1, known + 1)
        if judged_zero_bound(n, caught=hits, known=known).upper < rate
    )
    assert missed <= 0.05


def test_a_judged_zero_bound_is_weaker_than_a_perfect_one() -> None:
    """It carries both numbers, and splits the error between judge and run."""
    found = judged_zero_bound(299, caught=59, known=59)
    assert found.if_perfect == zero_bound(299)
    assert found.sensitivity_lower == lower_bound(59, 59, confidence=0.975)
    perfect = zero_bound(299, confidence=0.975)
    assert found.upper == pytest.approx(perfect / found.sensitivity_lower)


def test_a_judge_that_never_caught_anything_proves_nothing() -> None:
    """Sensitivity 0 of 59, unknown labels and no trial are undetermined."""
    assert isinstance(judged_zero_bound(299, caught=0, known=59), Undetermined)
    assert isinstance(judged_zero_bound(299, caught=0, known=0), Undetermined)
    assert isinstance(judged_zero_bound(0, caught=59, known=59), Undetermined)


def test_fifty_nine_known_events_show_95_percent() -> None:
    """59 caught of 59 pass .95 and 58 of 58 do not; the plan says so."""
    assert sensitivity_bound(58, 58) < 0.95 < sensitivity_bound(59, 59)
    assert labels_needed(0.95) == 59
    assert labels_needed(0.95, confidence=0.99) == 90
    assert isinstance(sensitivity_bound(0, 0), Undetermined)


def test_predictions_are_corrected_by_labels() -> None:
    """Mean of the judge plus mean slip, with both errors (scipy's sem)."""
    judged = [0.0, 1.0, 1.0, 0.0, 1.0, 1.0]
    labelled, labels = [1.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]
    slips = [a - b for a, b in zip(labels, labelled, strict=True)]
    centre = sum(judged) / 6 + sum(slips) / 4
    half = norm.ppf(0.95) * math.hypot(sem(judged), sem(slips))
    found = prediction_powered_mean(judged, labelled, labels, confidence=0.9)
    assert (found.low, found.high) == pytest.approx((centre - half, centre + half))


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: correct_rate(1, 5, caught=(0, 0), cleared=(1, 1)), "never compared"),
        (lambda: correct_rate(1, 5, caught=(1, 1), cleared=(0, 0)), "never compared"),
        (lambda: correct_rate(0, 0, caught=(1, 1), cleared=(1, 1)), "no item"),
        (lambda: prediction_powered_mean([1], [1, 0], [1, 0]), "fewer than 2"),
        (lambda: prediction_powered_mean([1, 0], [1], [1]), "fewer than 2"),
        (lambda: prediction_powered_mean([1, 1], [1, 1], [1, 1]), "agree exactly"),
    ],
)
def test_a_judge_of_unknown_quality_is_undetermined(call: Callable[[], Any], reason: str) -> None:
    """Labels of one kind only, no items, or no spread give a reason."""
    found = call()
    assert isinstance(found, Undetermined)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: correct_rate(1, 5, caught=(5, 10), cleared=(5, 10)), "no better than chance"),
        (lambda: correct_rate(6, 5, caught=(9, 10), cleared=(9, 10)), "events=6 of n=5"),
        (lambda: correct_rate(1, 5, caught=(11, 10), cleared=(9, 10)), "events=11 of n=10"),
        (lambda: correct_rate(1, 5, caught=(9, 10), cleared=(11, 10)), "events=11 of n=10"),
        (lambda: correct_rate(0, 0, caught=(1, 1), cleared=(1, 1), confidence=9), "confidence=9"),
        (lambda: judged_zero_bound(9, caught=3, known=2), "events=3 of n=2"),
        (lambda: judged_zero_bound(9, caught=0, known=0, confidence=1), "confidence=1"),
        (lambda: labels_needed(1.0), "sensitivity=1.0"),
        (lambda: prediction_powered_mean([1, 0], [1, 0], [1]), "2 and 1 values"),
        (lambda: prediction_powered_mean([1, math.nan], [1, 0], [1, 0]), "nan"),
        (lambda: prediction_powered_mean([1, 0], [1, 0], [1, math.nan]), r"labels\[1\]=nan"),
        (lambda: prediction_powered_mean([1], [1], [1], confidence=0), "confidence=0"),
    ],
)
def test_nonsense_is_refused(call: Callable[[], Any], words: str) -> None:
    """Impossible counts, and a judge that does no better than chance, raise."""
    with pytest.raises(StatisticsError, match=words):
        call()
