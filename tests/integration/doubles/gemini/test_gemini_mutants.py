"""Faults planted in the gateway's Gemini, each of which a check of this folder's kind catches."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from gemini_mistakes import PAIRS
from google import genai
from google.genai import errors, types

from tierwise.domain import ToolCall, Usage
from tierwise.doubles.gateway import Gateway, HttpRequest, Say
from tierwise.doubles.gateway.gemini import GeminiVendor, reading
from tierwise.doubles.gateway.wire import Chunk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.saying import Refusal
    from tierwise.doubles.gateway.vendor import Moment
    from tierwise.doubles.gateway.wire import HttpResponse

    Fault = Callable[[list[Any]], list[Any]]

USED = Usage(input_tokens=9, output_tokens=7, cached_input_tokens=4, reasoning_tokens=2)
CALLS = tuple(ToolCall(name="f", arguments={"n": n}) for n in (1, 2))
TOOLS = [{"function_declarations": [{"name": "f"}]}]


class Faulty(GeminiVendor):
    """Changes the bodies that it would send: one of an answer, several of a stream."""

    def __init__(self, fault: Fault) -> None:
        super().__init__()
        self.fault = fault

    def say(self, asked: Asked, says: tuple[Say, ...], moment: Moment) -> HttpResponse:
        """Answer with what the fault makes of the answer."""
        response = super().say(asked, says, moment)
        head = b"data: " if asked.stream else b""
        bodies = [json.loads(chunk.data.removeprefix(head)) for chunk in response.chunks]
        end = b"\r\n\r\n" if asked.stream else b""
        sent = [Chunk(head + json.dumps(body).encode() + end) for body in self.fault(bodies)]
        return replace(response, chunks=tuple(sent))

    def refuse(self, refusal: Refusal, moment: Moment) -> HttpResponse:
        """Refuse with what the fault makes of the error."""
        response = super().refuse(refusal, moment)
        sent = [
            Chunk(json.dumps(body).encode()) for body in self.fault([json.loads(response.body)])
        ]
        return replace(response, chunks=tuple(sent))


def ask(gateway: Gateway, says: tuple[Say, ...], *, stream: bool = False, **config: Any) -> Any:
    """Return what the SDK makes of an answer."""
    gateway.when().say(*says)
    with gateway.installed():
        client = genai.Client(api_key="k")
        ways = {True: client.models.generate_content_stream, False: client.models.generate_content}
        config = {"candidate_count": len(says), "tools": TOOLS, **config}
        config["automatic_function_calling"] = {"disable": True}
        found = ways[stream](model="gemini-3.8-flash", contents="hi", config=config)
        return list(found) if stream else found


def check_text(gateway: Gateway) -> None:
    """Have the text, its reason, and who said it."""
    reply = ask(gateway, (Say(text="a b"), Say(text="c")))
    assert [one.content.parts[0].text for one in reply.candidates] == ["a b", "c"]
    assert [one.index for one in reply.candidates] == [0, 1]
    assert {one.finish_reason for one in reply.candidates} == {types.FinishReason.STOP}
    assert {one.content.role for one in reply.candidates} == {"model"}
    assert (reply.model_version, bool(reply.response_id)) == ("gemini-3.8-flash", True)


def check_usage(gateway: Gateway) -> None:
    """Every count, each once."""
    found = ask(gateway, (Say(text="a", usage=USED),)).usage_metadata
    assert (found.prompt_token_count, found.candidates_token_count) == (9, 5)
    assert (found.thoughts_token_count, found.cached_content_token_count) == (2, 4)
    assert found.total_token_count == 16


def check_calls(gateway: Gateway) -> None:
    """Have calls in order, with ids of their own, the first one signed."""
    parts = ask(gateway, (Say(tool_calls=CALLS),)).candidates[0].content.parts
    assert [part.function_call.args for part in parts] == [{"n": 1}, {"n": 2}]
    assert len({part.function_call.id for part in parts}) == 2
    assert [bool(part.thought_signature) for part in parts] == [True, False]


def check_thoughts(gateway: Gateway) -> None:
    """Thoughts are marked and are no part of the text."""
    shown = {"include_thoughts": True}
    reply = ask(gateway, (Say(text="a", thinking="b"),), thinking_config=shown)
    assert (reply.text, reply.candidates[0].content.parts[0].thought) == ("a", True)


def check_stream(gateway: Gateway) -> None:
    """Pieces in order, one reason at the end, one id, and the tokens in the last piece."""
    chunks = ask(gateway, (Say(text="a b c", usage=USED),), stream=True)
    assert "".join(chunk.text for chunk in chunks) == "a b c"
    reasons = [chunk.candidates[0].finish_reason for chunk in chunks]
    assert reasons == [None, None, types.FinishReason.STOP]
    assert len({chunk.response_id for chunk in chunks}) == 1
    assert chunks[-1].usage_metadata.total_token_count == 16


def check_error(gateway: Gateway) -> None:
    """Have the SDK's exception with its code, its status and the delay."""
    gateway.when().fail(429, retry_after_s=3)
    client = genai.Client(api_key="k")
    with gateway.installed(), pytest.raises(errors.ClientError) as caught:
        client.models.generate_content(model="gemini-2.5-flash", contents="hi")
    assert (caught.value.code, caught.value.status) == (429, "RESOURCE_EXHAUSTED")
    assert caught.value.details["error"]["details"][-1]["retryDelay"] == "3s"


