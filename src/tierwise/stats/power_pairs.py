"""How many cases it takes to see a difference when both systems run the same ones."""

from __future__ import annotations

import math
from typing import Literal

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_alpha, require_count, require_share
from tierwise.stats.distributions import binomial_cdf, normal_quantile
from tierwise.stats.mcnemar import mcnemar_p_values


def pairs_needed(
    first_only: float, second_only: float, *, alpha: float = 0.05, power: float = 0.8
) -> int:
    """Return the cases needed, from the shares of cases that only one of the two passes.

    Population: cases like these. Assumption: independent cases, one result of each system.
    Guarantee: normal approximation; `power_of_mcnemar` is exact. Reference: Connor 1987. Oracle:
    test_power_pairs.py, exact power.
    """
    b, c = _require_discordance(first_only, second_only)
    if b == c:
        raise StatisticsError(
            f"first_only={first_only!r} and second_only={second_only!r}: expected two different "
            "shares. No number of cases tells equal systems apart."
        )
    z_alpha = normal_quantile(1.0 - require_alpha(alpha) / 2.0)
    z_beta = normal_quantile(require_alpha(power, name="power"))
    total, gap = b + c, abs(b - c)
    spread = z_alpha * math.sqrt(total) + z_beta * math.sqrt(max(0.0, total - gap * gap))
    return math.ceil((spread / gap) ** 2)


def power_of_mcnemar(
    first_only: float,
    second_only: float,
    n: int,
    *,
    alpha: float = 0.05,
    method: Literal["mid-p", "exact"] = "mid-p",
) -> float:
    """Return the probability that McNemar's test on n cases rejects "equally often".

    Population: cases like these. Assumption: independent cases, one result of each system.
    Guarantee: exact, by enumeration. Reference: Fagerland, Lydersen & Laake 2013. Oracle:
    test_power_pairs.py, the trinomial enumerated.
    """
    b, c = _require_discordance(first_only, second_only)
    cases = require_count("n", n, least=1)
    level = require_alpha(alpha)
    if method not in ("mid-p", "exact"):
        raise StatisticsError(f"method={method!r}: expected one of: exact, mid-p.")
    if b + c == 0.0:
        return 0.0
    power, fewer = 0.0, -1
    for total in range(1, cases + 1):
        while _rejects(fewer + 1, total, level, method):
            fewer += 1
        while fewer >= 0 and not _rejects(fewer, total, level, method):
            fewer -= 1
        weight = binomial_cdf(total, cases, b + c) - binomial_cdf(total - 1, cases, b + c)
        tails = binomial_cdf(fewer, total, b / (b + c)) + binomial_cdf(fewer, total, c / (b + c))
        power += weight * tails
    return power


def _rejects(fewer: int, total: int, alpha: float, method: str) -> bool:
    exact, mid = mcnemar_p_values(fewer, total)
    return (exact if method == "exact" else mid) <= alpha


def _require_discordance(first_only: float, second_only: float) -> tuple[float, float]:
    b = require_share("first_only", first_only)
    c = require_share("second_only", second_only)
    if b + c > 1.0:
        raise StatisticsError(
            f"first_only={first_only!r} and second_only={second_only!r}: expected their sum to be "
            "at most 1."
        )
    return b, c
