"""How many trials a claim about one rate needs, asked before anything runs."""

from __future__ import annotations

import math

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import (
    require_confidence,
    require_count,
    require_rate,
    require_share,
)
from tierwise.stats.exact import upper_limit


def trials_needed(
    rate: float,
    *,
    confidence: float = 0.95,
    events: int = 0,
    sensitivity: float = 1.0,
    secrets: int = 1,
) -> int:
    """Return the smallest n at which `events` events still prove "less than `rate`".

    `sensitivity` and `secrets` mean what they mean in `zero_bound`.
    Population: that of the bound. Assumption: independent trials. Guarantee: exact; the upper
    bound lies below `rate` at n and not at n - 1. Reference: Clopper & Pearson 1934. Oracle:
    test_trials.py, a search over the beta quantile of scipy.stats.
    """
    limit = require_rate("rate", rate)
    alpha = (1.0 - require_confidence(confidence)) / require_count("secrets", secrets, least=1)
    allowed = require_count("events", events)
    if require_share("sensitivity", sensitivity) == 0.0:
        raise StatisticsError(
            "sensitivity=0: expected more than 0. No number of clean trials proves anything when "
            "the detector sees no event."
        )
    return _smallest_proof(limit * sensitivity, allowed, alpha)


def _smallest_proof(rate: float, events: int, alpha: float) -> int:
    """Bisect: for fixed events the upper limit falls as n grows."""
    failing = events
    proving = max(events + 1, math.ceil(math.log(alpha) / math.log1p(-rate)))
    while upper_limit(events, proving, alpha) >= rate:
        failing, proving = proving, proving * 2
    while proving - failing > 1:
        middle = (failing + proving) // 2
        if upper_limit(events, middle, alpha) < rate:
            proving = middle
        else:
            failing = middle
    return proving
