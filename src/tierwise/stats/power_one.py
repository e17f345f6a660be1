"""How many trials one system needs against a fixed number, by the exact binomial test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_alpha, require_confidence, require_rate, require_share
from tierwise.stats.distributions import binomial_cdf
from tierwise.stats.values import Undetermined

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_TRIALS = 100_000
_TOO_CLOSE = Undetermined(
    reason=f"the two rates are too close: more than {_MOST_TRIALS} trials would be needed"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselinePlan:
    """A fixed number of trials and the passes at or below which they alarm."""

    n: int
    alarm_at: int
    """So many passes or fewer say "worse than the baseline"."""
    false_alarm: float
    """Probability of an alarm when the pass rate is the baseline."""
    power: float
    """Probability of an alarm when the pass rate has fallen as far as asked."""


def plan_against_baseline(
    baseline: float,
    worse: float,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    lasting: bool = False,
) -> BaselinePlan | Undetermined:
    """Return the smallest exact one-sided plan that sees a fall from `baseline` to `worse`.

    Power is a sawtooth in n: with `lasting` no larger n falls below `power` again.
    Population: trials of the same kind. Assumption: independent trials, the baseline known and
    not measured. Guarantee: exact. Reference: binomial test; Chernick & Liu 2002 for the sawtooth.
    Oracle: test_power_one.py, scipy.stats.binom.
    """
    known = require_rate("baseline", baseline)
    fallen = require_share("worse", worse)
    if fallen >= known:
        raise StatisticsError(
            f"baseline={baseline!r} and worse={worse!r}: expected worse below the baseline."
        )
    plans = _walk_plans(known, fallen, require_alpha(alpha))
    target = require_alpha(power, name="power")
    return _find_lasting(plans, target) if lasting else _find_first(plans, target)


def trials_needed_at_least(
    rate_true: float, threshold: float, *, confidence: float = 0.95, power: float = 0.8
) -> int | Undetermined:
    """Return the trials after which "at least `threshold`" is proven with probability `power`.

    `rate_true` is what you believe the pass rate to be; at or below the threshold no number of
    trials is enough, which is undetermined.
    Population: trials of the same kind. Assumption: independent trials. Guarantee: exact for the
    gate `lower_bound(passes, n) >= threshold`. Reference: binomial test. Oracle:
    test_power_one.py, enumeration with lower_bound.
    """
    return trials_needed_less_than(
        1.0 - require_share("rate_true", rate_true),
        1.0 - require_rate("threshold", threshold),
        confidence=confidence,
        power=power,
    )


def trials_needed_less_than(
    rate_true: float, limit: float, *, confidence: float = 0.95, power: float = 0.8
) -> int | Undetermined:
    """Return the trials after which "at most `limit`" is proven with probability `power`.

    Population: trials of the same kind. Assumption: independent trials. Guarantee: exact for the
    gate `upper_bound(events, n) <= limit`. Reference: binomial test. Oracle: test_power_one.py,
    enumeration with upper_bound.
    """
    believed = require_share("rate_true", rate_true)
    tolerated = require_rate("limit", limit)
    alpha = 1.0 - require_confidence(confidence)
    target = require_alpha(power, name="power")
    if believed >= tolerated:
        return Undetermined(
            reason="the believed rate does not satisfy the claim, so no number of trials proves it"
        )
    plan = _find_first(_walk_plans(tolerated, believed, alpha), target)
    return plan if isinstance(plan, Undetermined) else plan.n


def _walk_plans(null: float, actual: float, alpha: float) -> Iterator[BaselinePlan]:
    """Yield the exact plan of each n; the critical count never falls as n grows."""
    critical = -1
    for n in range(1, _MOST_TRIALS + 1):
        while binomial_cdf(critical + 1, n, null) <= alpha:
            critical += 1
        while binomial_cdf(critical, n, null) > alpha:
            critical -= 1
        yield BaselinePlan(
            n=n,
            alarm_at=critical,
            false_alarm=binomial_cdf(critical, n, null),
            power=binomial_cdf(critical, n, actual),
        )


def _find_first(plans: Iterator[BaselinePlan], power: float) -> BaselinePlan | Undetermined:
    return next((plan for plan in plans if plan.power >= power), _TOO_CLOSE)


def _find_lasting(plans: Iterator[BaselinePlan], power: float) -> BaselinePlan | Undetermined:
    """Take the plan after the last dip: teeth shrink with n, so half as many more settle it."""
    found: BaselinePlan | None = None
    for plan in plans:
        if plan.power < power:
            found = None
        elif found is None:
            found = plan
        elif plan.n > 1.5 * found.n + 100:
            return found
    return _TOO_CLOSE
