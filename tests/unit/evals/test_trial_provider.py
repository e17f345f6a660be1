"""What a trial's provider keeps of its calls, whatever becomes of them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel

from tierwise.domain import Message, Outcome, ToolCall
from tierwise.evals import Trial, at_least, declaration_of, evaluate
from tierwise.evals.budget import Budget, BudgetReached
from tierwise.evals.calling import Caller
from tierwise.evals.listening import TrialProvider
from tierwise.evals.plan import make_plan
from tierwise.evals.planned_trials import trials_of
from tierwise.evals.purse import Purse
from tierwise.evals.retrying import RetryPolicy
from tierwise.evals.running import Body, Setting, TrialResult, run_trial
from tierwise.evals.waiting import pause
from tierwise.providers import (
    Failure,
    FailureKind,
    MockProvider,
    Provider,
    Request,
    SchemaProvider,
    Tool,
)

if TYPE_CHECKING:
    from collections.abc import Callable

Run = Any
BUSY = Failure(kind=FailureKind.BUSY, message="later")


def ask(text: str = "hi", **options: Any) -> Request[Any]:
    return Request(messages=(Message(role="user", content=text),), **options)


def provider_of(inner: Provider, **options: Any) -> TrialProvider:
    return TrialProvider(Caller(inner, **options), seed=1, eval_id="e", index=0)


class Move(BaseModel):
    to: str


def test_an_exchange_holds_attempts_cost_source_and_schema(jumping: Run) -> None:
    """All that a record needs, and what the audit of contexts reads."""

    async def scenario(clock: Callable[[], float]) -> TrialProvider:
        provider = provider_of(
            MockProvider([BUSY, {"to": "inn"}]),
            retry=RetryPolicy(),
            clock=clock,
            chance=lambda: 0.0,
        )
        await provider.generate(ask(schema=Move, viewer="tom"))
        return provider

    provider = jumping(scenario)
    (said,) = provider.exchanges
    assert [attempt.failure for attempt in said.attempts] == ["busy", None]
    assert (said.cost_usd, said.source, said.viewer) == (0.0, "live", "tom")
    assert said.data == {"to": "inn"}
    assert '"to"' in said.attached
    assert provider.waited_s == 0.5


def test_a_call_that_is_cut_off_keeps_its_attempts(jumping: Run) -> None:
    """Also while it is under way, and when it ended in the middle of a backoff."""

    async def scenario(clock: Callable[[], float]) -> list[Any]:
        provider = provider_of(MockProvider([BUSY]), retry=RetryPolicy(), clock=clock)
        task = asyncio.create_task(provider.generate(ask()))
        await pause(0.1)
        under_way = provider.exchanges
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return [(s.failure, len(s.attempts)) for s in (*under_way, *provider.exchanges)]

    assert jumping(scenario) == [("in_flight", 1), ("cancelled", 1)]


def test_what_changes_later_does_not_change_an_exchange() -> None:
    """Neither the prompt's tool calls nor the reply's."""
    given: dict[str, Any] = {"at": "chest"}
    wish = ToolCall(name="look", arguments=given)
    turns = (Message(role="assistant", content="", tool_calls=(wish,)),)
    provider = provider_of(MockProvider([lambda _request: wish]))
    request: Request[Any] = Request(messages=turns, tools=(Tool(name="look"),))
    asyncio.run(provider.generate(request))
    given["at"] = "door"
    (said,) = provider.exchanges
    assert said.prompt[0].tool_calls[0].arguments == {"at": "chest"}
    assert said.tool_calls[0].arguments == {"at": "chest"}


def test_an_agent_s_turns_with_tool_calls_can_be_asked_again() -> None:
    """Arguments are dicts, and what was asked is looked up all the same."""
    turns = tuple(
        Message(role="assistant", content="", tool_calls=(ToolCall(name="look", arguments=given),))
        for given in ({"at": "chest"}, {"at": "door"})
    )
    provider = provider_of(MockProvider([BUSY, "fine", BUSY]))
    for turn in (turns[0], turns[0], turns[1]):
        asyncio.run(provider.generate(Request(messages=(turn,))))
    failure = provider.open_failure
    assert failure is not None
    assert failure.kind is FailureKind.BUSY
    assert len(provider.exchanges) == 3


def test_schemas_are_written_out_once_a_run() -> None:
    """It takes longer than all the rest of a call."""
    written: list[type] = []

    class Counted(BaseModel):
        to: str

        @classmethod
        def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
            written.append(cls)
            return super().model_json_schema(*args, **kwargs)

    caller = Caller(MockProvider([{"to": "inn"}] * 6))
    for index in range(3):
        provider = TrialProvider(caller, seed=1, eval_id="e", index=index)
        for _ in range(2):
            asyncio.run(provider.generate(ask(schema=Counted)))
        assert all(said.attached for said in provider.exchanges)
    assert len(written) == 1


async def polite(provider: Provider, trial: Trial) -> None:
    """Ask twice and score."""
    for _ in range(2):
        trial.require(await provider.generate(ask()))
    trial.score(fine=True)


async def stubborn(provider: Provider, trial: Trial) -> None:
    """Go on whatever happens."""
    await asyncio.gather(*[provider.generate(ask()) for _ in range(2)], return_exceptions=True)
    trial.score(fine=True)


async def grouped(provider: Provider) -> None:
    """Ask in a task group, which wraps what ends it."""
    async with asyncio.TaskGroup() as group:
        for _ in range(2):
            group.create_task(provider.generate(ask()))


async def failing(provider: Provider) -> None:
    """Turn it into a failed assertion."""
    try:
        await polite(provider, Trial(index=0, seed=0, make_folder=Path))
    except BaseException:  # noqa: BLE001  as a body may
        raise AssertionError("no answer") from None


@pytest.mark.parametrize("body", [polite, stubborn, grouped, failing])
def test_a_trial_that_the_budget_ended_is_not_run(body: Callable[..., Any]) -> None:
    """Whatever its body made of that; what was said is kept, since it was paid."""
    purse = Purse(Budget(calls=1))
    result = run_one(body, Caller(SchemaProvider(), purse=purse))
    assert result.conclusion.outcome is Outcome.NOT_RUN
    assert result.conclusion.message == (
        "stopped by budget: the budget of the run is reached: 1 of 1 calls spent"
    )
    assert [said.failure for said in result.exchanges] == [None, "raised:BudgetReached"]
    assert purse.spent().calls == 1


def test_no_except_exception_hides_a_budget_that_is_reached() -> None:
    """Apps catch everything; this they do not."""
    assert not issubclass(BudgetReached, Exception)


def run_one(function: Callable[..., Any], caller: Caller) -> TrialResult:
    """Run one trial of a body."""
    declared = evaluate(cases=["a"], trials=1, expect=[at_least("fine", 0.5)])(function)
    declaration = declaration_of(declared)
    assert declaration is not None
    plan = make_plan(declaration, eval_id="e", tier=None, source="", provider="p")
    wants = set(function.__code__.co_varnames[: function.__code__.co_argcount])
    body = Body(function=function, wants=frozenset(wants & {"provider", "trial"}))
    setting = Setting(caller=caller, eval_id="e", timeout_s=60, make_folder=Path)
    return asyncio.run(run_trial(body, setting, next(iter(trials_of(plan)))))
