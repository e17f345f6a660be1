"""Rates seen through a judge that errs: corrected for reports, weakened for zero tolerance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean, variance
from typing import TYPE_CHECKING

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import (
    require_confidence,
    require_events,
    require_numbers,
    require_rate,
    require_same_length,
)
from tierwise.stats.distributions import normal_quantile
from tierwise.stats.intervals import lower_bound
from tierwise.stats.trials import trials_needed
from tierwise.stats.values import Interval, Undetermined
from tierwise.stats.zero import zero_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

_MIN_LABELS = 2
_NO_LABELS = Undetermined(
    reason="the judge was never compared with labels of both kinds, so its errors are unknown"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedRate:
    """A rate after the judge's known errors are taken out."""

    rate: float
    """Clipped to 0 and 1."""
    raw: float
    """Before clipping; outside 0 to 1 the judge's errors explain more than was flagged."""
    interval: Interval


def correct_rate(
    flagged: int,
    n: int,
    *,
    caught: tuple[int, int],
    cleared: tuple[int, int],
    confidence: float = 0.95,
) -> CorrectedRate | Undetermined:
    """Return the true rate behind `flagged` of n, from how the judge did on labelled items.

    `caught` is (flagged, all) of the labelled events, `cleared` is (unflagged, all) of the
    labelled non-events. Not for zero tolerance: use `judged_zero_bound` there. A judge no better
    than chance is refused.
    Population: items like these. Assumption: independent items, labels from the same kind of
    items. Guarantee: coverage near `confidence`. Reference: Rogan & Gladen 1978; Lang & Reiczigel
    2014. Oracle: test_judges.py, coverage by enumeration; scipy.stats.
    """
    x, trials = require_events(flagged, n)
    (hits, m1), (passes, m0) = require_events(*caught), require_events(*cleared)
    z = normal_quantile((1.0 + require_confidence(confidence)) / 2.0)
    if not m1 or not m0:
        return _NO_LABELS
    if not trials:
        return Undetermined(reason="no item was judged")
    sensitivity, specificity = hits / m1, passes / m0
    if sensitivity + specificity <= 1.0:
        raise StatisticsError(
            f"sensitivity={sensitivity:g} and specificity={specificity:g}: expected a sum above "
            "1. This judge does no better than chance; nothing can be corrected."
        )
    raw = (x / trials + specificity - 1.0) / (sensitivity + specificity - 1.0)
    low, high = _lang_reiczigel(x, trials, (hits, m1), (passes, m0), z=z)
    interval = Interval(
        low=_clip(low), high=_clip(high), confidence=confidence, method="lang-reiczigel"
    )
    return CorrectedRate(rate=_clip(raw), raw=raw, interval=interval)


def _lang_reiczigel(
    x: int, n: int, caught: tuple[int, int], cleared: tuple[int, int], *, z: float
) -> tuple[float, float]:
    (hits, m1), (passes, m0) = caught, cleared
    sensitivity, specificity = (hits + 1) / (m1 + 2), (passes + 1) / (m0 + 2)
    flagged = (x + z * z / 2) / (n + z * z)
    informed = sensitivity + specificity - 1
    rate = (flagged + specificity - 1) / informed
    miss = sensitivity * (1 - sensitivity) / (m1 + 2)
    false = specificity * (1 - specificity) / (m0 + 2)
    shift = 2 * z * z * (rate * miss - (1 - rate) * false)
    spread = flagged * (1 - flagged) / (n + z * z) + rate**2 * miss + (1 - rate) ** 2 * false
    half = z * math.sqrt(spread) / informed
    return rate + shift - half, rate + shift + half


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedZeroBound:
    """What a clean run proves when the detector is a judge."""

    upper: float
    """Bound on the true rate; holds jointly with the sensitivity below."""
    sensitivity_lower: float
    if_perfect: float
    """The bound that the same run would give with a detector that misses nothing."""


