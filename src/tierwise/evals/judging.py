"""Counts in, verdicts out: what the trials of an eval prove, and what they do not."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from tierwise.domain import Judgement, Verdict
from tierwise.evals.counting import collect, count
from tierwise.evals.evidence import claim, decide
from tierwise.evals.expectations import baseline_of
from tierwise.evals.judging_rates import ask_rate
from tierwise.evals.metrics import check_metrics
from tierwise.evals.promises import MeanRange, NoWorse, RateLimit
from tierwise.evals.replanning import ask_for_scores, ask_of_control, plan_anew
from tierwise.evals.wording import say_control, say_silence, say_stopped
from tierwise.stats import Population, Undetermined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.evals.baseline import Baseline
    from tierwise.evals.counting import Counts
    from tierwise.evals.declaration import Control
    from tierwise.evals.evidence import Evidence, Question
    from tierwise.evals.expectations import Expectation
    from tierwise.evals.sequential import Sequential
    from tierwise.evals.stopping import StopWatch
    from tierwise.evals.tally import CaseCount, Tally

NO_CONTROL = "no positive control: a subject that is silent everywhere would pass as well"


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
        """True when no trial was scored for any expectation, and nothing refuted one before."""
        is_scored = any(judgement.n_scored for judgement in self.judgements)
        return not is_scored and self.verdict is not Verdict.REFUTED


def judge_eval(
    expectations: Sequence[Expectation],
    controls: Sequence[Control],
    tally: Tally,
    *,
    baseline: Baseline | None = None,
    named: Mapping[str, Baseline] = MappingProxyType({}),
    watch: StopWatch | None = None,
) -> Judged:
    """Judge each expectation; an unknown metric or a score of the wrong kind is refused.

    `baseline` is the earlier run that whoever started this one named; without it an expectation
    has the one of `named` that it names itself. `watch` is what was told of the trials as they
    landed; None when all of the plan was run.
    """
    cases = tally.of_arm("trial")
    check_metrics(expectations, cases)
    control_judgements = {
        control.metric: judge(
            control.expectation, count(control.metric, tally.of_arm("control", control.metric))
        )
        for control in controls
    }
    reason = "" if watch is None else watch.reason
    judgements = tuple(
        judge(
            expectation,
            gather(expectation, cases, is_settled=bool(reason)),
            control=control_judgements.get(expectation.metric),
            baseline=baseline or named.get(baseline_of(expectation) or ""),
            path=None if watch is None else watch.path_of(expectation),
            stopped=reason,
        )
        for expectation in expectations
    )
    return Judged(judgements=judgements, controls=tuple(control_judgements.values()))


def gather(
    expectation: Expectation, cases: Sequence[CaseCount], *, is_settled: bool = False
) -> Counts:
    """Return what the cases of an arm hold for an expectation."""
    promise = expectation.promise
    if isinstance(promise, MeanRange | NoWorse):
        return collect(expectation.metric, cases, is_settled=is_settled)
    value = promise.value if isinstance(promise, RateLimit) else None
    return count(expectation.metric, cases, value=value, is_settled=is_settled)


def judge(
    expectation: Expectation,
    counts: Counts,
    *,
    control: Judgement | None = None,
    baseline: Baseline | None = None,
    path: Sequential | None = None,
    stopped: str = "",
) -> Judgement:
    """Judge one expectation from counts alone.

    The verdict rests on the one-sided bound with each missing trial counted against it; the
    two-sided interval is for the reader.
    """
    question = _ask(expectation, counts, baseline, path)
    evidence = question.weigh(expectation.population)
    verdict, reason = decide(question, expectation, counts, evidence)
    shared = _ask_nothing_of_shared(expectation, question, baseline)
    if verdict is Verdict.PROVEN and shared is not None:
        question, evidence = shared, shared.weigh(expectation.population)
        verdict, reason = decide(question, expectation, counts, evidence)
    side = question.find_side(evidence, verdict)
    next_step = _advise(question, counts, verdict)
    if expectation.is_negative_control:
        verdict, reason = _turn_around(verdict, reason)
    elif verdict is Verdict.PROVEN and expectation.kind == "never" and control is not None:
        verdict, reason = _weigh_control(verdict, reason, control)
        next_step = ask_of_control(control) if verdict is Verdict.UNDECIDED else ""
    needed, condition = (None, "")
    if verdict is Verdict.UNDECIDED and not next_step:
        needed, condition = plan_anew(expectation, counts, question, evidence)
    known = None if isinstance(evidence, Undetermined) else evidence
    alike = None if known is None else known.alike
    return Judgement(
        expectation=str(expectation),
        metric=expectation.metric,
        verdict=verdict,
        reason=reason,
        n_scored=counts.n_scored,
        n_planned=counts.n_planned,
        n_events=counts.n_events,
        unit=question.unit,
        quantity=question.quantity,
        estimate=question.observed if known is None else known.estimate,
        interval=question.interval,
        interval_method=question.interval_method,
        bound=None if known is None else known.bound(side),
        bound_side=side,
        bound_if_missing_were_like_the_rest=None if alike is None else alike[side == "upper"],
        confidence=expectation.confidence,
        population=str(expectation.population),
        claims=tuple(claim(question, expectation, population) for population in Population),
        n_needed=needed,
        n_needed_if=condition,
        next_step=next_step,
        control=_say_control(expectation, control, verdict),
        cautions=_cautions(question, counts, evidence),
        n_left=counts.n_left,
        stopped=say_stopped(stopped, counts) if stopped and counts.n_left else "",
        outliers=question.outliers,
        baseline=question.baseline,
        unpaired=question.unpaired,
    )


def _ask(
    expectation: Expectation, counts: Counts, baseline: Baseline | None, path: Sequential | None
) -> Question:
    promise = expectation.promise
    if isinstance(promise, RateLimit):
        return ask_rate(expectation, promise, counts, path)
    if isinstance(promise, MeanRange):
        from tierwise.evals.judging_means import ask_mean  # noqa: PLC0415  as these two

        return ask_mean(expectation, promise, counts)
    if isinstance(promise, NoWorse):
        from tierwise.evals.judging_differences import ask_difference  # noqa: PLC0415

        return ask_difference(expectation, promise, counts, baseline)
    from tierwise.evals.judging_tries import ask_tries  # noqa: PLC0415

    return ask_tries(expectation, promise, counts)


def _ask_nothing_of_shared(
    expectation: Expectation, question: Question, baseline: Baseline | None
) -> Question | None:
    if not isinstance(expectation.promise, NoWorse):
        return None
    from tierwise.evals.judging_differences import ask_nothing_of_shared  # noqa: PLC0415

    return ask_nothing_of_shared(question, baseline)


def _advise(question: Question, counts: Counts, verdict: Verdict) -> str:
    if verdict is not Verdict.UNDECIDED:
        return ""
    return question.next_step if counts.n_scored else ask_for_scores()


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
    return Verdict.UNDECIDED, say_silence(control)


def _say_control(expectation: Expectation, control: Judgement | None, verdict: Verdict) -> str:
    if expectation.kind != "never" or expectation.is_negative_control:
        return ""
    if control is not None:
        return say_control(control)
    # What was refuted was not silent.
    return "" if verdict is Verdict.REFUTED else NO_CONTROL


def _cautions(
    question: Question, counts: Counts, evidence: Evidence | Undetermined
) -> tuple[str, ...]:
    found = list(question.cautions)
    if not isinstance(evidence, Undetermined):
        found = [*evidence.cautions, *found]
    if counts.n_identical:
        found.append(
            f"all {counts.n_identical} trials gave the same reply within their case: from a "
            "provider that cannot answer otherwise they are copies, not evidence"
        )
    return tuple(found)
