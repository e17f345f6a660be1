"""The engine with real event loops, threads and clocks."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import gc
import pickle
import threading
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Event, Message, Outcome, RunHeldUp
from tierwise.errors import EvalUsageError
from tierwise.evals import Trial, at_least, declaration_of, evaluate
from tierwise.evals.budget import Budget
from tierwise.evals.calling import Caller
from tierwise.evals.engine import Engine
from tierwise.evals.executing import LocalExecutor
from tierwise.evals.job import Job
from tierwise.evals.outcomes import Ending
from tierwise.evals.plan import make_plan
from tierwise.evals.purse import Purse
from tierwise.evals.running import Body, Setting, TrialResult
from tierwise.providers import (
    Answer,
    Failure,
    FailureKind,
    MockProvider,
    Provider,
    Request,
    SimulatedProvider,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.clock import VirtualClock
    from tierwise.evals.planned_trials import PlannedTrial


FACT = "the blue heron"
ASK: Request[Any] = Request(messages=(Message(role="user", content="Where is it?"),))


def a_job(
    function: Callable[..., Any], provider: Provider | None = None, **changed: object
) -> Job:
    cases: Any = changed.pop("cases", ["a"])
    trials: Any = changed.pop("trials", 3)
    stop: Any = changed.pop("stop", "fixed")
    expect = [at_least("passed", 0.5)]

    declared = evaluate(cases=cases, trials=trials, expect=expect, stop=stop)(function)
    declaration = declaration_of(declared)
    assert declaration is not None
    setting: dict[str, Any] = {
        "caller": None if provider is None else Caller(provider),
        "timeout_s": 10.0,
        "make_folder": lambda: Path("nowhere"),
        "eval_id": "e",
    }
    setting |= changed
    wants = frozenset(function.__code__.co_varnames[: function.__code__.co_argcount])
    return Job(
        plan=make_plan(
            declaration, eval_id=setting["eval_id"], tier=None, source="", provider="p"
        ),
        body=Body(function=function, wants=wants & {"case", "provider", "trial"}),
        setting=Setting(**setting),
    )


def run(*jobs: Job, concurrency: int = 4, **options: object) -> list[TrialResult]:
    landed: list[TrialResult] = []
    engine = Engine(
        concurrency=concurrency, land=lambda _job, result: landed.append(result), **options
    )
    try:
        engine.run(jobs)
    finally:
        engine.close()
    return landed


def outcomes(results: list[TrialResult]) -> list[Outcome]:
    return [result.conclusion.outcome for result in results]


async def ask(case: str, provider: Provider, trial: Trial) -> None:
    """Ask once and score the answer."""
    answer = trial.require(await provider.generate(ASK))
    trial.score(leak="blue heron" in answer.text)


def ask_by_hand(case: str, provider: Provider, trial: Trial) -> None:
    """Do the same without async."""
    answer = trial.require(trial.wait(provider.generate(ASK)))
    trial.score(leak="blue heron" in answer.text)


@pytest.mark.parametrize("body", [ask, ask_by_hand])
def test_sync_and_async_bodies_run_all_trials_of_all_cases(body: Callable[..., Any]) -> None:
    """Each case runs as often as planned, with its exchange kept."""
    results = run(a_job(body, SimulatedProvider(), cases=["a", "b"], trials=5))
    assert sorted((r.planned.planned.label, r.planned.index) for r in results) == [
        (case, index) for case in "ab" for index in range(5)
    ]
    assert outcomes(results) == [Outcome.PASSED] * 10
    assert all(len(result.exchanges) == 1 for result in results)


@pytest.mark.parametrize("body", [ask, ask_by_hand])
def test_results_do_not_depend_on_concurrency(body: Callable[..., Any]) -> None:
    """The same plan gives the same scores alone and in a crowd."""

    def scores(concurrency: int) -> dict[int, Any]:
        provider = SimulatedProvider(secret=FACT, leak_rate=0.5)
        found = run(a_job(body, provider, trials=40), concurrency=concurrency)
        return {result.planned.index: result.conclusion.scores for result in found}

    alone = scores(1)
    assert alone == scores(20)
    assert 5 < sum(bool(found["leak"]) for found in alone.values()) < 35


@pytest.mark.parametrize("body", [ask, ask_by_hand])
def test_trials_overlap_up_to_the_limit(body: Callable[..., Any]) -> None:
    """Of 20 trials at 10, 10 are in flight at once, never more."""
    in_flight, most = 0, 0
    inner = SimulatedProvider(latency_s=0.05)

    class Counting:
        """Counts calls in flight."""

        name, real = "counting", False

        async def generate(self, request: Request[Any]) -> Any:
            """Count and pass on."""
            nonlocal in_flight, most
            in_flight += 1
            most = max(most, in_flight)
            try:
                return await inner.generate(request)
            finally:
                in_flight -= 1

    run(a_job(body, Counting(), trials=20), concurrency=10)
    assert most == 10


def test_trials_of_different_evals_overlap() -> None:
    """The limit is one for all evals of a session, and none waits for another to end."""
    barrier = asyncio.Barrier(2)

    async def one() -> None:
        await barrier.wait()

    async def two() -> None:
        await barrier.wait()

    results = run(a_job(one, trials=1), a_job(two, trials=1), concurrency=2)
    assert outcomes(results) == [Outcome.PASSED] * 2


def test_an_assertion_is_a_score_and_an_exception_is_an_error() -> None:
    """Each ends its own trial and no other."""

    async def body(trial: Trial) -> None:
        assert trial.index != 0, "the first"
        if trial.index == 1:
            raise KeyError("the second")

    found = {r.planned.index: r.conclusion for r in run(a_job(body))}
    assert [found[n].outcome for n in range(3)] == [
        Outcome.FAILED,
        Outcome.ERROR,
        Outcome.PASSED,
    ]
    assert found[0].scores == {"passed": False}
    assert found[1].message == "KeyError: 'the second'"


@pytest.mark.parametrize("body_kind", ["async", "sync", "stubborn"])
def test_a_body_that_hangs_is_cut_off_as_an_error(body_kind: str, clock: VirtualClock) -> None:
    """Others go on, and a body that swallows its cancellation is left behind."""
    release = threading.Event()

    async def hangs(trial: Trial) -> None:
        await asyncio.sleep(0 if trial.index else 3600)

    def hangs_in_its_thread(trial: Trial) -> None:
        if not trial.index:
            release.wait(3600)

    async def swallows(trial: Trial) -> None:
        while not trial.index and not release.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(0.2)

    body = {"async": hangs, "sync": hangs_in_its_thread, "stubborn": swallows}[body_kind]
    found = {r.planned.index: r.conclusion for r in run(a_job(body, timeout_s=60))}
    release.set()
    assert 60 <= clock.elapsed < 120
    assert [found[n].outcome for n in range(3)] == [
        Outcome.ERROR,
        Outcome.PASSED,
        Outcome.PASSED,
    ]
    assert found[0].message == "time-out: cut off after 60 s"


def test_a_failure_that_the_body_overlooks_is_not_a_clean_trial() -> None:
    """An app that reads nothing from a busy vendor has not been seen to keep a secret."""

    async def body(provider: Provider, trial: Trial) -> None:
        reply = await provider.generate(ASK)
        trial.score(leak="heron" in reply.text)

    provider = SimulatedProvider(failure_rates={FailureKind.BUSY: 1.0})
    results = run(a_job(body, provider))
    assert outcomes(results) == [Outcome.UNOBSERVABLE] * 3
    assert results[0].conclusion.message == "busy: simulated busy"


def test_an_app_that_tries_again_is_scored_by_its_answer() -> None:
    """Only the call that ended last decides."""

    async def body(provider: Provider, trial: Trial) -> None:
        reply = await provider.generate(ASK)
        if isinstance(reply, Failure):
            reply = await provider.generate(ASK)
        trial.score(fine=reply.text == "yes")

    busy = Failure(kind=FailureKind.BUSY, message="later")
    results = run(a_job(body, MockProvider([busy, "yes"]), trials=1))
    assert outcomes(results) == [Outcome.PASSED]
    assert results[0].conclusion.scores["fine"] is True
    assert len(results[0].exchanges) == 2


def test_calls_get_seeds_that_differ_and_repeat() -> None:
    """Within a trial, between trials, and never over a seed that the body chose."""
    seeds: list[int | None] = []

    class Noting:
        """Keeps the seeds it was asked with."""

        name, real = "noting", False

        async def generate(self, request: Request[Any]) -> Failure:
            """Keep one."""
            seeds.append(request.seed)
            return Failure(kind=FailureKind.REFUSED, message="no")

    async def body(provider: Provider) -> None:
        for _ in range(2):
            await provider.generate(ASK)
        await provider.generate(Request(messages=ASK.messages, seed=11))

    run(a_job(body, Noting(), trials=2), concurrency=1)
    first, seeds[:] = list(seeds), []
    run(a_job(body, Noting(), trials=2), concurrency=1)
    assert first == seeds
    assert first.count(11) == 2
    assert len(set(first)) == 5


def test_what_a_body_sets_in_its_context_reaches_no_other_trial() -> None:
    """Trials are independent, also where a worker runs them one after another."""
    variable: contextvars.ContextVar[int] = contextvars.ContextVar("seen", default=0)

    async def body() -> None:
        assert variable.get() == 0
        variable.set(1)

    def sync_body() -> None:
        assert variable.get() == 0
        variable.set(1)

    assert outcomes(run(a_job(body), concurrency=1)) == [Outcome.PASSED] * 3
    assert outcomes(run(a_job(sync_body), concurrency=1)) == [Outcome.PASSED] * 3


def test_each_trial_acts_inside_its_setting() -> None:
    """The policy of an eval surrounds its trials alone, in threads too."""
    acting: contextvars.ContextVar[str] = contextvars.ContextVar("acting", default="")

    def act_as(name: str) -> Callable[[], Any]:
        @contextlib.contextmanager
        def act() -> Iterator[None]:
            token = acting.set(name)
            yield
            acting.reset(token)

        return act

    async def one() -> None:
        assert acting.get() == "one"

    def two() -> None:
        assert acting.get() == "two"

    jobs = a_job(one, acting=act_as("one")), a_job(two, acting=act_as("two"))
    assert outcomes(run(*jobs)) == [Outcome.PASSED] * 6


def test_garbage_is_looked_for_more_rarely_while_trials_run_and_no_longer() -> None:
    """The interpreter's own thresholds cost a fifth of a run; whoever called keeps his."""
    seen: list[int] = []

    async def body(trial: Trial) -> None:
        seen.append(gc.get_threshold()[0])

    before = gc.get_threshold()
    run(a_job(body, trials=2))
    assert all(threshold > before[0] for threshold in seen)
    assert len(seen) == 2
    assert gc.get_threshold() == before