def judged_zero_bound(
    n: int, *, caught: int, known: int, confidence: float = 0.95
) -> JudgedZeroBound | Undetermined:
    """Return the bound after n trials without a flag, by a judge that caught `caught` of `known`.

    Half of the error goes to the judge's sensitivity, half to the clean run, so that both hold
    together. 59 known events all caught show a sensitivity above .95 (one-sided, alone).
    Population: trials of the same kind. Assumption: independent trials and labels, known events
    like the ones to be found. Guarantee: exact, conservative (Bonferroni). Reference: Clopper &
    Pearson 1934. Oracle: test_judges.py, coverage by enumeration.
    """
    hits, labels = require_events(caught, known)
    half = (1.0 + require_confidence(confidence)) / 2.0
    if not labels:
        return _NO_LABELS
    sensitivity = lower_bound(hits, labels, confidence=half)
    perfect = zero_bound(n, confidence=confidence)
    if isinstance(perfect, Undetermined) or isinstance(sensitivity, Undetermined):
        return Undetermined(reason="no trial was judged")
    upper = zero_bound(n, confidence=half, sensitivity=sensitivity)
    if isinstance(upper, Undetermined):
        return upper
    return JudgedZeroBound(upper=upper, sensitivity_lower=sensitivity, if_perfect=perfect)


def sensitivity_bound(
    caught: int, known: int, *, confidence: float = 0.95
) -> float | Undetermined:
    """Return the lower bound of a judge's sensitivity from labelled events.

    Population: events like the labelled ones. Assumption: independent labels. Guarantee: exact,
    one-sided. Reference: Clopper & Pearson 1934. Oracle: test_judges.py, lower_bound.
    """
    found = lower_bound(caught, known, confidence=confidence)
    return _NO_LABELS if isinstance(found, Undetermined) else found


def prediction_powered_mean(
    judged: Sequence[float],
    labelled: Sequence[float],
    labels: Sequence[float],
    *,
    confidence: float = 0.95,
) -> Interval | Undetermined:
    """Return the interval of the mean true score from many judged and few labelled items.

    `judged` holds the judge's scores of unlabelled items; `labelled` its scores of the items
    whose true scores are `labels`.
    Population: items like these. Assumption: independent items, labelled ones drawn at random.
    Guarantee: coverage `confidence` for large samples, however wrong the judge is. Reference:
    Angelopoulos et al. 2023. Oracle: test_judges.py, scipy.stats.sem.
    """
    scores = require_numbers("judged", judged)
    guesses, truths = require_numbers("labelled", labelled), require_numbers("labels", labels)
    require_same_length(guesses, truths, names="labelled and labels")
    level = require_confidence(confidence)
    if len(scores) < _MIN_LABELS or len(truths) < _MIN_LABELS:
        return Undetermined(reason="fewer than 2 judged or 2 labelled items")
    slips = [truth - guess for truth, guess in zip(truths, guesses, strict=True)]
    spread = variance(scores) / len(scores) + variance(slips) / len(slips)
    if math.isclose(spread, 0.0, abs_tol=1e-15):
        return Undetermined(reason="all scores agree exactly, which is not the same as no error")
    mean = fmean(scores) + fmean(slips)
    half = normal_quantile((1.0 + level) / 2.0) * math.sqrt(spread)
    return Interval(
        low=mean - half, high=mean + half, confidence=level, method="prediction-powered"
    )


def labels_needed(sensitivity: float, *, confidence: float = 0.95) -> int:
    """Return how many known events a judge must all catch to show more than `sensitivity`.

    Population: events like the labelled ones. Assumption: independent labels. Guarantee: exact.
    Reference: Clopper & Pearson 1934. Oracle: test_judges.py, sensitivity_bound.
    """
    return trials_needed(1.0 - require_rate("sensitivity", sensitivity), confidence=confidence)


def _clip(rate: float) -> float:
    return min(1.0, max(0.0, rate))
