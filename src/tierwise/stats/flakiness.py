"""Is a test flaky, or merely broken, or not yet known?"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from tierwise.domain import Verdict
from tierwise.errors import StatisticsError
from tierwise.stats.arguments import (
    require_confidence,
    require_count,
    require_events,
    require_rate,
    require_share,
)
from tierwise.stats.distributions import beta_cdf
from tierwise.stats.intervals import jeffreys
from tierwise.stats.values import Interval, Undetermined

if TYPE_CHECKING:
    from collections.abc import Sequence

_PRIOR = 0.5
_MIN_RUNS = 2
_MOST_TOLERANCE = 0.5


def outcome_entropy(fails: int, n: int) -> float | Undetermined:
    """Return the entropy in bits of pass and fail on one version of the code: 0 if all agree.

    A test that always fails has entropy 0: broken, not flaky.
    Population: runs of one test on one version. Assumption: none. Guarantee: a description, no
    inference. Reference: Kowalczyk et al. 2020. Oracle: test_flakiness.py, scipy.stats.entropy.
    """
    failed, runs = require_events(fails, n)
    if not runs:
        return Undetermined(reason="the test never ran")
    shares = (failed / runs, 1.0 - failed / runs)
    return math.fsum(-share * math.log2(share) for share in shares if share > 0.0)


def flip_rate(outcomes: Sequence[bool]) -> float | Undetermined:
    """Return how often a run ended differently from the one before it.

    Population: runs of one test on one version, in order. Assumption: none. Guarantee: a
    description, no inference; fewer than 2 runs are undetermined. Reference: Kowalczyk et al.
    2020. Oracle: test_flakiness.py, by hand.
    """
    if len(outcomes) < _MIN_RUNS:
        return Undetermined(reason="fewer than 2 runs: nothing can have flipped")
    flips = sum(bool(before) != bool(after) for before, after in pairwise(outcomes))
    return flips / (len(outcomes) - 1)


def decayed_score(scores: Sequence[float], *, decay: float = 0.5) -> float | Undetermined:
    """Return the mean of a score per version, newest first, each version weighing `decay` less.

    Population: versions of one test. Assumption: none. Guarantee: a description, no inference.
    Reference: Kowalczyk et al. 2020. Oracle: test_flakiness.py, by hand.
    """
    factor = require_rate("decay", decay)
    shares = [require_share(f"scores[{i}]", score) for i, score in enumerate(scores)]
    if not shares:
        return Undetermined(reason="no version was scored")
    weights = [factor**age for age in range(len(shares))]
    return math.fsum(w * s for w, s in zip(weights, shares, strict=True)) / math.fsum(weights)


def flaky_probability(fails: int, n: int, *, tolerance: float = 0.01) -> float | Undetermined:
    """Return the belief that the rate of failing is neither near 0 nor near 1.

    Near means within `tolerance`.
    Population: runs of one test on unchanged code. Assumption: independent runs; prior
    Beta(1/2, 1/2). Guarantee: Bayesian. Reference: Jeffreys prior. Oracle: test_flakiness.py,
    scipy.stats.beta.
    """
    failed, runs = require_events(fails, n)
    edge = require_rate("tolerance", tolerance)
    if edge >= _MOST_TOLERANCE:
        raise StatisticsError(f"tolerance={tolerance!r}: expected less than 0.5.")
    if not runs:
        return Undetermined(reason="the test never ran")
    a, b = _PRIOR + failed, _PRIOR + runs - failed
    return beta_cdf(1.0 - edge, a, b) - beta_cdf(edge, a, b)


def judge_flakiness(
    fails: int, n: int, *, confidence: float = 0.95, tolerance: float = 0.01
) -> Verdict:
    """Return the verdict on "this test is flaky"; few runs leave it undecided.

    Population, assumption, guarantee: those of `flaky_probability`. Reference: as there. Oracle:
    test_flakiness.py, scipy.stats.beta.
    """
    level = require_confidence(confidence)
    belief = flaky_probability(fails, n, tolerance=tolerance)
    if isinstance(belief, Undetermined):
        return Verdict.UNDECIDED
    if belief > level:
        return Verdict.PROVEN
    return Verdict.REFUTED if belief < 1.0 - level else Verdict.UNDECIDED


def failure_rate_when_good(
    per_version: Sequence[tuple[int, int]], *, confidence: float = 0.95
) -> Interval | Undetermined:
    """Return the rate of failing on versions that are good: those with at least one pass.

    `per_version` holds (fails, n) of each version.
    Population: runs on good versions. Assumption: independent runs; a version with a pass is
    good. Guarantee: Bayesian, a simple form of a two-state model. Reference: probabilistic
    flakiness score, Meta 2020. Oracle: test_flakiness.py, jeffreys.
    """
    counts = [require_events(fails, n) for fails, n in per_version]
    good = [(fails, n) for fails, n in counts if fails < n]
    if not good:
        return Undetermined(reason="no version ever passed: broken or unknown, not flaky")
    return jeffreys(sum(f for f, _ in good), sum(n for _, n in good), confidence=confidence)


def hidden_by_retries(rate: float, *, retries: int) -> float:
    """Return how often a test that fails at `rate` stays red when retried: what a report hides.

    Population: runs of one test. Assumption: independent runs. Guarantee: exact. Reference:
    rate**(retries + 1). Oracle: test_flakiness.py, by hand.
    """
    share = require_share("rate", rate)
    return float(share ** (require_count("retries", retries) + 1))
