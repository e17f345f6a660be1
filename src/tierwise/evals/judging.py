"""Counts in, verdicts out: what the trials of an eval prove, and what they do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Claim, Judgement, Verdict
from tierwise.evals.metrics import check_metrics
from tierwise.evals.replanning import ask_for_scores, ask_of_control, plan_anew
from tierwise.evals.tally import MetricCount
from tierwise.evals.wording import (
    percent,
    say_bound,
    say_missing,
    say_occurred,
    say_population,
)
from tierwise.stats import (
    Interval,
    Population,
    RateBounds,
    Undetermined,
    bounds_for,
    wilson,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.domain.judgement import BoundSide
    from tierwise.evals.baseline import Baseline
    from tierwise.evals.declaration import Control
    from tierwise.evals.expectations import Expectation
    from tierwise.evals.stopping import StopWatch
    from tierwise.evals.tally import CaseCount, Tally

NO_CONTROL = "no positive control: a subject that is silent everywhere would pass as well"
_COPIES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """One metric over an arm: (True, scored) of each case, and what is missing of each."""

    per_case: tuple[tuple[int, int], ...]
    missing: tuple[int, ...]
    n_unscored_events: int = 0
    """How often it was True in trials that went wrong: enough to refute a `never`, no more."""
    n_identical: int = 0
    """Scored trials, if within each case all of them got one and the same reply; else 0."""

    @property
    def n_events(self) -> int:
        """How often the metric was True."""
        return sum(events for events, _ in self.per_case)

    @property
    def n_scored(self) -> int:
        """How many trials have a score."""
        return sum(n for _, n in self.per_case)

    @property
    def n_missing(self) -> int:
        """How many planned trials have none."""
        return sum(self.missing)

    @property
    def n_planned(self) -> int:
        """How many trials were planned."""
        return self.n_scored + self.n_missing


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """All that an eval's trials prove: its expectations and its controls, in declared order."""

    judgements: tuple[Judgement, ...]
    controls: tuple[Judgement, ...]

    @property
    def verdict(self) -> Verdict:
        """Refuted if any expectation is, else undecided if any is, else proven."""
        verdicts = {judgement.verdict for judgement in self.judgements}
        for verdict in (Verdict.REFUTED, Verdict.UNDECIDED):
            if verdict in verdicts:
                return verdict
        return Verdict.PROVEN if verdicts else Verdict.UNDECIDED

    @property
    def is_nothing_observed(self) -> bool:
        """True when no trial was scored for any expectation."""
        return not any(judgement.n_scored for judgement in self.judgements)


def judge_eval(
    expectations: Sequence[Expectation],
    controls: Sequence[Control],
    tally: Tally,
    *,
    baseline: Baseline | None = None,  # noqa: ARG001
    watch: StopWatch | None = None,  # noqa: ARG001
) -> Judged:
    """Judge each expectation; an unknown metric or a score of the wrong kind is refused.

    `watch` is what was told of the trials as they landed; None when all of the plan was run.
    """
    check_metrics([entry.metric for entry in expectations], tally.of_arm("trial"))
    control_judgements = {
        control.metric: judge(
            control.expectation, count(control.metric, tally.of_arm("control", control.metric))
        )
        for control in controls
    }
    judgements = tuple(
        judge(
            expectation,
            count(expectation.metric, tally.of_arm("trial")),
            control=control_judgements.get(expectation.metric),
        )
        for expectation in expectations
    )
    return Judged(judgements=judgements, controls=tuple(control_judgements.values()))


def count(metric: str, cases: Sequence[CaseCount]) -> Counts:
    """Count one metric over the cases of an arm; a planned trial without a score is missing."""
    per_case, missing, n_unscored = [], [], 0
    for case in cases:
        found = case.metrics.get(metric, MetricCount())
        per_case.append((found.n_true, found.n_rated))
        missing.append(case.planned.trials - found.n_rated)
        n_unscored += found.n_unscored_true
    repeated = [case for case in cases if case.n_with_reply >= _COPIES]
    is_copied = bool(repeated) and not any(case.is_varied for case in cases)
    return Counts(
        per_case=tuple(per_case),
        missing=tuple(missing),
        n_unscored_events=n_unscored,
        n_identical=sum(case.n_with_reply for case in repeated) if is_copied else 0,
    )


def judge(
    expectation: Expectation, counts: Counts, *, control: Judgement | None = None
) -> Judgement:
    """Judge one expectation from counts alone.

    The verdict rests on the one-sided bound with each missing trial counted against it; the
    two-sided interval is for the reader.
    """
    bounds = bounds_for(
        expectation.population,
        counts.per_case,
        confidence=expectation.confidence,
        missing=counts.missing,
    )
    verdict, reason = decide(expectation, counts, bounds)
    side = find_side(expectation, verdict)
    next_step = "" if counts.n_scored or verdict is not Verdict.UNDECIDED else ask_for_scores()
    if expectation.is_negative_control:
        verdict, reason = _turn_around(verdict, reason)
    elif verdict is Verdict.PROVEN and expectation.kind == "never" and control is not None:
        verdict, reason = _weigh_control(verdict, reason, control)
        next_step = ask_of_control(control) if verdict is Verdict.UNDECIDED else ""
    needed, condition = (None, "")
    if verdict is Verdict.UNDECIDED and not next_step:
        needed, condition = plan_anew(expectation, counts)
    interval = wilson(counts.n_events, counts.n_scored, confidence=expectation.confidence)
    return Judgement(
        expectation=str(expectation),
        metric=expectation.metric,
        verdict=verdict,
        reason=reason,
        n_scored=counts.n_scored,
        n_planned=counts.n_planned,
        n_events=counts.n_events,
        estimate=bounds.rate if isinstance(bounds, RateBounds) else None,
        interval=(interval.low, interval.high) if isinstance(interval, Interval) else None,
        bound=_bound(side, bounds, with_missing=True),
        bound_side=side,
        bound_if_missing_were_like_the_rest=_bound(side, bounds, with_missing=False),
        confidence=expectation.confidence,
        population=str(expectation.population),
        claims=tuple(claim(expectation, counts, population) for population in Population),
        n_needed=needed,
        n_needed_if=condition,
        next_step=next_step,
        control=_say_control(expectation, control),
        cautions=_cautions(counts, bounds),
    )