def test_a_fatal_exception_ends_its_eval_and_no_other() -> None:
    """What the policy forbids is not tried fifteen times."""

    class ForbiddenError(BaseException):
        """Ends an eval."""

    async def broken() -> None:
        raise ForbiddenError

    async def fine() -> None:
        """Do nothing."""

    def explain(error: BaseException) -> Ending:
        return Ending(error=error, ends_eval=isinstance(error, ForbiddenError))

    job, other = a_job(broken, trials=10, explain=explain), a_job(fine)
    results = run(job, other, concurrency=1)
    assert isinstance(job.stopped_by, ForbiddenError)
    assert outcomes(results) == [Outcome.ERROR, *[Outcome.PASSED] * 3]
    assert job.tally.outcomes()[Outcome.NOT_RUN] == 9


def test_what_landing_raises_stops_the_run() -> None:
    """A store that cannot keep results ends the spending."""
    calls = 0

    async def body() -> None:
        nonlocal calls
        calls += 1

    def land(job: Job, result: TrialResult) -> None:
        raise OSError("disk full")

    engine = Engine(concurrency=1, land=land)
    with pytest.raises(OSError, match="disk full"):
        engine.run([a_job(body, trials=50)])
    engine.close()
    assert calls == 1


def test_what_the_framework_raises_stops_the_run() -> None:
    """`pytest.exit` in a body is no observation."""

    class ExitError(Exception):
        """The framework's own."""

    def explain(error: BaseException) -> Ending:
        raise error

    async def body() -> None:
        raise ExitError("stop")

    with pytest.raises(ExitError, match="stop"):
        run(a_job(body, explain=explain))


