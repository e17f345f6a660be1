from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from pydantic import BaseModel

from tierwise.domain import Message
from tierwise.errors import MisuseError
from tierwise.providers import Answer, Failure, FailureKind, Request, Rule, ScriptedProvider


class Move(BaseModel):
    to: str


class Verdict(BaseModel):
    valid: bool


def ask(prompt: str = "go", schema: type[BaseModel] | None = None, **labels: Any) -> Request[Any]:
    return Request(messages=(Message(role="user", content=prompt),), schema=schema, **labels)


async def texts(provider: ScriptedProvider, *requests: Request[Any]) -> list[str]:
    replies = [await provider.generate(request) for request in requests]
    return [r.text if isinstance(r, Answer) else r.kind.value for r in replies]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)])
async def test_answers_do_not_depend_on_the_order_of_calls(order: tuple[int, ...]) -> None:
    """Rules by purpose, schema, viewer and prompt find their requests in any order."""
    requests = [
        ask(purpose="intent"),
        ask(schema=Verdict),
        ask(viewer="mira"),
        ask("What is in the chest?"),
    ]
    provider = ScriptedProvider(
        [
            Rule(purpose="intent", answer="by purpose"),
            Rule(schema=Verdict, answer={"valid": True}),
            Rule(viewer="mira", answer="by viewer"),
            Rule(prompt=re.compile(r"chest\?$"), answer="by prompt"),
        ]
    )
    got = await texts(provider, *(requests[index] for index in order))
    wanted = ["by purpose", '{"valid": true}', "by viewer", "by prompt"]
    assert got == [wanted[index] for index in order]
    assert provider.finish() == ()


async def test_all_criteria_of_a_rule_must_hold() -> None:
    """A rule with two criteria is not for a request that meets one of them."""
    provider = ScriptedProvider([Rule(purpose="a", prompt="go", answer="x", optional=True)])
    got = await texts(provider, ask("go", purpose="b"), ask("no", purpose="a"))
    assert got == ["exhausted", "exhausted"]


async def test_a_sequence_gives_each_answer_once_and_then_the_next_rule_takes_over() -> None:
    """`answers` are given in order; after them a later rule for the request answers."""
    provider = ScriptedProvider([Rule(answers=["1", "2"]), Rule(answer="rest")])
    assert await texts(provider, *[ask()] * 4) == ["1", "2", "rest", "rest"]


async def test_times_limits_an_answer() -> None:
    """`times=2` answers exactly two requests, and wants exactly two."""
    provider = ScriptedProvider([Rule(answer="x", times=2)])
    assert await texts(provider, ask()) == ["x"]
    assert "answered 1 request(s); expected 2" in provider.finish()[0]
    assert await texts(provider, ask(), ask()) == ["x", "exhausted"]


async def test_an_unmatched_request_tells_the_nearest_rule_and_what_is_in_its_way() -> None:
    """The message names the nearest rule and each criterion that did not match."""
    provider = ScriptedProvider(
        [
            Rule(purpose="validate", schema=Verdict, answer={"valid": True}),
            Rule(purpose="intent", schema=Move, answer={"to": "inn"}),
        ]
    )
    reply = await provider.generate(ask(schema=Move, purpose="intnet"))
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.EXHAUSTED
    assert "rule 1, Rule(purpose='intent', schema=Move)" in reply.message
    assert "purpose is 'intnet', not 'intent'" in reply.message


async def test_among_equals_the_likeliest_misspelling_is_nearest() -> None:
    """With one wrong criterion each, the rule whose purpose is spelt alike is named."""
    rules = [Rule(purpose=p, answer="x") for p in ("summary", "intent", "judge")]
    reply = await ScriptedProvider(rules).generate(ask(purpose="intnt"))
    assert isinstance(reply, Failure)
    assert "rule 1" in reply.message


async def test_a_used_up_rule_is_named_as_such() -> None:
    """When the only rule for a request has no answer left, the message says that."""
    provider = ScriptedProvider([Rule(answers=["1"])])
    await provider.generate(ask())
    reply = await provider.generate(ask())
    assert isinstance(reply, Failure)
    assert "used up, all 1 answer(s) were given" in reply.message


async def test_an_unmatched_message_never_quotes_the_prompt() -> None:
    """What the prompt says stays out of the error."""
    provider = ScriptedProvider([Rule(prompt="chest", answer="x")])
    reply = await provider.generate(ask("the poison is in the cup"))
    assert isinstance(reply, Failure)
    assert "poison" not in reply.message
    assert "does not contain 'chest'" in reply.message


async def test_the_end_complains_of_unmatched_requests_and_unused_rules() -> None:
    """A request without a rule and a rule without a request are both complaints."""
    provider = ScriptedProvider([Rule(purpose="a", answer="x"), Rule(answer="y", optional=True)])
    assert len(provider.finish()) == 1
    assert "Rule(purpose='a')" in provider.finish()[0]
    strict = ScriptedProvider([])
    await strict.generate(ask())
    assert len(strict.finish()) == 1
    assert [exchange.failure for exchange in strict.exchanges] == ["exhausted"]


async def test_answers_are_checked_against_the_schema() -> None:
    """A rule's answer that breaks the request's schema is a mismatch."""
    reply = await ScriptedProvider([Rule(answer={"too": "inn"})]).generate(ask(schema=Move))
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.SCHEMA_MISMATCH


async def test_a_delay_is_waited_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """`delay_s` is slept before the answer and shown as its latency."""
    slept: list[float] = []

    async def sleep(delay_s: float) -> None:
        slept.append(delay_s)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    reply = await ScriptedProvider([Rule(answer="x", delay_s=1.5)]).generate(ask())
    assert slept == [1.5]
    assert reply.latency_s == 1.5


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({}, "not both"),
        ({"answer": "x", "answers": ["y"]}, "not both"),
        ({"answers": []}, "list of answers"),
        ({"answers": "xy"}, "list of answers"),
        ({"answers": ["x"], "times": 2}, "times"),
        ({"answer": "x", "times": 0}, "times"),
        ({"answer": "x", "delay_s": -1}, "delay_s"),
        ({"answer": 5}, "expected a pydantic object"),
        ({"answers": ["x", None]}, r"answers\[1\]"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused(fields: dict[str, Any], word: str) -> None:
    """A contradictory rule is an error where it is written."""
    with pytest.raises(MisuseError, match=word):
        Rule(**fields)


def test_only_rules_are_rules() -> None:
    """Plain answers in the place of rules are refused."""
    with pytest.raises(MisuseError, match="list of Rule"):
        ScriptedProvider(["hello"])  # type: ignore[list-item]
