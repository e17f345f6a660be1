"""The gateway, used as a test of a client would: type-checked, never run."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any, assert_type

from pydantic import BaseModel

from tierwise.domain import ToolCall, Usage
from tierwise.errors import GatewayError
from tierwise.gateway import (
    Account,
    AnswerLike,
    Asked,
    Cassette,
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
    Server,
    Stop,
    Turn,
    load_scenario,
    read_cassette,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
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


def test_server(gateway_server: Server) -> None:
    """A fixture as a user asks for it."""
    gateway_server.gateway.when(vendor="anthropic").say("a")
    assert_type(gateway_server.url, str)
    assert_type(gateway_server.port, int)
    assert_type(gateway_server.base_url("openai"), str)
    environment: Mapping[str, str | None] = gateway_server.environment
    assert environment


def test_cassettes(gateway: Gateway, now: datetime) -> None:
    """Record, replay, and look at the age of what was recorded."""
    gateway.record("a.json", upstreams={"openai": "http://a"}, keys={}, secrets=["b"])
    replayed = gateway.replay("a.json", repeat=True, ignore=["body.user"], max_age_days=30)
    assert_type(replayed, Gateway)
    cassette: Cassette = read_cassette("a.json")
    assert_type(cassette.age_days(now), float)
    assert_type(cassette.recorded_at, datetime)
    with gateway.running(port=0) as server:
        assert_type(server, Server)