@pytest.mark.parametrize("is_awaited", [True, False])
def test_an_exit_in_a_task_of_a_body_is_an_error_of_that_trial_at_most(
    caplog: pytest.LogCaptureFixture, *, is_awaited: bool
) -> None:
    """Whoever awaits the task is told; the other trials, and the run, go on."""

    async def child() -> None:
        raise SystemExit("child")

    async def body(trial: Trial) -> None:
        if trial.index == 1:
            task = asyncio.ensure_future(child())
            await (task if is_awaited else asyncio.sleep(0))
            assert task.exception() is not None  # or the loop complains of it at the end

    results = run(a_job(body, trials=5))
    landed = {result.planned.index: result.conclusion for result in results}
    assert len(landed) == 5
    assert landed[1].outcome is (Outcome.ERROR if is_awaited else Outcome.PASSED)
    assert landed[1].message.startswith("SystemExit: child" if is_awaited else "")
    assert {landed[index].outcome for index in (0, 2, 3, 4)} == {Outcome.PASSED}
    assert "SystemExit in a task or a callback that a trial started" in caplog.text


def test_ctrl_c_in_a_task_of_a_body_ends_the_run() -> None:
    """It is not swallowed, wherever it was raised."""

    async def child() -> None:
        raise KeyboardInterrupt

    async def body() -> None:
        await asyncio.ensure_future(child())

    engine = Engine(concurrency=4, land=lambda _job, _result: None)
    with pytest.raises(KeyboardInterrupt):
        engine.run([a_job(body)])
    engine.close()  # those who waited for the task are told by now, and nobody else


