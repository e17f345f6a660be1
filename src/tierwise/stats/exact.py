"""Clopper-Pearson limits for real-valued counts: the kernel that other files share."""

from __future__ import annotations

import math

from tierwise.stats.distributions import beta_quantile


def upper_limit(x: float, n: float, alpha: float) -> float:
    """Return the p at which x or fewer events of n have probability alpha; 1 when x = n."""
    if x >= n:
        return 1.0
    if x <= 0.0:
        return -math.expm1(math.log(alpha) / n)
    return beta_quantile(1.0 - alpha, x + 1.0, n - x)


def lower_limit(x: float, n: float, alpha: float) -> float:
    """Return the p at which x or more events of n have probability alpha; 0 when x = 0."""
    if x <= 0.0:
        return 0.0
    if x >= n:
        return math.exp(math.log(alpha) / n)
    return beta_quantile(alpha, x, n - x + 1.0)
