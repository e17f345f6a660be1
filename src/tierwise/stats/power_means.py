"""How many cases a difference of mean scores needs, and what a given number can see."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_alpha, require_count, require_number
from tierwise.stats.distributions import normal_quantile


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSpread:
    """Where the variance of a paired difference of scores comes from."""

    between_cases: float
    """Variance over cases of the true difference."""
    first_noise: float = 0.0
    """Variance of one trial around its case's mean, first system."""
    second_noise: float = 0.0
    first_trials: int = 1
    """Trials of each case, first system; more shrink the noise only."""
    second_trials: int = 1

    def __post_init__(self) -> None:
        """Refuse negative variances and cases without a trial."""
        for name in ("between_cases", "first_noise", "second_noise"):
            if require_number(name, getattr(self, name)) < 0.0:
                raise StatisticsError(f"{name}={getattr(self, name)!r}: expected 0 or more.")
        require_count("first_trials", self.first_trials, least=1)
        require_count("second_trials", self.second_trials, least=1)

    @property
    def per_case(self) -> float:
        """Variance of one case's observed difference."""
        noise = self.first_noise / self.first_trials + self.second_noise / self.second_trials
        return self.between_cases + noise


def cases_needed(
    effect: float, spread: ScoreSpread, *, alpha: float = 0.05, power: float = 0.8
) -> int:
    """Return the cases at which a paired difference of `effect` is seen (two-sided).

    Population: cases like these. Assumption: independent cases, known variances. Guarantee:
    normal approximation. Reference: Miller 2024, arXiv 2411.00640, section 5. Oracle:
    test_power_means.py, statsmodels NormalIndPower.
    """
    size = abs(require_number("effect", effect))
    if size == 0.0:
        raise StatisticsError("effect=0: expected a difference; none is never seen.")
    return max(1, math.ceil(_reach(alpha, power) ** 2 * spread.per_case / size**2))


def detectable_effect(
    cases: int, spread: ScoreSpread, *, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Return the smallest paired difference that so many cases see with `power` (two-sided).

    Population: cases like these. Assumption: independent cases, known variances. Guarantee:
    normal approximation. Reference: Miller 2024, arXiv 2411.00640, section 5. Oracle:
    test_power_means.py, the inverse of cases_needed.
    """
    count = require_count("cases", cases, least=1)
    return _reach(alpha, power) * math.sqrt(spread.per_case / count)


def _reach(alpha: float, power: float) -> float:
    z_alpha = normal_quantile(1.0 - require_alpha(alpha) / 2.0)
    return z_alpha + normal_quantile(require_alpha(power, name="power"))
