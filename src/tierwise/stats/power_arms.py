"""How many trials it takes to see that one of two systems is worse, without pairing."""

from __future__ import annotations

import math

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_alpha, require_count, require_rate
from tierwise.stats.distributions import normal_cdf, normal_quantile


def trials_per_arm(
    first: float,
    second: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    two_sided: bool = True,
    corrected: bool = False,
) -> int:
    """Return the trials that each of two systems needs for their rates to be told apart.

    `corrected` adds Fleiss's continuity correction: the number to plan when the gate is Fisher's
    exact test.
    Population: trials of the same kinds. Assumption: independent trials, equal arms. Guarantee:
    normal approximation, a few trials off. Reference: Fleiss, Levin & Paik 2003, ch. 4. Oracle:
    test_power_arms.py, statsmodels power_proportions_2indep.
    """
    p1, p2 = _require_two_rates(first, second)
    z_alpha = _critical(require_alpha(alpha), two_sided=two_sided)
    z_beta = normal_quantile(require_alpha(power, name="power"))
    gap = abs(p1 - p2)
    mean = (p1 + p2) / 2.0
    spread = z_alpha * math.sqrt(2.0 * mean * (1.0 - mean))
    spread += z_beta * math.sqrt(p1 * (1.0 - p1) + p2 * (1.0 - p2))
    n = (spread / gap) ** 2
    if corrected:
        n = n / 4.0 * (1.0 + math.sqrt(1.0 + 4.0 / (n * gap))) ** 2
    return math.ceil(n)


def power_of_arms(
    first: float, second: float, n: int, *, alpha: float = 0.05, two_sided: bool = True
) -> float:
    """Return the probability that n trials each tell the two rates apart.

    Population: trials of the same kinds. Assumption: independent trials, equal arms. Guarantee:
    normal approximation. Reference: Fleiss, Levin & Paik 2003, ch. 4. Oracle:
    test_power_arms.py, statsmodels power_proportions_2indep.
    """
    p1, p2 = _require_two_rates(first, second)
    trials = require_count("n", n, least=1)
    z = _critical(require_alpha(alpha), two_sided=two_sided)
    mean = (p1 + p2) / 2.0
    null = math.sqrt(2.0 * mean * (1.0 - mean))
    actual = math.sqrt(p1 * (1.0 - p1) + p2 * (1.0 - p2))
    shift = abs(p1 - p2) * math.sqrt(trials) / actual
    power = normal_cdf(shift - z * null / actual)
    return power + normal_cdf(-shift - z * null / actual) if two_sided else power


def _critical(alpha: float, *, two_sided: bool) -> float:
    return normal_quantile(1.0 - alpha / 2.0 if two_sided else 1.0 - alpha)


def _require_two_rates(first: float, second: float) -> tuple[float, float]:
    p1, p2 = require_rate("first", first), require_rate("second", second)
    if p1 == p2:
        raise StatisticsError(
            f"first={first!r} and second={second!r}: expected two different rates. "
            "No number of trials tells equal ones apart."
        )
    return p1, p2
