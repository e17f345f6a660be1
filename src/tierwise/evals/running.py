"""One trial: the body is called, cut off in time, and what happened is concluded."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
import threading
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tierwise.domain import Outcome
from tierwise.evals.listening import TrialProvider
from tierwise.evals.locating import locate
from tierwise.evals.outcomes import Conclusion, Ending, conclude
from tierwise.evals.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tierwise.domain import Exchange
    from tierwise.evals.calling import Caller
    from tierwise.evals.plan import PlannedTrial

_GRACE_S = 1.0
"""A body that was cancelled has this long to clean up before it is left behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The test function of an eval, with what it wants and the fixtures it shares."""

    function: Callable[..., Any]
    wants: frozenset[str]
    """Which of `case`, `provider` and `trial` it takes."""
    shared: Mapping[str, Any] = field(default_factory=dict)
    make_owner: Callable[[], Any] | None = None
    """Makes the instance that a method is called on, a fresh one for each trial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all trials of an eval have in common besides its body."""

    caller: Caller | None
    eval_id: str = ""
    """Whose budget the calls are on, and part of a cached reply's place."""
    timeout_s: float
    acting: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext
    """Surrounds each trial: the policy of the eval's own test item."""
    make_folder: Callable[[], Path]
    explain: Callable[[BaseException], Ending] = lambda error: Ending(error=error)
    """What the test framework makes of an exception; raises what has to stop the whole run."""
    root: Path | None = None
    """The folder of the user's project, by which an error is given its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialResult:
    """One trial as it ended; `error` is the exception that ended its body, if one did."""

    planned: PlannedTrial
    conclusion: Conclusion
    notes: tuple[str, ...] = ()
    duration_s: float = 0.0
    exchanges: tuple[Exchange, ...] = ()
    error: BaseException | None = None


async def run_trial(body: Body, setting: Setting, planned: PlannedTrial) -> TrialResult:
    """Run one trial to its end, or to its time-out.

    The body runs in a task and a context of its own: nothing that it sets there reaches another
    trial. Cancelling this call cancels the body.
    """
    started = time.perf_counter()
    provider = _provider_of(setting, planned)
    trial = Trial(
        index=planned.index,
        seed=planned.seed,
        make_folder=setting.make_folder,
        loop=asyncio.get_running_loop(),
        said=lambda: () if provider is None else provider.exchanges,
    )
    offered = {"case": planned.planned.case.value, "provider": provider, "trial": trial}
    arguments = {name: offered[name] for name in body.wants} | dict(body.shared)
    task = asyncio.create_task(
        _run_body(body, arguments, setting), context=contextvars.copy_context()
    )
    ending = await await_ending(task, setting.timeout_s, waited_s=_waited_of(provider))
    if provider is not None and provider.stopped_by is not None:
        # Whatever the body made of it: what it did without the answer is no observation.
        ending = Ending(outcome=Outcome.NOT_RUN, message=str(provider.stopped_by))
    failure = None if provider is None else provider.open_failure
    return TrialResult(
        planned=planned,
        conclusion=conclude(ending, trial.close(), failure),
        notes=trial.notes,
        duration_s=time.perf_counter() - started,
        exchanges=() if provider is None else provider.exchanges,
        error=ending.error,
    )


def _provider_of(setting: Setting, planned: PlannedTrial) -> TrialProvider | None:
    if setting.caller is None:
        return None
    return TrialProvider(
        setting.caller,
        seed=planned.seed,
        eval_id=setting.eval_id,
        case_id=planned.planned.label,
        index=planned.index,
    )


def _waited_of(provider: TrialProvider | None) -> Callable[[], float]:
    return (lambda: 0.0) if provider is None else (lambda: provider.waited_s)


async def await_ending(
    task: asyncio.Task[Ending],
    timeout_s: float,
    *,
    waited_s: Callable[[], float],
    clock: Callable[[], float] = time.monotonic,
) -> Ending:
    """Wait for a body to end, and cut it off when it has worked for `timeout_s`.

    What limits and retries made it wait is not its work. `waited_s` is asked when the time seems
    to be over, and counts a wait that still goes on.
    """
    began = clock()
    try:
        done, _ = await asyncio.wait({task}, timeout=timeout_s)
        while not done and (left_s := timeout_s + waited_s() - (clock() - began)) > 0:
            done, _ = await asyncio.wait({task}, timeout=left_s)
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task}, timeout=_GRACE_S)
        raise
    if done:
        return task.result()
    task.cancel()
    # Waiting without end for a body that swallows its cancellation would hang the whole run.
    await asyncio.wait({task}, timeout=_GRACE_S)
    return Ending(outcome=Outcome.ERROR, message=f"time-out: cut off after {timeout_s:g} s")


async def _run_body(body: Body, arguments: Mapping[str, Any], setting: Setting) -> Ending:
    try:
        with setting.acting():
            function = body.function
            if body.make_owner is not None:
                function = function.__get__(body.make_owner())
            if inspect.iscoroutinefunction(function):
                await function(**arguments)
            else:
                result = await _run_in_thread(lambda: function(**arguments))
                if inspect.isawaitable(result):
                    await result
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  a trial is an observation, whatever it raises
        return replace(setting.explain(error), where=locate(error, setting.root))
    return Ending()


async def _run_in_thread(function: Callable[[], Any]) -> Any:  # noqa: ANN401  the body's own
    # A thread of its own that nobody joins: a pool would wait for ever for a body that hangs.
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def work() -> None:
        try:
            result, error = context.run(function), None
        except BaseException as raised:  # noqa: BLE001  handed to whoever awaits
            result, error = None, raised
        # The loop is closed when a body outlives the whole run.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, future, result, error)

    threading.Thread(target=work, name="tierwise-trial", daemon=True).start()
    return await future


def _settle(future: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    if future.done():
        return
    if isinstance(error, StopIteration):  # a future cannot hold one
        error = RuntimeError(f"the body raised StopIteration: {error}")
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
