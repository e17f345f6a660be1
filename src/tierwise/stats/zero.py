"""Nothing happened in n trials: what does that prove, and what would have been seen?"""

from __future__ import annotations

import math

from tierwise.stats.arguments import require_confidence, require_count, require_share
from tierwise.stats.values import Undetermined


def zero_bound(
    n: int, *, confidence: float = 0.95, sensitivity: float | None = 1.0, secrets: int = 1
) -> float | Undetermined:
    """Return the one-sided upper bound on a rate after n trials without any event.

    `sensitivity` is the share of true events that the detector catches (give a lower bound of
    it): the bound is on what can be seen, so it is divided by it. None or 0 is undetermined.
    `secrets` > 1 gives the bound that holds for that many clean metrics jointly (Bonferroni);
    that each alone lies below a limit needs no correction.

    Population: trials of the same kind as those that ran. Assumption: independent trials.
    Guarantee: exact; the true rate lies above in at most 1 - confidence of all repetitions, also
    when the rate differs from trial to trial (then it is the mean that is bounded).
    Reference: Clopper & Pearson 1934; Jovanovic & Levy 1997 for the rule of three that it
    replaces. Oracle: test_zero.py, the beta quantile of scipy.stats.
    """
    trials = require_count("n", n)
    level = require_confidence(confidence)
    many = require_count("secrets", secrets, least=1)
    blind = _why_blind(sensitivity)
    if blind is not None:
        return blind
    if trials == 0:
        return Undetermined(reason="no trial was scored, so nothing bounds the rate")
    log_alpha = math.log1p(-level) - math.log(many)
    return min(1.0, -math.expm1(log_alpha / trials) / (sensitivity or 1.0))


def detection_probability(rate: float, n: int) -> float:
    """Return the probability that n independent trials show at least one event.

    One minus it is how often a subject that has the event at `rate` looks clean.
    Population: trials at one rate. Assumption: independent trials. Guarantee: exact. Reference:
    binomial distribution. Oracle: test_zero.py, scipy.stats.binom.
    """
    trials = require_count("n", n)
    share = require_share("rate", rate)
    if share == 1.0:
        return float(trials > 0)
    return -math.expm1(trials * math.log1p(-share))


def weaken_upper_bound(upper: float, *, sensitivity: float | None) -> float | Undetermined:
    """Return the bound on the true rate when the detector sees only a share of the events.

    Population: that of `upper`. Assumption: events are missed independently of everything else;
    `sensitivity` is a lower bound. Guarantee: that of `upper`, given the sensitivity. Reference:
    the rate of seen events is sensitivity times the rate. Oracle: test_zero.py, closed form.
    """
    share = require_share("upper", upper)
    blind = _why_blind(sensitivity)
    return blind if blind is not None else min(1.0, share / (sensitivity or 1.0))


def _why_blind(sensitivity: float | None) -> Undetermined | None:
    if sensitivity is None:
        return Undetermined(
            reason="the detector's sensitivity is unknown, so a clean run may be a blind one"
        )
    if require_share("sensitivity", sensitivity) == 0.0:
        return Undetermined(reason="a detector with sensitivity 0 never sees an event")
    return None
