"""Evidence that may be multiplied: e-values against "the rate is p or more"."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_events, require_number, require_rate
from tierwise.stats.distributions import beta_cdf
from tierwise.stats.values import Undetermined

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGEST_EXPONENT = 700.0


def zero_e_value(events: int, n: int, *, rate: float) -> float:
    """Return the wealth of betting everything on a clean run against "at least `rate`".

    It passes 1 / alpha exactly when the zero bound falls under `rate`, so that bound holds under
    any peeking that stops at the first event.
    Population: trials of the same kind. Assumption: independent trials. Guarantee: mean at most
    1 under the hypothesis, at every stopping time (Ville). Reference: Shafer 2021. Oracle:
    test_e_values.py, zero_bound.
    """
    seen, trials = require_events(events, n)
    limit = require_rate("rate", rate)
    return 0.0 if seen else _exp(-trials * math.log1p(-limit))


def ratio_e_value(events: int, n: int, *, rate: float, against: float) -> float:
    """Return the likelihood ratio of `against` to `rate`: Wald's, as an e-value.

    It speaks against "at least `rate`" when `against` lies below, and against "at most `rate`"
    when it lies above.
    Population: trials of the same kind, or equally many of each of several cases, whose mean
    rate is meant. Assumption: independent trials. Guarantee: mean at most 1 under the hypothesis,
    at every stopping time (Ville), so that passing 1 / alpha errs with probability alpha at
    most, where Wald's own limits hold approximately. Reference: Wald 1945. Oracle:
    test_e_values.py, scipy.stats.binom and error rates by dynamic programming.
    """
    seen, trials = require_events(events, n)
    p, q = require_rate("rate", rate), require_rate("against", against)
    return _exp(seen * math.log(q / p) + (trials - seen) * (math.log1p(-q) - math.log1p(-p)))


def mixture_e_value(events: int, n: int, *, rate: float) -> float:
    """Return the e-value that tolerates events: all bets against "at least `rate`", averaged.

    The mean of prod(1 + s (rate - x)) for s uniform from 0 to 1 / (1 - rate).
    Population: trials of the same kind. Assumption: independent trials. Guarantee: mean at most
    1 under the hypothesis, at every stopping time (Ville). Reference: Waudby-Smith & Ramdas 2023.
    Oracle: test_e_values.py, scipy.integrate.quad.
    """
    seen, trials = require_events(events, n)
    p = require_rate("rate", rate)
    a, b = seen + 1, trials - seen + 1
    share = beta_cdf(p, a, b)
    if share == 0.0:
        return 0.0
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return _exp(log_beta + math.log(share) - a * math.log(p) - (b - 1) * math.log1p(-p))


def multiply_e_values(e_values: Sequence[float]) -> float | Undetermined:
    """Return the joint e-value of successive batches, each planned on what came before.

    Population: that of the batches. Assumption: batches are successive, their subjects may
    depend on the past. Guarantee: an e-value again. Reference: Vovk & Wang 2021. Oracle:
    test_e_values.py, one batch against its halves.
    """
    values = require_e_values(e_values)
    return math.prod(values) if values else Undetermined(reason="no e-value was given")


def average_e_values(e_values: Sequence[float]) -> float | Undetermined:
    """Return the joint e-value of batches that may depend on each other in any way.

    Population: that of the batches. Assumption: none. Guarantee: an e-value again. Reference:
    Vovk & Wang 2021. Oracle: test_e_values.py, by hand.
    """
    values = require_e_values(e_values)
    return math.fsum(values) / len(values) if values else Undetermined(reason="no e-value given")


def p_from_e(e_value: float) -> float:
    """Return min(1, 1 / e), a p-value that stays valid under peeking.

    Population, assumption: those of the e-value. Guarantee: Markov's inequality. Reference: Vovk
    & Wang 2021. Oracle: test_e_values.py, by hand.
    """
    (value,) = require_e_values([e_value])
    return 1.0 if value <= 1.0 else 1.0 / value


def require_e_values(e_values: Sequence[float]) -> tuple[float, ...]:
    """Return all as floats; refuse negative ones."""
    values = tuple(require_number(f"e_values[{i}]", value) for i, value in enumerate(e_values))
    for position, value in enumerate(values):
        if value < 0.0:
            raise StatisticsError(f"e_values[{position}]={value!r}: expected 0 or more.")
    return values


def _exp(exponent: float) -> float:
    """Stop short of overflow: less evidence than there is stays valid."""
    return math.exp(min(exponent, _LARGEST_EXPONENT))
