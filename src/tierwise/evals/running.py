"""One trial: the body is called, cut off in time, and what happened is concluded."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from tierwise.domain import Outcome
from tierwise.evals.blocking import TRIAL
from tierwise.evals.copying import UncopiedCaseError
from tierwise.evals.cutting import await_ending
from tierwise.evals.in_thread import run_in_thread
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
    from tierwise.evals.plan import PlannedCase
    from tierwise.evals.planned_trials import PlannedTrial
    from tierwise.providers import Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The test function of an eval, with what it wants and the fixtures it shares."""

    function: Callable[..., Any]
    wants: frozenset[str]
    """Which of `case`, `provider` and `trial` it takes."""
    shared: Mapping[str, Any] = field(default_factory=dict)
    make_owner: Callable[[], Any] | None = None
    """Makes the instance that a method is called on, a fresh one for each trial."""
    is_async: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_async", inspect.iscoroutinefunction(self.function))


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
    """One trial as it ended."""

    planned: PlannedTrial
    conclusion: Conclusion
    notes: tuple[str, ...] = ()
    duration_s: float = 0.0
    exchanges: tuple[Exchange, ...] = ()
    fatal: BaseException | None = None
    """What its whole eval ends with: no other trial could come to more."""
    cut_by: str = ""
    """The budget that let no further call be made."""
    graders: Mapping[str, str] = field(default_factory=dict)
    """What has to be said beside a verdict on a metric that a judge scored."""


class _Offered(NamedTuple):
    """What a body may ask for by name."""

    case: PlannedCase
    provider: TrialProvider | None
    trial: Trial

    def arguments_of(self, body: Body) -> dict[str, Any]:
        """Return what this body takes."""
        arguments: dict[str, Any] = dict(body.shared)
        if "case" in body.wants:
            arguments["case"] = self.case.take_value()
        if "provider" in body.wants:
            arguments["provider"] = self.provider
        if "trial" in body.wants:
            arguments["trial"] = self.trial
        return arguments


async def run_trial(body: Body, setting: Setting, planned: PlannedTrial) -> TrialResult:
    """Run one trial to its end, or to its time-out.

    The body runs in a task, and so in a context of its own: nothing that it sets there reaches
    another trial. Cancelling this call cancels the body.
    """
    started = time.perf_counter()
    provider = _provider_of(setting, planned)
    trial = Trial(
        index=planned.index,
        seed=planned.seed,
        make_folder=setting.make_folder,
        loop=asyncio.get_running_loop(),
        said=lambda: () if provider is None else provider.exchanges,
        is_unanswered=lambda: provider is not None and _is_unanswered(provider.open_failure),
    )
    offered = _Offered(case=planned.planned, provider=provider, trial=trial)
    label = planned.planned.label
    name = f"{TRIAL}{setting.eval_id} (case {label!r}, index {planned.index})"
    task = asyncio.create_task(_run_body(body, setting, offered), name=name)
    ending = await await_ending(task, setting.timeout_s, waited_s=_waited_of(provider))
    stop = None if provider is None else provider.stopped_by
    if stop is not None:
        # Whatever the body made of it: what it did without the answer is no observation.
        ending = Ending(outcome=Outcome.NOT_RUN, message=str(stop))
    failure = None if provider is None else provider.open_failure
    scores = trial.close()
    if _is_unanswered(failure):
        # What was read from an answer that never came is not even a sighting.
        scores = trial.founded_scores
    return TrialResult(
        planned=planned,
        conclusion=conclude(ending, scores, failure),
        notes=trial.notes,
        duration_s=time.perf_counter() - started,
        exchanges=() if provider is None else provider.exchanges,
        fatal=ending.error if ending.ends_eval else None,
        cut_by="" if stop is None else str(stop),
        graders=trial.graders,
    )


def _is_unanswered(failure: Failure | None) -> bool:
    return failure is not None and failure.kind.outcome is not None


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


async def _run_body(body: Body, setting: Setting, offered: _Offered) -> Ending:
    try:
        with setting.acting():
            arguments = offered.arguments_of(body)
            function = body.function
            if body.make_owner is not None:
                function = function.__get__(body.make_owner())
            if body.is_async:
                await function(**arguments)
            else:
                result = await run_in_thread(lambda: function(**arguments))
                if inspect.isawaitable(result):
                    await result
    except KeyboardInterrupt:
        raise
    except UncopiedCaseError as error:
        return Ending(error=error, outcome=Outcome.ERROR, message=str(error), ends_eval=True)
    except BaseException as error:  # noqa: BLE001  a trial is an observation, whatever it raises
        return replace(setting.explain(error), where=locate(error, setting.root))
    return Ending()