def drop(*path: str | int) -> Fault:
    """Leave out what is at this path of the last body."""

    def fault(bodies: list[Any]) -> list[Any]:
        at = bodies[-1]
        for step in path[:-1]:
            at = at[step]
        del at[path[-1]]
        return bodies

    return fault


def put(value: Any, *path: str | int) -> Fault:
    """Put something else at this path of the last body."""

    def fault(bodies: list[Any]) -> list[Any]:
        at = bodies[-1]
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value
        return bodies

    return fault


FIRST = ("candidates", 0)
PART = (*FIRST, "content", "parts", 0)
FAULTS: list[tuple[str, Callable[[Gateway], None], Fault]] = [
    ("no reason", check_text, drop(*FIRST, "finishReason")),
    ("no role", check_text, drop(*FIRST, "content", "role")),
    ("a wrong index", check_text, put(0, "candidates", 1, "index")),
    ("one candidate too few", check_text, drop("candidates", 1)),
    ("no model", check_text, drop("modelVersion")),
    ("no id", check_text, drop("responseId")),
    ("thought tokens counted twice", check_usage, put(7, "usageMetadata", "candidatesTokenCount")),
    ("no cached tokens", check_usage, drop("usageMetadata", "cachedContentTokenCount")),
    ("a wrong total", check_usage, put(14, "usageMetadata", "totalTokenCount")),
    ("no usage", check_usage, drop("usageMetadata")),
    ("no arguments", check_calls, drop(*PART, "functionCall", "args")),
    ("one id for all", check_calls, put("call-1-0-1", *PART, "functionCall", "id")),
    ("no signature", check_calls, drop(*PART, "thoughtSignature")),
    ("a call too few", check_calls, drop(*PART)),
    ("thoughts unmarked", check_thoughts, drop(*PART, "thought")),
    ("no last piece", check_stream, lambda bodies: bodies[:-1]),
    ("no first piece", check_stream, lambda bodies: bodies[1:]),
    ("pieces out of order", check_stream, lambda bodies: [*bodies[:2][::-1], bodies[2]]),
    ("no reason at the end", check_stream, drop(*FIRST, "finishReason")),
    ("another id", check_stream, put("other", "responseId")),
    ("no usage at the end", check_stream, drop("usageMetadata")),
    ("no status", check_error, drop("error", "status")),
    ("no details", check_error, put([], "error", "details")),
    ("no error at all", check_error, lambda bodies: [bodies[0]["error"]]),
]


@pytest.mark.parametrize("check", {check for _, check, _ in FAULTS})
def test_checks_hold_without_a_fault(check: Callable[[Gateway], None]) -> None:
    """What finds faults finds none in the vendor as it is, rendered anew as the faulty ones."""
    check(Gateway(vendors=[Faulty(lambda bodies: bodies)]))


@pytest.mark.parametrize(
    ("check", "fault"),
    [pytest.param(check, fault, id=name.replace(" ", "-")) for name, check, fault in FAULTS],
)
def test_a_fault_is_caught(check: Callable[[Gateway], None], fault: Fault) -> None:
    """The check fails, and not before its answer was there."""
    with pytest.raises((AssertionError, AttributeError, TypeError, LookupError)):
        check(Gateway(vendors=[Faulty(fault)]))


def nothing(*_: Any, **__: Any) -> Iterator[Any]:
    """Find no fault."""
    return iter(())


@pytest.mark.parametrize(
    "name",
    [
        "check_contents",
        "check_settings",
        "check_tools",
        "check_order",
        "check_signatures",
        "check_batch",
        "check_embed",
        "check_model",
    ],
)
def test_a_rule_that_is_not_asked_lets_mistakes_pass(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Each group of rules is what refuses some mistake of the list: without it that is served."""
    monkeypatch.setattr(reading, name, nothing)
    gateway = Gateway(strict=False)
    gateway.when(optional=True).say("served")
    found = {pair.rule for pair in PAIRS if not is_refused(gateway, pair)}
    assert found, f"nothing in the list of mistakes needs {name}"


def is_refused(gateway: Gateway, pair: Any) -> bool:
    """Tell whether a mistake is refused by the rule that it breaks."""
    http = HttpRequest(
        method="POST",
        path=f"/v1beta/models/{pair.model}:{pair.method}",
        headers={"x-goog-api-key": "k"},
        body=json.dumps(pair.bad).encode(),
    )
    try:
        gateway.handle_now(http)
    except (KeyError, TypeError, IndexError):
        return False  # what the rule keeps from later steps broke one of them
    return gateway.requests[-1].refused == pair.rule
