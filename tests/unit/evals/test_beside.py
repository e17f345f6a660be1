"""Another provider beside a trial's own: the same run pays, limits and keeps its calls."""

from __future__ import annotations

from typing import Any

import pytest

from tierwise.domain import Message, Usage
from tierwise.errors import EvalUsageError
from tierwise.evals.budget import Budget, BudgetReached
from tierwise.evals.calling import Caller
from tierwise.evals.limiting import Limiter
from tierwise.evals.listening import TrialProvider
from tierwise.evals.purse import Purse
from tierwise.evals.retrying import RetryPolicy
from tierwise.providers import Answer, Failure, FailureKind, MockProvider, Request, SchemaProvider

ASK: Request[Any] = Request(messages=(Message(role="user", content="hello"),))
BUSY = Failure(kind=FailureKind.UNAVAILABLE, message="later")


def a_trial(caller: Caller) -> TrialProvider:
    return TrialProvider(caller, seed=1, eval_id="e", index=0)


async def test_its_calls_are_kept_in_order_with_those_of_the_trial() -> None:
    """Each under the name of who answered, and with a seed of its own."""
    subject, other = MockProvider(["a", "c"], name="s"), MockProvider(["b"], name="o")
    trial = a_trial(Caller(subject))
    beside = trial.beside(other)
    assert (beside.name, beside.real) == ("o", False)
    for provider in (trial, beside, trial):
        await provider.generate(ASK)
    assert [(said.provider, said.reply) for said in trial.exchanges] == [
        ("s", "a"),
        ("o", "b"),
        ("s", "c"),
    ]
    seeds = [call.request.seed for call in (*subject.calls, *other.calls)]
    assert len(set(seeds)) == 3


async def test_its_failure_is_not_settled_by_another_s_answer() -> None:
    """The same question to two providers is two questions."""
    trial = a_trial(Caller(MockProvider(["fine"])))
    await trial.beside(MockProvider([BUSY])).generate(ASK)
    await trial.generate(ASK)
    assert trial.open_failure is not None
    assert trial.open_failure.kind is BUSY.kind


async def test_it_is_retried_and_paid_for_like_all() -> None:
    """One purse for the run; when it is empty the trial is stopped, whoever was asked."""
    purse = Purse(Budget(calls=2))
    caller = Caller(MockProvider(["a"]), purse=purse, retry=RetryPolicy(retries=1, first_wait_s=0))
    trial = a_trial(caller)
    answer = Answer[Any](text="b", usage=Usage(input_tokens=1, output_tokens=1))
    beside = trial.beside(MockProvider([BUSY, answer]))
    reply = await beside.generate(ASK)
    assert reply.text == "b"
    assert len(trial.exchanges[0].attempts) == 2
    with pytest.raises(BudgetReached):
        await trial.generate(ASK)
    assert trial.stopped_by is not None


async def test_each_provider_of_a_run_has_one_caller_and_one_limiter() -> None:
    """Trials side by side share it, and it is not that of the subject."""
    limiter = Limiter(ceiling=3)
    caller = Caller(MockProvider(), limiter=limiter)
    other = MockProvider()
    found = caller.beside(other)
    assert caller.beside(other) is found
    assert found.beside(other) is found
    third = MockProvider()
    assert found.beside(third) is caller.beside(third)
    limiter.try_enter()
    assert limiter.n_in_flight == 1
    assert (limiter.make_another().limit, limiter.make_another().n_in_flight) == (3, 0)


def test_the_trial_s_own_provider_is_beside_itself() -> None:
    """Its limits are not doubled."""
    own = MockProvider()
    caller = Caller(own)
    assert caller.beside(own) is caller


async def test_where_answers_are_made_up_nobody_else_is_asked() -> None:
    """A dry run is offline for a judge too."""
    other = MockProvider(["real"])
    trial = a_trial(Caller(SchemaProvider()))
    reply = await trial.beside(other).generate(ASK)
    assert reply.source == "made_up"
    assert trial.exchanges[0].source == "made_up"
    assert other.calls == ()


def test_a_provider_made_anew_in_each_trial_is_refused_in_time() -> None:
    """Its limits would hold for one trial, and the memory of all would be kept."""
    caller = Caller(MockProvider())
    kept = [MockProvider() for _ in range(65)]
    for provider in kept[:64]:
        caller.beside(provider)
    with pytest.raises(EvalUsageError, match="make a judge's provider once"):
        caller.beside(kept[64])
    assert caller.beside(kept[0]) is caller.beside(kept[0])
