"""A rate judged as trials come in: evidence that may be looked at after every round of cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tierwise.domain import Verdict
from tierwise.evals.promises import RateLimit
from tierwise.evals.settling import read_event
from tierwise.stats import Interval, Undetermined, confidence_sequence, excludes_rate
from tierwise.stats.e_values import mixture_e_value, ratio_e_value, zero_e_value

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from tierwise.domain import Outcome
    from tierwise.evals.expectations import Expectation
    from tierwise.evals.stopping_rules import StoppingRule
    from tierwise.evals.trial import Score

_CLEAN_SHARE = 0.9
"""Of the wealth of a `never`, what is bet on a clean run; the rest tolerates missing trials."""
_LOOKS = 200
"""It looks again once this fraction more trials have come in: one look for each few hundred."""


@dataclass(slots=True)
class _Round:
    landed: int = 0
    events: int = 0
    missing: int = 0


@dataclass(slots=True)
class Sequential:
    """One expectation under `sprt` or `anytime`.

    It looks only when every case has had as many trials as every other, in the order of the plan
    and not in that of landing: then the guarantee holds for the mean rate of cases that differ,
    and slow answers cannot bend it. Once decided it stays so: that is what the guarantee is about.
    """

    expectation: Expectation
    rule: StoppingRule
    trials_of_cases: Counter[int]
    """How many cases have so many trials."""
    n: int = 0
    """Trials of complete rounds, up to the decision."""
    events: int = 0
    missing: int = 0
    verdict: Verdict | None = None
    _rounds: dict[int, _Round] = field(default_factory=dict, repr=False)
    _next: int = 0
    _next_look: int = 1

    def take(self, index: int, outcome: Outcome, scores: Mapping[str, Score]) -> None:
        """Count one trial of round `index`; look when rounds have been completed."""
        if self.verdict is not None:
            return
        event = read_event(self.expectation, outcome, scores)
        entry = self._rounds.get(index)
        if entry is None:
            entry = self._rounds[index] = _Round()
        entry.landed += 1
        entry.missing += event is None
        entry.events += bool(event)
        while self.verdict is None and self._complete_round():
            # Looking less often is always allowed, and a million looks cost more than they save.
            if self.n >= self._next_look:
                self._next_look = self.n + max(1, self.n // _LOOKS)
                self.verdict = self._look()

    @property
    def seen_limit(self) -> float | Undetermined:
        """The limit on what can be seen, where a detector misses part of what is there."""
        promise = self._promise
        if promise.detector is None:
            return promise.limit
        share = promise.detector.lower_bound(self.confidence)
        return share if isinstance(share, Undetermined) else promise.limit * share

    @property
    def confidence(self) -> float:
        """What the trials have to show; a detector's sensitivity takes half of the error."""
        whole = self.expectation.confidence
        return whole if self._promise.detector is None else (1.0 + whole) / 2.0

    def shown_limit(self) -> float | None:
        """Return the limit of which the decision tells the side; None while there is none.

        An occurrence of a `never` refutes it and says nothing about a rate.
        """
        limit = self.seen_limit
        is_told = self.verdict is Verdict.PROVEN or (
            self.verdict is Verdict.REFUTED and self._promise.kind != "never"
        )
        return limit if is_told and not isinstance(limit, Undetermined) else None

    def bounds(self) -> Interval | Undetermined:
        """Return what the complete rounds prove; each missing trial weakens both ends."""
        most = self.events + self.missing
        prior = self.rule.prior or (1.0, 1.0)
        low, high = (
            confidence_sequence(seen, self.n, confidence=self.confidence, prior=prior)
            for seen in (self.events, most)
        )
        if isinstance(low, Undetermined) or isinstance(high, Undetermined):
            return Undetermined(reason="no round of all cases was completed")
        return Interval(low=low.low, high=high.high, confidence=low.confidence, method=low.method)

    @property
    def _promise(self) -> RateLimit:
        assert isinstance(self.expectation.promise, RateLimit)  # noqa: S101  others are refused
        return self.expectation.promise

    def _complete_round(self) -> bool:
        entry = self._rounds.get(self._next)
        size = sum(n for trials, n in self.trials_of_cases.items() if trials > self._next)
        if entry is None or entry.landed < size:
            return False
        del self._rounds[self._next]
        self._next += 1
        self.n += size
        self.events += entry.events
        self.missing += entry.missing
        return True

    def _look(self) -> Verdict | None:
        is_tolerated = self.missing <= self.expectation.missing_ceiling * self.n
        if self._promise.kind == "never":
            if self.events:
                return Verdict.REFUTED
            return Verdict.PROVEN if is_tolerated and self._is_rare() else None
        is_low = self._is_shown(self.events + self.missing, is_low=True)
        is_high = self._is_shown(self.events, is_low=False)
        is_least = self._promise.kind == "at_least"
        if is_low if is_least else is_high:
            return Verdict.REFUTED
        is_kept = is_high if is_least else is_low
        return Verdict.PROVEN if is_kept and is_tolerated else None

    def _is_shown(self, seen: int, *, is_low: bool) -> bool:
        """Return whether so many events show a rate on one side of the limit."""
        limit = self._promise.limit
        if self.rule.kind == "sprt":
            away = -(self.rule.margin or 0.0) if is_low else self.rule.margin or 0.0
            evidence = ratio_e_value(seen, self.n, rate=limit, against=limit + away)
            return evidence * (1.0 - self.confidence) >= 1.0
        if seen == limit * self.n or (seen < limit * self.n) != is_low:
            return False
        prior = self.rule.prior or (1.0, 1.0)
        return excludes_rate(seen, self.n, limit, confidence=self.confidence, prior=prior)

    def _is_rare(self) -> bool:
        limit = self.seen_limit
        if isinstance(limit, Undetermined):
            return False
        wealth = _CLEAN_SHARE * zero_e_value(self.missing, self.n, rate=limit)
        if self.missing:  # needs scipy, and adds next to nothing to a clean run
            wealth = (1.0 - _CLEAN_SHARE) * mixture_e_value(self.missing, self.n, rate=limit)
        return wealth * (1.0 - self.confidence) >= 1.0
