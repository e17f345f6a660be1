"""What the trials of an eval came to, told once: to the store, the listener and the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import EvalJudged, Verdict, VerdictReached
from tierwise.errors import MisuseError, StoreError
from tierwise.pytest_plugin.eval_items import EvalConclusion
from tierwise.pytest_plugin.eval_keeping import PlanRuns, Took
from tierwise.sandbox import PolicyViolation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.domain import EvalSummary, Listener
    from tierwise.evals.baseline import Baseline
    from tierwise.evals.baseline_reading import BaselineRun
    from tierwise.evals.job import Job
    from tierwise.evals.judging import Judged
    from tierwise.pytest_plugin.eval_items import EvalItem
    from tierwise.pytest_plugin.eval_keeping import Keeping

    Problem = EvalConclusion | MisuseError | PolicyViolation | StoreError

_WORST_FIRST = ("refuted", "misuse", "budget", "nothing", "undecided")


class Concluding:
    """Judges jobs; what one came to is published once, however often its item is run."""

    def __init__(self, keeping: Keeping, listen: Listener) -> None:
        self.summaries: list[EvalSummary] = []
        self.n_dry = 0
        self.baseline: BaselineRun | None = None
        self.named: dict[str, BaselineRun] = {}
        """The earlier runs that expectations themselves name."""
        self.runs: dict[int, PlanRuns] = {}
        """How often each job's plan was measured, by the job's id."""
        self.has_store_failed = False
        self._keeping = keeping
        self._listen = listen
        self._problems: dict[int, Problem | None] = {}

    def conclude(self, item: EvalItem, jobs: Iterable[Job]) -> None:
        """Report an item's eval by returning or raising: the worst of all its providers counts."""
        found = [problem for job in jobs if (problem := self._problem_of(item, job)) is not None]
        if not found:
            return
        worst = min(found, key=_rank)
        if not isinstance(worst, EvalConclusion):
            raise worst
        texts = [str(problem) for problem in found if isinstance(problem, EvalConclusion)]
        raise EvalConclusion(worst.state, "\n\n".join(texts), reason=worst.reason)

    def conclude_interrupted(self, item: EvalItem, jobs: Iterable[Job]) -> None:
        """Judge what is whole, and say of the rest how far it came."""
        for job in jobs:
            if job.is_complete or job.stopped_by is not None:
                self._problem_of(item, job)
            else:
                self.tell_stopped(item, (job,), "interrupted")

    def tell_stopped(self, item: EvalItem, jobs: Iterable[Job], how: str) -> None:
        """Show how far jobs came that something outside of them ended."""
        for job in jobs:
            n, m = job.counted.n, job.plan.n_to_run
            error = f"{how} after {n} of {m} trials: nothing is proven"
            took = Took(now=job.spending.total)
            self._publish(self._summarise(item, job, None, took=took, error=error))

    def conclude_dry(self, jobs: Iterable[Job]) -> None:
        """Say whether a body could be carried out."""
        from tierwise.evals.metrics import refuse_unscored_dry  # noqa: PLC0415  when evals run

        for job in jobs:
            if job.stopped_by is not None:
                raise job.stopped_by
            self.n_dry += 1
            reasons = [f"  {n} x {reason}" for reason, n in job.tally.reasons.most_common()]
            if reasons:
                text = f"{job.plan.eval_id}: the dry run could not carry a trial out"
                raise EvalConclusion("dry", "\n".join([text, *reasons]))
            refuse_unscored_dry(job.plan.expectations, job.tally.of_arm("trial"))

    def tell_error(self, item: EvalItem, error: str, *, tier: str | None) -> None:
        """Show an eval none of whose trials could be run, such as after a broken fixture."""
        from tierwise.domain import EvalSummary  # noqa: PLC0415  when something went wrong

        if any(known.eval_id == item.nodeid for known in self.summaries):
            return
        declared = item.declaration
        summary = EvalSummary(
            eval_id=item.nodeid,
            tier=tier,
            provider="no provider was asked",
            judgements=(),
            n_planned=len(declared.cases) * declared.trials,
            error=error,
        )
        self.summaries.append(summary)
        self._listen(EvalJudged(summary=summary))

    def _problem_of(self, item: EvalItem, job: Job) -> Problem | None:
        # A rerun of the item reports again what is known.
        if id(job) not in self._problems:
            try:
                self._problems[id(job)] = self._judge(item, job)
            except StoreError as error:
                self._problems[id(job)] = error
                self.has_store_failed = True
                took = Took(now=job.spending.total)
                self._publish(self._summarise(item, job, None, took=took, error=str(error)))
        return self._problems[id(job)]

    def _judge(self, item: EvalItem, job: Job) -> Problem | None:
        from tierwise.evals.judging import judge_eval  # noqa: PLC0415  loaded when evals run
        from tierwise.evals.table import eval_lines  # noqa: PLC0415

        took = self._keeping.recount(job)
        plan = job.plan
        named = {name: self._beside(run, job) for name, run in self.named.items()}
        try:
            if job.stopped_by is not None:
                raise job.stopped_by
            judged = judge_eval(
                plan.expectations,
                plan.controls,
                job.tally,
                baseline=self._beside(self.baseline, job),
                named={name: found for name, found in named.items() if found is not None},
                watch=job.counted.stop,
            )
        except (MisuseError, PolicyViolation) as error:
            self._publish(self._summarise(item, job, None, took=took, error=str(error)))
            return error
        summary = self._summarise(item, job, judged, took=took)
        self._keeping.keep_verdicts(summary, plan)
        self._publish(summary)
        if judged.verdict is Verdict.PROVEN:
            return None
        text = "\n".join([f"eval {judged.verdict}", *eval_lines(summary)])
        return EvalConclusion(_state_of(judged, job), text, reason=_reason_of(judged, job))

    def _beside(self, run: BaselineRun | None, job: Job) -> Baseline | None:
        """Return what a job's eval scored in an earlier run, and what of it is its own."""
        if run is None:
            return None
        found = run.of(job.plan.eval_id, job.plan.provider)
        return self._keeping.find_shared(found, run.run.run_id, job)

    def _summarise(
        self, item: EvalItem, job: Job, judged: Judged | None, *, took: Took, error: str = ""
    ) -> EvalSummary:
        from tierwise.evals.keeping import summarise  # noqa: PLC0415  loaded when evals run

        runs = self.runs.get(id(job), PlanRuns())
        return summarise(
            job,
            judged,
            run_number=runs.number if took.number is None else max(1, took.number),
            n_unjudged_runs=runs.n_unjudged,
            reused=runs.reused,
            ran_because=runs.reasons,
            remarks=runs.remarks,
            n_cached=took.n_cached,
            spent=took.now,
            spent_before=took.before,
            shared_fixtures=item.shared_names,
            error=error,
        )

    def _publish(self, summary: EvalSummary) -> None:
        self.summaries.append(summary)
        for judgement in summary.judgements:
            self._listen(
                VerdictReached(
                    eval_id=summary.eval_id,
                    provider=summary.provider,
                    expectation=judgement.expectation,
                    verdict=judgement.verdict,
                    reason=judgement.reason,
                )
            )
        self._listen(EvalJudged(summary=summary))


def _rank(problem: Problem) -> int:
    if isinstance(problem, PolicyViolation | StoreError):
        return -1
    state = problem.state if isinstance(problem, EvalConclusion) else "misuse"
    return _WORST_FIRST.index(state)


def _reason_of(judged: Judged, job: Job) -> str:
    found = next((entry for entry in judged.judgements if entry.verdict is judged.verdict), None)
    reason = "" if found is None else f"{found.expectation}: {found.reason}"
    return f"{job.cut_by}; {reason}" if job.cut_by else reason


def _state_of(judged: Judged, job: Job) -> str:
    if judged.verdict is Verdict.UNDECIDED and job.cut_by:
        return "budget"
    return "nothing" if judged.is_nothing_observed else str(judged.verdict)
