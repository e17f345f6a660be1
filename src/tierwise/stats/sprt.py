"""Wald's sequential test of a pass rate, with a cap at which nothing is decided."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from tierwise.domain import Verdict
from tierwise.errors import StatisticsError
from tierwise.stats.arguments import (
    require_alpha,
    require_count,
    require_events,
    require_rate,
    require_share,
)


class WaldBounds(NamedTuple):
    """Limits of the log likelihood ratio of bad against good."""

    refute: float
    prove: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingCharacteristics:
    """What a sequential test does at one true pass rate."""

    proven: float
    refuted: float
    undecided: float
    mean_trials: float


def wald_bounds(*, alpha: float = 0.05, beta: float = 0.2) -> WaldBounds:
    """Return ln((1 - beta) / alpha) and ln(beta / (1 - alpha)).

    Population, assumption: those of `SequentialTest`. Guarantee: true errors satisfy
    alpha' <= alpha / (1 - beta), beta' <= beta / (1 - alpha) and alpha' + beta' <= alpha + beta.
    Reference: Wald 1945. Oracle: test_sprt.py, error rates by dynamic programming.
    """
    a, b = require_alpha(alpha), require_alpha(beta, name="beta")
    if a + b >= 1.0:
        raise StatisticsError(f"alpha={alpha!r} and beta={beta!r}: expected a sum below 1.")
    return WaldBounds(refute=math.log((1.0 - b) / a), prove=math.log(b / (1.0 - a)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialTest:
    """Is the pass rate `good` or `bad`? Decided as soon as the data say, undecided at `cap`.

    `alpha` is the risk of refuting a good subject, `beta` that of proving a bad one.
    Population: trials of the same kind. Assumption: independent trials at one rate, looked at
    after each trial. Guarantee: the bounds of `wald_bounds`; a single risk can pass its nominal
    value slightly (ask `characterise`). Reference: Wald 1945. Oracle: test_sprt.py, dynamic
    programming over (trials, fails).
    """

    good: float
    bad: float
    cap: int
    alpha: float = 0.05
    beta: float = 0.2

    def __post_init__(self) -> None:
        """Refuse rates in the wrong order and risks that add up to 1."""
        if require_rate("good", self.good) <= require_rate("bad", self.bad):
            raise StatisticsError(
                f"good={self.good!r} and bad={self.bad!r}: expected good above bad."
            )
        require_count("cap", self.cap, least=1)
        wald_bounds(alpha=self.alpha, beta=self.beta)

    @property
    def per_fail(self) -> float:
        """What one failed trial adds to the log likelihood ratio."""
        return math.log1p(-self.bad) - math.log1p(-self.good)

    @property
    def per_pass(self) -> float:
        """What one passed trial adds to the log likelihood ratio; negative."""
        return math.log(self.bad / self.good)

    def after(self, fails: int, seen: int) -> Verdict | None:
        """Return the verdict after `seen` trials, None while the test goes on.

        Ask after each trial: a bound that was crossed earlier has decided.
        """
        lost, done = require_events(fails, seen)
        if done > self.cap:
            raise StatisticsError(f"seen={done}: expected at most the cap of {self.cap} trials.")
        bounds = wald_bounds(alpha=self.alpha, beta=self.beta)
        ratio = lost * self.per_fail + (done - lost) * self.per_pass
        if ratio >= bounds.refute:
            return Verdict.REFUTED
        if ratio <= bounds.prove:
            return Verdict.PROVEN
        return Verdict.UNDECIDED if done == self.cap else None

    def characterise(self, pass_rate: float) -> OperatingCharacteristics:
        """Return the exact probability of each verdict and the mean trials at a pass rate."""
        share = require_share("pass_rate", pass_rate)
        ended = dict.fromkeys(Verdict, 0.0)
        waiting = {0: 1.0}
        mean = 0.0
        for seen in range(1, self.cap + 1):
            mean += sum(waiting.values())
            step: dict[int, float] = {}
            for fails, probability in waiting.items():
                step[fails] = step.get(fails, 0.0) + probability * share
                step[fails + 1] = step.get(fails + 1, 0.0) + probability * (1.0 - share)
            waiting = {}
            for fails, probability in step.items():
                verdict = self.after(fails, seen)
                if verdict is None:
                    waiting[fails] = probability
                else:
                    ended[verdict] += probability
        return OperatingCharacteristics(
            proven=ended[Verdict.PROVEN],
            refuted=ended[Verdict.REFUTED],
            undecided=ended[Verdict.UNDECIDED],
            mean_trials=mean,
        )
