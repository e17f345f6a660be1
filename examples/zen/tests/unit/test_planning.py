from __future__ import annotations

from typing import Any

import pytest
from zen import Plane, Protocol, Row, Usage, cost_of_turn, plan_request
from zen.planning import MissingKeyError
from zen.protocols import read_text, read_usage


def paid(protocol: Protocol) -> Row:
    """Return a paid row that speaks this protocol."""
    return Row(id="m", plane=Plane.ZEN, protocol=protocol)


def test_each_protocol_has_its_path_and_its_header_for_the_key() -> None:
    """A wrong path is a 404 and a wrong header a 401 that looks like a missing key."""
    plans = {protocol: plan_request(paid(protocol), "hi", "zk-1") for protocol in Protocol}
    assert {protocol: plan.path for protocol, plan in plans.items()} == {
        Protocol.CHAT: "/v1/chat/completions",
        Protocol.RESPONSES: "/v1/responses",
        Protocol.MESSAGES: "/v1/messages",
        Protocol.GENERATE: "/v1beta/models/m:generateContent",
    }
    keys = {"authorization", "x-api-key", "x-goog-api-key"}
    assert {
        p: {n: v for n, v in plan.headers.items() if n in keys} for p, plan in plans.items()
    } == {
        Protocol.CHAT: {"authorization": "Bearer zk-1"},
        Protocol.RESPONSES: {"authorization": "Bearer zk-1"},
        Protocol.MESSAGES: {"x-api-key": "zk-1"},
        Protocol.GENERATE: {"x-goog-api-key": "zk-1"},
    }


def test_each_request_says_its_plane_and_its_version() -> None:
    """The vendor bills by plane, whatever protocol carries the request."""
    for protocol in Protocol:
        headers = plan_request(paid(protocol), "hi", "zk-1").headers
        assert (headers["x-zen-plane"], headers["user-agent"]) == ("zen", "zen/0.1.0")


def test_a_protocol_can_be_forced() -> None:
    """So that a test can ask a model wrongly on purpose."""
    plan = plan_request(paid(Protocol.CHAT), "hi", "zk-1", protocol=Protocol.MESSAGES)
    assert (plan.family, plan.path) == ("anthropic", "/v1/messages")
    assert plan.body["max_tokens"] == 64


@pytest.mark.parametrize("key", [None, "", "  "])
def test_a_paid_model_without_a_key_is_not_asked(key: str | None) -> None:
    """An empty key would be a 401 from the vendor."""
    with pytest.raises(MissingKeyError, match="zen/m is paid for"):
        plan_request(paid(Protocol.CHAT), "hi", key)


ANSWERS: dict[Protocol, dict[str, Any]] = {
    Protocol.CHAT: {
        "choices": [{"message": {"content": "Yes"}}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 1},
    },
    Protocol.RESPONSES: {
        "output": [
            {"type": "reasoning", "summary": []},
            {"type": "message", "content": [{"type": "output_text", "text": "Yes"}]},
        ],
        "usage": {"input_tokens": 3, "output_tokens": 1},
    },
    Protocol.MESSAGES: {
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Yes"}],
        "usage": {"input_tokens": 3, "output_tokens": 1},
    },
    Protocol.GENERATE: {
        "candidates": [{"content": {"parts": [{"text": "Y"}, {"text": "es"}]}}],
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 1},
    },
}


@pytest.mark.parametrize("protocol", Protocol)
def test_each_protocol_is_read(protocol: Protocol) -> None:
    """Text and tokens are found wherever the protocol keeps them."""
    body = ANSWERS[protocol]
    assert read_text(protocol, body) == "Yes"
    assert read_usage(protocol, body) == Usage(input_tokens=3, output_tokens=1)


def test_a_turn_costs_what_its_row_says() -> None:
    """Reading and writing have prices of their own, for a million tokens."""
    row = Row(id="m", plane=Plane.GO, protocol=Protocol.CHAT, input_price=2, output_price=10)
    assert cost_of_turn(row, Usage(input_tokens=500_000, output_tokens=100_000)) == 2.0
