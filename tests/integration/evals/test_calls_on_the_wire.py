"""Calls to a vendor on loopback that has a bad hour: all are accounted for, on both sides."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

from fake_vendor import MODEL, FakeVendor, Faults, refuse

from tierwise.domain import Message, Outcome
from tierwise.evals import Trial, at_least, declaration_of, evaluate
from tierwise.evals.budget import Budget, BudgetReached
from tierwise.evals.calling import Called, Caller
from tierwise.evals.engine import Engine
from tierwise.evals.job import Job
from tierwise.evals.limiting import Limiter
from tierwise.evals.plan import make_plan
from tierwise.evals.purse import Purse
from tierwise.evals.retrying import RetryPolicy
from tierwise.evals.running import Body, Setting, TrialResult
from tierwise.providers import Answer, HttpProvider, Provider, Request

FAULTS = Faults(busy=0.1, failing=0.05, garbled=0.02, hanging=0.01, retry_after_s=0.05, seed=5)
COUNTED_AS = {
    "answered": None,
    "busy": "busy",
    "failing": "unavailable",
    "garbled": "garbled",
    "hanging": "timeout",
}
QUICK = RetryPolicy(first_wait_s=0.01, jitter_s=0.01, longest_wait_s=0.1)


def ask(n: int) -> Request[Any]:
    return Request(messages=(Message(role="user", content=f"question {n}"),))


async def call_all(caller: Caller, n_calls: int) -> list[Called[Any] | BaseException]:
    """Make all calls at once."""
    calls = [caller.call(ask(n), eval_id="e", index=n) for n in range(n_calls)]
    return await asyncio.gather(*calls, return_exceptions=True)


def test_every_attempt_is_counted_as_the_vendor_counts_it() -> None:
    """429, 500, garbled bodies and hangs: each call is answered at last, and nothing is lost."""
    with FakeVendor(answer="yes", faults=FAULTS, latency_s=0.002) as vendor:
        limiter, purse = Limiter(ceiling=40), Purse(Budget(calls=10_000))
        caller = Caller(
            HttpProvider(vendor.url, MODEL, real=False),
            limiter=limiter,
            retry=QUICK,
            purse=purse,
            call_timeout_s=2.0,  # far beyond what a busy machine takes
        )
        found = asyncio.run(call_all(caller, 200))
    assert all(isinstance(each, Called) and isinstance(each.reply, Answer) for each in found)
    attempts = Counter(
        attempt.failure for each in found if isinstance(each, Called) for attempt in each.attempts
    )
    assert attempts == {COUNTED_AS[name]: n for name, n in vendor.counts.items()}
    assert set(vendor.counts) == set(COUNTED_AS)
    assert purse.spent().calls == vendor.n_requests
    assert vendor.most_in_flight <= 40
    assert limiter.n_in_flight == 0
    assert limiter.limit < 40


def test_a_budget_stops_exactly_there() -> None:
    """The vendor never sees a call that was not covered, though 200 ask at once."""
    with FakeVendor(answer="yes", faults=FAULTS, latency_s=0.002) as vendor:
        purse = Purse(Budget(calls=60))
        caller = Caller(
            HttpProvider(vendor.url, MODEL, real=False),
            limiter=Limiter(ceiling=40),
            retry=QUICK,
            purse=purse,
            call_timeout_s=2.0,  # far beyond what a busy machine takes
        )
        found = asyncio.run(call_all(caller, 200))
    assert vendor.n_requests == purse.spent().calls == 60
    ends = Counter(type(each) for each in found)
    assert set(ends) == {Called, BudgetReached}
    assert ends.total() == 200


async def body(case: int, provider: Provider, trial: Trial) -> None:
    """Ask once and score."""
    answer = trial.require(await provider.generate(ask(case)))
    trial.score(fine=answer.text == "yes")


def test_trials_outlast_a_rate_limit_that_is_longer_than_their_time() -> None:
    """Waiting for the vendor is not working: none is cut off, each has its outcome.

    inspect_ai#2902: waiting was told apart only once it was over, so that the limit came first.
    """
    declared = evaluate(cases=range(3), trials=2, expect=[at_least("fine", 0.5)], stop="fixed")
    declaration = declaration_of(declared(body))
    assert declaration is not None
    wait = {"Retry-After": "1.5"}
    refusals = [refuse(429, "rate_limit_exceeded", "Slow down.", headers=wait, counted="busy")] * 3
    landed: list[TrialResult] = []
    with FakeVendor(answer=lambda _asked: refusals.pop() if refusals else "yes") as vendor:
        caller = Caller(
            HttpProvider(vendor.url, MODEL, real=False), limiter=Limiter(ceiling=3), retry=QUICK
        )
        job = Job(
            plan=make_plan(declaration, eval_id="e", tier=None, source="", provider="p"),
            body=Body(function=body, wants=frozenset({"case", "provider", "trial"})),
            setting=Setting(caller=caller, eval_id="e", timeout_s=1.0, make_folder=Path),
        )
        engine = Engine(concurrency=3, land=lambda _job, result: landed.append(result))
        engine.run([job])
        engine.close()
    assert [result.conclusion.outcome for result in landed] == [Outcome.PASSED] * 6
    attempts = [a for result in landed for said in result.exchanges for a in said.attempts]
    assert len(attempts) == vendor.n_requests
    assert [attempt.failure for attempt in attempts].count("busy") == 3
    assert max(result.duration_s for result in landed) > 1.5
