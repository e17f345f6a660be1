"""Sync bodies call from threads, some on a loop of their own: limits hold for them too."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Message, Outcome
from tierwise.evals import Trial, at_least, declaration_of, evaluate
from tierwise.evals.budget import Budget
from tierwise.evals.calling import Caller
from tierwise.evals.engine import Engine
from tierwise.evals.job import Job
from tierwise.evals.limiting import Limiter
from tierwise.evals.plan import make_plan
from tierwise.evals.purse import Purse
from tierwise.evals.retrying import RetryPolicy
from tierwise.evals.running import Body, Setting, TrialResult
from tierwise.providers import Answer, Failure, FailureKind, Provider, Request

if TYPE_CHECKING:
    from collections.abc import Callable

ASK: Request[Any] = Request(messages=(Message(role="user", content="hi"),))


class Crowded:
    """Counts the calls in flight, from whatever thread, and is busy once in a while."""

    name, real = "crowded", False

    def __init__(self) -> None:
        self.n_calls = self.n_in_flight = self.most = 0
        self._lock = threading.Lock()

    async def generate(self, request: Request[Any]) -> Answer[Any] | Failure:
        """Answer after a moment."""
        with self._lock:
            self.n_calls += 1
            number = self.n_calls
            self.n_in_flight += 1
            self.most = max(self.most, self.n_in_flight)
        await asyncio.sleep(0.002)
        with self._lock:
            self.n_in_flight -= 1
        if number % 10 == 0:
            return Failure(kind=FailureKind.BUSY, message="later", retry_after_s=0.01)
        return Answer(text="fine")


def wait_for_it(provider: Provider, trial: Trial) -> None:
    """Call on the run's loop."""
    trial.score(fine=trial.require(trial.wait(provider.generate(ASK))).text == "fine")


def run_it(provider: Provider, trial: Trial) -> None:
    """Call on a loop of its own."""
    trial.score(fine=trial.require(asyncio.run(ask(provider))).text == "fine")


async def await_it(provider: Provider, trial: Trial) -> None:
    """Call as most do."""
    trial.score(fine=trial.require(await provider.generate(ASK)).text == "fine")


async def ask(provider: Provider) -> Answer[Any] | Failure:
    """Do what an app's own coroutine does."""
    return await provider.generate(ASK)


def a_job(body: Callable[..., Any], caller: Caller) -> Job:
    declared = evaluate(cases=["a"], trials=40, expect=[at_least("fine", 0.5)], stop="fixed")(body)
    declaration = declaration_of(declared)
    assert declaration is not None
    return Job(
        plan=make_plan(
            declaration, eval_id=body.__name__, tier=None, source="", provider="crowded"
        ),
        body=Body(function=body, wants=frozenset({"provider", "trial"})),
        setting=Setting(caller=caller, eval_id=body.__name__, timeout_s=30, make_folder=Path),
    )


@pytest.mark.parametrize("bodies", [(run_it,), (wait_for_it, run_it, await_it)], ids=len)
def test_limit_and_budget_hold_over_all_threads(bodies: tuple[Callable[..., Any], ...]) -> None:
    """No more in flight than allowed, none waits for ever, and each attempt is paid once."""
    provider, purse = Crowded(), Purse(Budget(calls=10_000))
    limiter = Limiter(ceiling=3)
    caller = Caller(
        provider,
        limiter=limiter,
        purse=purse,
        retry=RetryPolicy(first_wait_s=0.01, jitter_s=0.01),
    )
    landed: list[TrialResult] = []
    engine = Engine(concurrency=12, land=lambda _job, result: landed.append(result))
    engine.run([a_job(body, caller) for body in bodies])
    engine.close()
    assert [result.conclusion.outcome for result in landed] == [Outcome.PASSED] * 40 * len(bodies)
    assert provider.most <= 3
    assert limiter.n_in_flight == 0
    assert purse.spent().calls == provider.n_calls
