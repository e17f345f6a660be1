"""All evals of one pytest session: a plan for each and each provider, one scheduler for all."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError, MissingExtraError, StoreError, WorkerError
from tierwise.pytest_plugin.eval_concluding import Concluding
from tierwise.pytest_plugin.eval_interrupting import (
    EvalsInterrupted,
    EvalsStopped,
    end_process,
    say_interrupted,
)
from tierwise.pytest_plugin.eval_jobs import JobMaker, shared_fixtures
from tierwise.pytest_plugin.eval_keeping import Keeping
from tierwise.pytest_plugin.eval_options import read_options
from tierwise.pytest_plugin.eval_providers import Providers
from tierwise.pytest_plugin.eval_refusals import refuse_idle_baseline

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pytest

    from tierwise.domain import EvalSummary, Listener, Violation
    from tierwise.evals.engine import Engine
    from tierwise.evals.executing import Executor
    from tierwise.evals.job import Job
    from tierwise.evals.running import TrialResult
    from tierwise.pytest_plugin.eval_items import EvalItem
    from tierwise.pytest_plugin.state import State

    Jobs = tuple[Job, ...]


class EvalSession:
    """Runs and judges the evals among a session's items.

    The first eval that runs takes all those with it that need no more than session fixtures; the
    others follow at their own set-up, on the same scheduler. A rerun of an item reports again
    what its trials came to: rerunning until green is not to be had.
    """

    def __init__(
        self, config: pytest.Config, state: State, items: list[EvalItem], listen: Listener
    ) -> None:
        self._config, self._state, self._listen = config, state, listen
        self._options = read_options(config, state.config.evals)
        if not self._options.is_dry:
            require_judges()
        self._providers = Providers(items, state.config, self._options)
        self._maker = JobMaker(state, self._options, self._providers.all)
        self._keeping = Keeping(state, is_fresh=self._options.is_fresh, listen=listen)
        self._concluding = Concluding(self._keeping, listen)
        self._waiting = {item.nodeid: item for item in items}
        self._items = dict(self._waiting)
        self._jobs: dict[str, Jobs] = {}
        self._violations: dict[str, tuple[Violation, ...]] = {}
        self._elsewhere: dict[str, tuple[Violation, ...]] = {}
        """What trials touched in other processes."""
        self._engine: Engine | None = None
        self._executor = self._make_executor()
        self._failure: BaseException | None = None
        self._read_baselines(items)

    @property
    def summaries(self) -> list[EvalSummary]:
        """What each eval came to with each provider, so far."""
        return self._concluding.summaries

    @property
    def has_store_failed(self) -> bool:
        """Could the store not be read, or written, when an eval was judged?"""
        return self._concluding.has_store_failed

    @property
    def is_dry(self) -> bool:
        """Is each body carried out once, offline?"""
        return self._options.is_dry

    @property
    def n_dry(self) -> int:
        """How many bodies a dry run has carried out."""
        return self._concluding.n_dry

    def conclude(self, item: EvalItem) -> None:
        """Run what is to be run, then report this item's eval by returning or raising."""
        # What happens between the trials is the harness's own; each trial has its policy.
        with self._state.sandbox.suspended():
            if item.nodeid not in self._jobs:
                self._run_with(item)
            self._state.phase_violations.extend(self._violations.pop(item.nodeid, ()))
            jobs = self._jobs[item.nodeid]
            if self.is_dry:
                self._concluding.conclude_dry(jobs)
            else:
                self._concluding.conclude(item, jobs)

    def _read_baselines(self, items: Iterable[EvalItem]) -> None:
        # Before any trial is spent on a comparison with a run that nobody knows.
        from tierwise.evals.expectations import baseline_of  # noqa: PLC0415  when evals run

        if self._options.baseline is not None:
            refuse_idle_baseline(self._options.baseline, self._items.values())
            self._concluding.baseline = self._keeping.read_baseline(self._options.baseline)
        elif not self.is_dry:
            entries = [entry for item in items for entry in item.declaration.expectations]
            for name in sorted({baseline_of(entry) or "" for entry in entries} - {""}):
                self._concluding.named[name] = self._keeping.read_baseline(name)

    def tell_error(self, item: EvalItem, error: str) -> None:
        """Show an eval of which no trial could be run."""
        tier = self._state.tier_of_item(item)
        self._concluding.tell_error(item, error, tier=None if tier is None else tier.name)

    def duration_of(self, item: pytest.Item) -> float | None:
        """Return how long an eval's own trials took, from the first to the last."""
        jobs = self._jobs.get(item.nodeid, ())
        return max((job.duration_s for job in jobs), default=None)

    def close(self) -> str:
        """Write what is left, end the scheduler, close the providers; return their complaints."""
        with self._state.sandbox.suspended():
            if self._engine is not None:
                self._engine.close()
        self._keeping.close()
        complaints = [self._providers.close(), getattr(self._executor, "complaint", "")]
        if complaints[1]:
            raise WorkerError("\n".join(filter(None, complaints)))
        return complaints[0]

    def _run_with(self, item: EvalItem) -> None:
        if self._failure is not None:
            raise EvalUsageError(
                f"The evals of this session were stopped before: {self._failure}"
            ) from self._failure
        made = self._make_jobs([item, *self._waiting.values()])
        self._jobs |= made
        jobs = [job for of_item in made.values() for job in of_item]
        try:
            engine = self._start()
            for job in jobs:
                self._concluding.runs[id(job)] = self._keeping.begin(job)
            engine.run(jobs)
            self._hold_violations(made)
            self._keeping.flush()
            if engine.is_interrupted:
                self._conclude_interrupted(made)
                raise KeyboardInterrupt  # noqa: TRY301  as the second one does
        except KeyboardInterrupt as error:
            self._failure = error
            raise EvalsInterrupted(self._settle_interrupted(jobs)) from None
        except StoreError as error:
            self._failure = error
            self._tell_stopped(made)
            raise EvalsStopped(self._keeping.settle(error)) from None
        except WorkerError as error:
            self._failure = error
            self._tell_stopped(made)
            raise EvalsStopped(str(error)) from None
        except BaseException as error:
            self._failure = error
            raise

    def _settle_interrupted(self, jobs: Iterable[Job]) -> str:
        lost = self._keeping.settle(None)
        said = say_interrupted(jobs, is_kept=self._keeping.is_kept and not lost)
        return "\n".join(filter(None, (said, lost)))

    def _give_up(self) -> None:
        # From a thread of its own: a trial lets nothing else end this process any more.
        with self._state.sandbox.suspended():
            jobs = [job for of_item in self._jobs.values() for job in of_item]
            end_process(self._listen, self._settle_interrupted(jobs))

    def _conclude_interrupted(self, made: Mapping[str, Jobs]) -> None:
        if not self.is_dry:
            for nodeid, jobs in made.items():
                self._concluding.conclude_interrupted(self._items[nodeid], jobs)

    def _tell_stopped(self, made: Mapping[str, Jobs]) -> None:
        for nodeid, jobs in made.items():
            self._concluding.tell_stopped(self._items[nodeid], jobs, "stopped")

    def _hold_violations(self, nodeids: Iterable[str]) -> None:
        # Trials of other items ran in this item's turn: what they touched waits for theirs.
        for nodeid in nodeids:
            violations = self._state.sandbox.take(nodeid) + self._elsewhere.pop(nodeid, ())
            if violations:
                self._violations[nodeid] = violations

    def _hold_elsewhere(self, nodeid: str, violations: tuple[Violation, ...]) -> None:
        self._elsewhere[nodeid] = (*self._elsewhere.get(nodeid, ()), *violations)

    def _make_executor(self) -> Executor | None:
        if self._options.executor.is_local:
            return None
        from tierwise.pytest_plugin.eval_executor import make_executor  # noqa: PLC0415  rare

        return make_executor(
            self._config,
            self._options,
            root=self._state.config.root,
            evals=tuple(self._items),
            purse=self._providers.purse,
            on_violations=self._hold_elsewhere,
        )

    def _make_jobs(self, items: Iterable[EvalItem]) -> dict[str, Jobs]:
        first, *others = dict.fromkeys(items)
        made: dict[str, Jobs] = {}
        for item in (first, *(other for other in others if other.is_ready_early())):
            shared = shared_fixtures(item, running=first)
            if shared is not None:
                made[item.nodeid] = self._maker.make(item, shared, running=first)
                self._waiting.pop(item.nodeid, None)
        return made

    def _start(self) -> Engine:
        from tierwise.evals.engine import Engine  # noqa: PLC0415  loaded when evals run

        if self._engine is None:
            self._keeping.open()
            self._engine = Engine(
                concurrency=self._options.concurrency,
                land=self._land,
                listen=self._listen,
                executor=self._executor,
                purse=self._providers.purse,
                find_hold=self._keeping.find_hold,
                give_up=self._give_up,
            )
        return self._engine

    def _land(self, job: Job, result: TrialResult) -> None:
        from tierwise.evals.keeping import trial_event  # noqa: PLC0415  loaded when evals run

        self._keeping.keep_trial(job, result)
        self._listen(trial_event(job.plan, result))


def require_judges() -> None:
    """Refuse to spend anything on trials that nobody could judge."""
    if find_spec("scipy") is None:
        raise MissingExtraError(
            "Judging evals needs scipy, which is not installed. "
            "Run: pip install 'tierwise[evals]'. A dry run needs none of it."
        )
