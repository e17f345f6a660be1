"""All evals of one pytest session: one plan each, one scheduler for all."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import EvalJudged, Verdict, VerdictReached
from tierwise.errors import EvalUsageError, MissingExtraError, MisuseError, StoreError
from tierwise.pytest_plugin.eval_interrupting import EvalsInterrupted, say_interrupted
from tierwise.pytest_plugin.eval_items import EvalConclusion
from tierwise.pytest_plugin.eval_jobs import JobMaker, find_provider, shared_fixtures
from tierwise.pytest_plugin.eval_keeping import Keeping, PlanRuns
from tierwise.sandbox import PolicyViolation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.domain import EvalSummary, Listener, Violation
    from tierwise.evals.engine import Engine
    from tierwise.evals.job import Job
    from tierwise.evals.judging import Judged
    from tierwise.evals.running import TrialResult
    from tierwise.pytest_plugin.eval_items import EvalItem
    from tierwise.pytest_plugin.state import State


class EvalSession:
    """Runs and judges the evals among a session's items.

    The first eval that runs takes all those with it that need no more than session fixtures; the
    others follow at their own set-up, on the same scheduler. A rerun of an item reports again
    what its trials came to: rerunning until green is not to be had.
    """

    def __init__(
        self, config: pytest.Config, state: State, items: list[EvalItem], listen: Listener
    ) -> None:
        self.summaries: list[EvalSummary] = []
        self.is_dry: bool = config.getoption("tierwise_eval_dry_run")
        self.n_dry = 0
        self._state, self._listen = state, listen
        self._concurrency: int = (
            config.getoption("tierwise_eval_concurrency") or state.config.evals.concurrency
        )
        if not self.is_dry:
            require_judges()
        spec = config.getoption("tierwise_eval_provider") or state.config.evals.provider
        self._provider = find_provider(items, spec, root=state.config.root, is_dry=self.is_dry)
        self._maker = JobMaker(
            state,
            self._provider,
            spec=spec,
            trials=config.getoption("tierwise_eval_trials"),
            is_dry=self.is_dry,
        )
        self._keeping = Keeping(state)
        self._waiting = {item.nodeid: item for item in items}
        self._jobs: dict[str, Job] = {}
        self._runs: dict[str, PlanRuns] = {}
        self._violations: dict[str, tuple[Violation, ...]] = {}
        self._engine: Engine | None = None
        self._failure: BaseException | None = None

    def conclude(self, item: EvalItem) -> None:
        """Run what is to be run, then report this item's eval by returning or raising."""
        # What happens between the trials is the harness's own; each trial has its policy.
        with self._state.sandbox.suspended():
            if item.nodeid not in self._jobs:
                self._run_with(item)
            self._state.phase_violations.extend(self._violations.pop(item.nodeid, ()))
            job = self._jobs[item.nodeid]
            if self.is_dry:
                self._conclude_dry(job)
            else:
                self._conclude_judged(item, job)

    def duration_of(self, item: pytest.Item) -> float | None:
        """Return how long an eval's own trials took, from the first to the last."""
        job = self._jobs.get(item.nodeid)
        return None if job is None else job.duration_s

    def close(self) -> str:
        """Write what is left, end the scheduler, close the provider; return its complaint."""
        if self._engine is not None:
            self._engine.close()
        self._keeping.close()
        close = getattr(self._provider, "close", None)
        try:
            if callable(close):
                close()
        except Exception as error:  # noqa: BLE001  a user's provider may raise anything
            return f"The provider could not be closed: {type(error).__name__}: {error}"
        return ""

    def _run_with(self, item: EvalItem) -> None:
        if self._failure is not None:
            raise EvalUsageError(
                f"The evals of this session were stopped before: {self._failure}"
            ) from self._failure
        jobs = self._make_jobs([item, *self._waiting.values()])
        self._jobs |= jobs
        try:
            engine = self._start()
            for nodeid, job in jobs.items():
                self._runs[nodeid] = self._keeping.keep_plan(job.plan)
            engine.run(jobs.values())
            self._hold_violations(jobs)
            if engine.is_interrupted:
                raise KeyboardInterrupt  # noqa: TRY301  as the second one does
        except KeyboardInterrupt as error:
            self._failure = error
            is_kept = self._keeping.is_kept
            raise EvalsInterrupted(say_interrupted(jobs.values(), is_kept=is_kept)) from None
        except StoreError as error:
            self._failure = error
            pytest.exit(str(error), returncode=pytest.ExitCode.TESTS_FAILED)
        except BaseException as error:
            self._failure = error
            raise

    def _hold_violations(self, jobs: Iterable[str]) -> None:
        # Trials of other items ran in this item's turn: what they touched waits for theirs.
        for nodeid in jobs:
            if violations := self._state.sandbox.take(nodeid):
                self._violations[nodeid] = violations

    def _make_jobs(self, items: Iterable[EvalItem]) -> dict[str, Job]:
        first, *others = dict.fromkeys(items)
        jobs: dict[str, Job] = {}
        for item in (first, *(other for other in others if other.is_ready_early())):
            shared = shared_fixtures(item, running=first)
            if shared is not None:
                jobs[item.nodeid] = self._maker.make(item, shared, running=first)
                self._waiting.pop(item.nodeid, None)
        return jobs

    def _start(self) -> Engine:
        from tierwise.evals.engine import Engine  # noqa: PLC0415  loaded when evals run

        if self._engine is None:
            self._keeping.open()
            self._engine = Engine(
                concurrency=self._concurrency,
                land=self._land,
                listen=self._listen,
            )
        return self._engine

    def _land(self, job: Job, result: TrialResult) -> None:
        from tierwise.evals.keeping import trial_event  # noqa: PLC0415  loaded when evals run

        self._keeping.keep_trial(job, result)
        self._listen(trial_event(job.plan, result))

    def _conclude_judged(self, item: EvalItem, job: Job) -> None:
        from tierwise.evals.judging import judge_eval  # noqa: PLC0415  loaded when evals run
        from tierwise.evals.table import eval_lines  # noqa: PLC0415

        try:
            if job.stopped_by is not None:
                raise job.stopped_by
            judged = judge_eval(
                job.plan.expectations, job.plan.controls, job.tally, watch=job.counted.stop
            )
        except (MisuseError, PolicyViolation) as error:
            self._publish(self._summarise(item, job, None, error=str(error)), job)
            raise
        summary = self._summarise(item, job, judged)
        self._publish(summary, job)
        if judged.verdict is not Verdict.PROVEN:
            text = "\n".join([f"eval {judged.verdict}", *eval_lines(summary)])
            raise EvalConclusion(_state_of(judged), text, reason=_reason_of(judged))

    def _summarise(
        self, item: EvalItem, job: Job, judged: Judged | None, *, error: str = ""
    ) -> EvalSummary:
        from tierwise.evals.keeping import summarise  # noqa: PLC0415  loaded when evals run

        runs = self._runs.get(item.nodeid, PlanRuns())
        return summarise(
            job,
            judged,
            run_number=runs.number,
            n_unjudged_runs=runs.n_unjudged,
            shared_fixtures=item.shared_names,
            error=error,
        )

    def _publish(self, summary: EvalSummary, job: Job) -> None:
        if any(known.eval_id == summary.eval_id for known in self.summaries):
            return  # a rerun of the item reports again what is known
        self.summaries.append(summary)
        self._keeping.keep_verdicts(summary, job.plan)
        for judgement in summary.judgements:
            self._listen(
                VerdictReached(
                    eval_id=summary.eval_id,
                    expectation=judgement.expectation,
                    verdict=judgement.verdict,
                    reason=judgement.reason,
                )
            )
        self._listen(EvalJudged(summary=summary))

    def _conclude_dry(self, job: Job) -> None:
        from tierwise.evals.metrics import refuse_unscored_dry  # noqa: PLC0415  when evals run

        if job.stopped_by is not None:
            raise job.stopped_by
        self.n_dry += 1
        reasons = [f"  {n} x {reason}" for reason, n in job.tally.reasons.most_common()]
        if reasons:
            text = f"{job.plan.eval_id}: the dry run could not carry a trial out"
            raise EvalConclusion("dry", "\n".join([text, *reasons]))
        refuse_unscored_dry(job.plan.expectations, job.tally.of_arm("trial"))


def require_judges() -> None:
    """Refuse to spend anything on trials that nobody could judge."""
    if find_spec("scipy") is None:
        raise MissingExtraError(
            "Judging evals needs scipy, which is not installed. "
            "Run: pip install 'tierwise[evals]'. A dry run needs none of it."
        )


def _reason_of(judged: Judged) -> str:
    found = next((entry for entry in judged.judgements if entry.verdict is judged.verdict), None)
    return "" if found is None else f"{found.expectation}: {found.reason}"


def _state_of(judged: Judged) -> str:
    return "nothing" if judged.is_nothing_observed else str(judged.verdict)