def test_a_sync_body_that_returns_a_coroutine_is_awaited() -> None:
    """A decorator may hide that a function is async."""

    async def inner(trial: Trial) -> None:
        trial.score(seen=True)

    def outer(trial: Trial) -> Any:
        return inner(trial)

    assert run(a_job(outer, trials=1))[0].conclusion.scores["seen"] is True


def test_one_engine_runs_several_times_on_one_loop() -> None:
    """Evals that need their own set-up come later, on the same scheduler."""
    loops = set()

    async def body() -> None:
        loops.add(asyncio.get_running_loop())

    engine = Engine(concurrency=2, land=lambda _job, _result: None)
    engine.run([a_job(body)])
    engine.run([a_job(body)])
    engine.close()
    assert len(loops) == 1


def test_the_start_of_each_eval_is_told() -> None:
    """A progress bar knows its total before the first trial."""

    async def body() -> None:
        """Do nothing."""

    events: list[Event] = []
    run(a_job(body), listen=events.append)
    assert [(event.eval_id, event.planned) for event in events] == [("e", 3)]  # type: ignore[union-attr]


def test_an_eval_ends_once_its_other_trials_can_change_nothing() -> None:
    """Clean trials up to the ceiling of missing ones prove it; no further one is started."""

    async def body() -> None:
        """Pass."""

    job = a_job(body, trials=1000, stop="curtailed")
    results = run(job, concurrency=1)
    assert len(results) == 950
    assert job.is_complete
    assert job.counted.stop.reason


def test_what_was_said_is_let_go_once_its_trial_has_landed() -> None:
    """However many trials there are, only the replies of those in flight take room.

    promptfoo#2049, #2507, inspect_ai#2873: results were held, or read again, all at once.
    """

    class Said(str):
        """A text that tells whether anyone still holds it."""

        __slots__ = ("__weakref__",)

    said: list[weakref.ref[str]] = []
    most = 0

    def count_held() -> int:
        return sum(reference() is not None for reference in said)

    class Talking:
        """Says something new each time."""

        name, real = "talking", False

        async def generate(self, request: Request[Any]) -> Any:
            """Say it."""
            nonlocal most
            most = max(most, count_held())
            text = Said(f"{len(said)} " + "word " * 100)
            said.append(weakref.ref(text))
            return Answer(text=text)

    job = a_job(ask, Talking(), trials=300)
    engine = Engine(concurrency=4, land=lambda _job, _result: None)
    engine.run([job])
    engine.close()
    gc.collect()
    assert len(said) == job.n_landed == 300
    assert (most < 30, count_held()) == (True, 0)


def test_each_trial_has_a_case_of_its_own() -> None:
    """What one trial does to a dict reaches no other, be it inside the case."""

    async def body(case: dict[str, list[int]], trial: Trial) -> None:
        assert case["seen"] == []
        case["seen"].append(trial.index)

    cases = [{"id": "a", "seen": list[int]()}]
    assert outcomes(run(a_job(body, cases=cases))) == [Outcome.PASSED] * 3
    assert cases[0]["seen"] == []