def decide(
    expectation: Expectation, counts: Counts, bounds: RateBounds | Undetermined
) -> tuple[Verdict, str]:
    """Return the verdict of one expectation without its control, and why."""
    limit = percent(expectation.limit)
    if expectation.kind == "never" and _has_occurred(expectation, counts):
        return Verdict.REFUTED, say_occurred(expectation.metric, counts)
    if isinstance(bounds, Undetermined):
        return Verdict.UNDECIDED, bounds.reason
    if expectation.kind == "at_least" and bounds.upper_with_missing < expectation.limit:
        upper = percent(bounds.upper_with_missing, up=True)
        return Verdict.REFUTED, f"the rate is below {upper}, short of {limit}"
    if expectation.kind == "at_most" and bounds.lower_with_missing > expectation.limit:
        lower = percent(bounds.lower_with_missing)
        return Verdict.REFUTED, f"the rate is above {lower}, over {limit}"
    if counts.n_missing > expectation.missing_ceiling * counts.n_planned:
        return Verdict.UNDECIDED, say_missing(counts, expectation.missing_ceiling)
    return _compare(expectation, bounds, limit)


def _has_occurred(expectation: Expectation, counts: Counts) -> bool:
    if not expectation.is_negative_control:
        return counts.n_events + counts.n_unscored_events > 0
    # A control is evidence for the eval: trials that went wrong give none.
    n_tolerated = expectation.missing_ceiling * counts.n_planned
    return counts.n_events > 0 and counts.n_missing <= n_tolerated


def find_side(expectation: Expectation, verdict: Verdict) -> BoundSide:
    """Return which bound speaks: the one for the promise, or against it where it is refuted.

    `verdict` is that of the promise itself, before a negative control turns it around.
    """
    is_lower = (expectation.kind == "at_least") != (verdict is Verdict.REFUTED)
    return "lower" if is_lower else "upper"


def claim(expectation: Expectation, counts: Counts, population: Population) -> Claim:
    """Return what the counts prove about one population, in numbers and as a sentence."""
    bounds = bounds_for(
        population, counts.per_case, confidence=expectation.confidence, missing=counts.missing
    )
    if isinstance(bounds, Undetermined):
        return Claim(population=str(population), sentence=f"nothing: {bounds.reason}")
    return Claim(
        population=str(population),
        sentence=f"{say_bound(expectation, bounds)} ({percent(bounds.confidence)}, one-sided)",
        lower=bounds.lower_with_missing,
        upper=bounds.upper_with_missing,
        method=bounds.method,
    )


def _compare(expectation: Expectation, bounds: RateBounds, limit: str) -> tuple[Verdict, str]:
    sentence = f"{say_bound(expectation, bounds)} for {say_population(bounds.population)}"
    is_proven = {
        "never": bounds.upper_with_missing < expectation.limit,
        "at_most": bounds.upper_with_missing <= expectation.limit,
        "at_least": bounds.lower_with_missing >= expectation.limit,
    }[expectation.kind]
    if is_proven:
        return Verdict.PROVEN, sentence
    return Verdict.UNDECIDED, f"{sentence}, which does not settle {limit}"


def _turn_around(verdict: Verdict, reason: str) -> tuple[Verdict, str]:
    # Only the two certain verdicts change places: could-not-tell never becomes fine.
    if verdict is Verdict.REFUTED:
        return Verdict.PROVEN, f"the planted hole was seen: {reason}"
    if verdict is Verdict.PROVEN:
        return Verdict.REFUTED, f"the planted hole was not seen: {reason}"
    return verdict, reason


def _weigh_control(verdict: Verdict, reason: str, control: Judgement) -> tuple[Verdict, str]:
    # An undecided control weighs as much as a failed one: could-not-tell is never fine.
    if control.verdict is Verdict.PROVEN:
        return verdict, reason
    return Verdict.UNDECIDED, (
        f"silence would look like safety: the positive control is {control.verdict} "
        f"({control.metric} in {control.n_events} of {control.n_scored} trials, expected "
        f"{control.expectation.removeprefix(control.metric).strip()})"
    )


def _say_control(expectation: Expectation, control: Judgement | None) -> str:
    if expectation.kind != "never" or expectation.is_negative_control:
        return ""
    if control is None:
        return NO_CONTROL
    return (
        f"positive control {control.verdict}: {control.n_events} of {control.n_scored} trials "
        f"show it, expected {control.expectation.removeprefix(control.metric).strip()}"
    )


def _bound(
    side: BoundSide, bounds: RateBounds | Undetermined, *, with_missing: bool
) -> float | None:
    if isinstance(bounds, Undetermined):
        return None
    if side == "lower":
        return bounds.lower_with_missing if with_missing else bounds.lower
    return bounds.upper_with_missing if with_missing else bounds.upper


def _cautions(counts: Counts, bounds: RateBounds | Undetermined) -> tuple[str, ...]:
    found = list(bounds.cautions) if isinstance(bounds, RateBounds) else []
    if counts.n_identical:
        found.append(
            f"all {counts.n_identical} trials gave the same reply within their case: from a "
            "provider that cannot answer otherwise they are copies, not evidence"
        )
    return tuple(found)
