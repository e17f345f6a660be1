"""Plans, trials and verdicts as rows of the run store, and an eval as its summary."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING, Any

from tierwise.domain import EvalSummary, Outcome, Spending, TrialEnded
from tierwise.evals.directions import find_directions
from tierwise.evals.outcomes import reason_of
from tierwise.evals.replanning import ask_to_go_on
from tierwise.records import PlanRow, TrialRow, VerdictRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.domain import Judgement, Reused
    from tierwise.evals.job import Job
    from tierwise.evals.judging import Judged
    from tierwise.evals.plan import Plan
    from tierwise.evals.running import TrialResult


def plan_row(plan: Plan, run_id: str, *, inputs_hash: str = "", measurement: str = "") -> PlanRow:
    """Return the plan as it is kept."""
    return PlanRow(
        run_id=run_id,
        plan_hash=plan.hash,
        eval_id=plan.eval_id,
        tier=plan.tier,
        n_cases=sum(planned.arm == "trial" for planned in plan.cases),
        trials=plan.trials,
        n_planned=plan.n_planned,
        provider=plan.provider,
        detail={
            "expect": [str(entry) for entry in plan.expectations],
            "controls": [str(control.expectation) for control in plan.controls],
            "better": find_directions(plan.expectations),
            "identity": plan.identity,
            "stop": str(plan.stop),
        },
        definition=plan.definition,
        inputs_hash=inputs_hash,
        measurement=measurement,
    )


def trial_row(plan: Plan, result: TrialResult, run_id: str) -> TrialRow:
    """Return the trial as it is kept."""
    planned = result.planned
    return TrialRow(
        run_id=run_id,
        plan_hash=plan.hash,
        eval_id=plan.eval_id,
        case_id=planned.planned.label,
        arm=planned.planned.arm,
        index=planned.index,
        key=planned.key,
        seed=planned.seed,
        outcome=result.conclusion.outcome,
        scores=result.conclusion.scores,
        message=result.conclusion.message,
        notes=result.notes,
        graders=result.graders,
        duration_s=result.duration_s,
        exchanges=result.exchanges,
    )


def trial_event(plan: Plan, result: TrialResult) -> TrialEnded:
    """Return the trial as an event."""
    return TrialEnded(
        eval_id=plan.eval_id,
        provider=plan.provider,
        case_id=result.planned.planned.label,
        index=result.planned.index,
        outcome=result.conclusion.outcome,
        scores=result.conclusion.scores,
        message=result.conclusion.message,
        duration_s=result.duration_s,
        exchanges=result.exchanges,
    )


def verdict_rows(summary: EvalSummary, plan: Plan, run_id: str) -> tuple[VerdictRow, ...]:
    """Return each judgement of an eval as it is kept."""
    return tuple(
        _verdict_row(judgement, summary, plan, run_id) for judgement in summary.judgements
    )


def summarise(  # noqa: PLR0913  each is a fact of its own
    job: Job,
    judged: Judged | None,
    *,
    run_number: int | None,
    n_unjudged_runs: int = 0,
    reused: Sequence[Reused] = (),
    ran_because: Sequence[tuple[str, int]] = (),
    remarks: Sequence[str] = (),
    n_cached: int = 0,
    spent: Spending | None = None,
    spent_before: Spending | None = None,
    shared_fixtures: Sequence[str] = (),
    error: str = "",
) -> EvalSummary:
    """Return all that is known about an eval once its trials have ended.

    `judged` is None, and `error` says why, when its trials could not be judged.
    """
    return EvalSummary(
        eval_id=job.plan.eval_id,
        tier=job.plan.tier,
        provider=job.plan.provider,
        judgements=() if judged is None else _complete(judged.judgements, job, n_cached),
        controls=() if judged is None else _complete(judged.controls, job),
        n_planned=job.plan.n_planned,
        outcomes=dict(job.tally.outcomes()),
        reasons=reasons_of(job),
        run_number=run_number,
        n_unjudged_runs=n_unjudged_runs,
        error=error,
        shared_fixtures=tuple(shared_fixtures),
        duration_s=job.duration_s,
        reused=tuple(reused),
        ran_because=tuple(ran_because),
        remarks=(*remarks, *filter(None, [job.broken_by])),
        n_cached=n_cached,
        n_ran=job.n_landed,
        spent=spent or Spending(),
        spent_before=spent_before or Spending(),
        cut_by=job.cut_by,
    )


def reasons_of(job: Job) -> tuple[tuple[str, int], ...]:
    """Return why trials have no score, the most frequent reason first.

    Those that were never started have the reason of those that the same stop found in flight.
    """
    found = Counter(job.tally.reasons)
    started = [case.outcomes[Outcome.NOT_RUN] for case in job.tally.of_arm("trial")]
    n_left_out = job.tally.outcomes()[Outcome.NOT_RUN] - sum(started)
    if n_left_out and not job.counted.stop.reason:
        why = job.cut_by or ("stopped early" if job.broken_by else "not started")
        known = (reason for reason in found if reason.endswith(reason_of(why)))
        found[next(known, f"{Outcome.NOT_RUN}: {reason_of(why)}")] += n_left_out
    return tuple(found.most_common())


def _complete(
    judgements: Sequence[Judgement], job: Job, n_cached: int = 0
) -> tuple[Judgement, ...]:
    """Say of each judgement which judge scored it, and how a plan that was cut short goes on."""
    copies = say_cached(n_cached, job)
    named = (
        dataclasses.replace(
            judgement,
            cautions=(*copies, *judgement.cautions, *job.graders.get(judgement.metric, ())),
        )
        for judgement in judgements
    )
    return tuple(map(ask_to_go_on, named)) if job.cut_by else tuple(named)


def say_cached(n_cached: int, job: Job) -> tuple[str, ...]:
    """Return that trials were answered from the cache, which is no new observation."""
    if not n_cached:
        return ()
    n = sum(case.n_landed for case in job.tally.of_arm("trial"))
    return (f"{n_cached} of {n} trials answered from the cache: no new measurement",)


def _verdict_row(
    judgement: Judgement, summary: EvalSummary, plan: Plan, run_id: str
) -> VerdictRow:
    detail: dict[str, Any] = dataclasses.asdict(judgement)
    return VerdictRow(
        run_id=run_id,
        plan_hash=plan.hash,
        eval_id=plan.eval_id,
        tier=plan.tier,
        expectation=judgement.expectation,
        metric=judgement.metric,
        verdict=judgement.verdict,
        reason=judgement.reason,
        n_scored=judgement.n_scored,
        n_planned=judgement.n_planned,
        run_number=summary.run_number or 1,
        detail=detail,
    )