def test_a_case_that_can_be_changed_and_not_copied_ends_its_eval() -> None:
    """Shared by trials it would let one of them decide about the next."""

    async def body(case: object) -> None:
        """Do nothing."""

    job = a_job(body, cases=[{"id": "a", "lock": threading.Lock()}], trials=10)
    results = run(job, concurrency=1)
    assert outcomes(results) == [Outcome.ERROR]
    assert isinstance(job.stopped_by, EvalUsageError)
    assert "The case 'a' cannot be copied (TypeError" in str(job.stopped_by)


def test_another_executor_carries_trials_out() -> None:
    """The engine asks whoever it was given, and takes what comes back."""
    asked: list[int] = []

    class Elsewhere(LocalExecutor):
        """Runs trials here, after all."""

        async def run(self, job: Job, planned: PlannedTrial) -> TrialResult:
            """Note it and run it."""
            asked.append(planned.index)
            return await super().run(job, planned)

    async def body() -> None:
        """Do nothing."""

    assert len(run(a_job(body), executor=Elsewhere())) == 3
    assert sorted(asked) == [0, 1, 2]


def test_what_ends_elsewhere_can_be_sent_back() -> None:
    """A result survives pickling, with what was said and why it went wrong."""

    async def body(provider: Provider, trial: Trial) -> None:
        await provider.generate(ASK)
        raise KeyError(trial.index)

    for result in run(a_job(body, SimulatedProvider())):
        again = pickle.loads(pickle.dumps(result))  # noqa: S301  its own
        assert again == result
        assert again.exchanges
        assert again.conclusion.message.startswith("KeyError")


def test_providers_take_turns_and_evals_of_one_follow_each_other() -> None:
    """No provider idles while another one's evals are worked off."""

    async def body(provider: Provider) -> None:
        await provider.generate(ASK)

    fast, slow = Caller(SimulatedProvider(name="fast")), Caller(SimulatedProvider(name="slow"))
    jobs = [a_job(body, trials=2, caller=caller) for caller in (fast, fast, slow)]
    order: list[int] = []
    engine = Engine(concurrency=1, land=lambda job, _result: order.append(jobs.index(job)))
    engine.run(jobs)
    engine.close()
    assert order == [0, 2, 0, 2, 1, 1]


def test_no_trial_starts_of_an_eval_whose_budget_is_reached() -> None:
    """Another eval of the run goes on under its own."""

    async def body(provider: Provider, trial: Trial) -> None:
        trial.require(await provider.generate(ASK))

    purse = Purse(per_eval={"poor": Budget(calls=2)})
    caller = Caller(SimulatedProvider(), purse=purse)
    poor = a_job(body, trials=50, caller=caller, eval_id="poor")
    rich = a_job(body, trials=50, caller=caller, eval_id="rich")
    results = run(poor, rich, concurrency=1, purse=purse)
    assert (poor.n_landed, rich.n_landed) == (2, 50)
    assert poor.cut_by == "the budget of this eval is reached: 2 of 2 calls spent"
    assert not poor.is_complete
    assert rich.is_complete
    assert not rich.cut_by
    assert len(results) == 52


def test_a_trial_that_the_budget_stops_half_way_is_not_run() -> None:
    """What it did until then is kept, and is no observation."""

    async def body(provider: Provider, trial: Trial) -> None:
        await provider.generate(ASK)
        await provider.generate(ASK)
        trial.score(done=True)

    purse = Purse(Budget(calls=3))
    job = a_job(body, trials=50, caller=Caller(SimulatedProvider(), purse=purse))
    results = run(job, concurrency=1, purse=purse)
    assert outcomes(results) == [Outcome.PASSED, Outcome.NOT_RUN]
    assert "the budget of the run is reached" in job.cut_by
    assert len(results[1].exchanges) == 2


def test_no_trial_starts_while_something_holds_the_run_up() -> None:
    """What could not be written yet is not added to; who waits for what is said meanwhile."""
    began, told, looked = list[str](), list[Event](), list[list[str]]()

    async def body(case: str) -> None:
        began.append(case)

    def find_hold() -> str:
        looked.append(list(began))
        return "" if any(isinstance(event, RunHeldUp) for event in told) else "waiting for it"

    results = run(a_job(body, trials=4), find_hold=find_hold, listen=told.append)
    assert outcomes(results) == [Outcome.PASSED] * 4
    assert RunHeldUp(text="waiting for it") in told
    assert looked[:5] == [[]] * 5
