"""The gateway, used as a test of a client would: type-checked, never run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, assert_type

from pydantic import BaseModel

from tierwise.domain import ToolCall, Usage
from tierwise.errors import GatewayError
from tierwise.gateway import (
    Account,
    AnswerLike,
    Asked,
    ClientVerdict,
    Criteria,
    Endpoint,
    Entry,
    Gateway,
    HttpRequest,
    HttpResponse,
    Latency,
    Misbehaviour,
    Refusal,
    Requests,
    Rule,
    Say,
    Stop,
    Turn,
    load_scenario,
)

if TYPE_CHECKING:
    from random import Random

    from tierwise.providers import Provider


class City(BaseModel):
    name: str


def test_rules(gateway: Gateway, provider: Provider) -> None:
    """A fixture as a user asks for it."""
    rule = gateway.when(
        vendor="openai",
        model=re.compile("gpt-.*"),
        header={"x-trace": "*"},
        tool_result=True,
        schema=City,
        turn=1,
        predicate=lambda asked: asked.stream,
        optional=True,
    )
    assert_type(rule.say("a", thinking="b", stop=Stop.LENGTH, usage=Usage(output_tokens=1)), Rule)
    rule.then.call("weather", {"city": "Oslo"}).call("time").then.data(City(name="a"))
    rule.then.fail(429, retry_after_s=2).times(2).then.auto().then.provider(provider)
    rule.then.say("a b c").cut(after=1).slow(1, per_token_s=draw)
    gateway.when(endpoint=Endpoint.EMBED).embed([0.5, 1.0])
    gateway.queue("a", Say(text="b"), Refusal(status=503), City(name="c"), compute)
    assert_type(gateway.load("scenario.toml"), Gateway)


def draw(rng: Random) -> float:
    """Draw a latency."""
    return rng.uniform(0, 1)


def compute(asked: Asked, state: dict[str, Any]) -> AnswerLike:
    """Answer by what was said before."""
    turn: Turn = asked.turns[-1]
    state["last"] = turn.text
    return ToolCall(name=asked.tools[0].name, arguments={})


def test_journal(gateway: Gateway) -> None:
    """What was asked."""
    found: Requests = gateway.requests.matching(last_user="a", endpoint="chat")
    entry: Entry = found.only()
    assert_type(entry.body, bytes)
    assert_type(entry.asked, Asked)
    assert_type(entry.progress.elapsed_s, float)
    verdicts: tuple[ClientVerdict, ...] = gateway.verdicts(raised=True)
    assert all(verdict.kind is Misbehaviour.GAVE_UP for verdict in verdicts)
    gateway.expect_good_client(allow=[Misbehaviour.GAVE_UP], raised=False)


async def use_without_pytest(http: HttpRequest) -> HttpResponse:
    """Have a gateway of one's own."""
    gateway = Gateway(
        account=Account(keys=frozenset({"sk-1"}), any_model=True),
        latency=Latency(before_s=0.5, first_token_s=draw),
        hosts={"models.example.com": "openai"},
    )
    with gateway.installed() as same:
        assert_type(same, Gateway)
    try:
        load_scenario("scenario.yaml").requests.only()
    except GatewayError as error:
        raise SystemExit(str(error)) from error
    assert str(Criteria(model="a"))
    assert_type(gateway.handle_now(http), HttpResponse)
    assert_type(gateway.finish(), tuple[str, ...])
    return await gateway.handle(http)
