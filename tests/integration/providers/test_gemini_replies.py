"""How Gemini alone answers and fails, in a box; see test_vendor_*.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pydantic
import pytest
from sdk_vendors import GEMINI, WEATHER, SdkVendor, ask, plain

from tierwise.domain import Usage
from tierwise.gateway import Say, Stop
from tierwise.providers import Answer, Failure, FailureKind

if TYPE_CHECKING:
    from sdk_vendors import Make

    from tierwise.gateway import Gateway


@pytest.fixture
def vendor() -> SdkVendor:
    """Take this one alone."""
    return GEMINI


async def test_results_of_googles_own_tools_were_read(gateway: Gateway, make: Make) -> None:
    """They are counted beside the prompt, and are part of what was read here."""
    told = {"promptTokenCount": 10, "toolUsePromptTokenCount": 50, "candidatesTokenCount": 5}
    gateway.when().say("Four.", extra={"usageMetadata": told})

    reply = await make().generate(ask())

    assert reply.usage == Usage(input_tokens=60, output_tokens=5)


@pytest.mark.parametrize("told", [None, [], {"promptTokenCount": "many"}, {"totalTokenCount": 9}])
async def test_what_was_not_counted_is_0(gateway: Gateway, make: Make, told: Any) -> None:
    """A count that is none is no error."""
    gateway.when().say("Four.", extra={"usageMetadata": told})

    assert (await make().generate(ask())).usage == Usage()


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_the_delay_of_retry_info_is_read(gateway: Gateway, make: Make, status: int) -> None:
    """Gemini says in the body how long to leave it alone."""
    gateway.when().fail(status, retry_after_s=36.5)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert (reply.retry_after_s, reply.retryable) == (36.5, True)


async def test_a_retry_after_in_front_is_read_too(gateway: Gateway, make: Make) -> None:
    """A proxy may write the header; that one is nearer."""
    gateway.when().fail(429, retry_after_s=36.5, headers=(("retry-after", "7"),))

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.retry_after_s == 7.0


@pytest.mark.parametrize("delay", ["soon", "s", "nans", "infs", 5, None])
async def test_a_delay_that_is_none(gateway: Gateway, make: Make, delay: Any) -> None:
    """RetryInfo without seconds says nothing."""
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    error = {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [info, "x"]}
    body = pydantic.TypeAdapter(dict[str, Any]).dump_json({"error": error})
    gateway.when().fail(429, body=body)

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert (reply.kind, reply.retry_after_s) == (FailureKind.BUSY, None)


async def test_a_blocked_prompt_is_refused(gateway: Gateway, make: Make) -> None:
    """There is no candidate, and the prompt was read."""
    usage = Usage(input_tokens=4)
    gateway.when().say(stop=Stop.FILTERED, refusal="Not this.", usage=usage)

    reply = await make().generate(ask())

    assert plain(reply) == Failure(
        kind=FailureKind.REFUSED,
        message="The prompt was blocked (SAFETY).",
        text="Not this.",
        usage=usage,
        model=GEMINI.model,
    )


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("RECITATION", FailureKind.REFUSED),
        ("PROHIBITED_CONTENT", FailureKind.REFUSED),
        ("MALFORMED_FUNCTION_CALL", FailureKind.MALFORMED),
        ("UNEXPECTED_TOOL_CALL", FailureKind.MALFORMED),
        ("OTHER", FailureKind.UNAVAILABLE),
        ("A_NEW_ONE", FailureKind.UNAVAILABLE),
    ],
)
async def test_each_reason_has_its_kind(
    gateway: Gateway, make: Make, reason: str, kind: FailureKind
) -> None:
    """A reason that nobody knows is no success."""
    candidate = {"content": {"role": "model", "parts": [{"text": "so"}]}, "finishReason": reason}
    gateway.when().say("x", extra={"candidates": [candidate]})

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert (reply.kind, reply.text) == (kind, "so")
    assert reason in reply.message


@pytest.mark.parametrize("call", [{"args": {}}, {"name": "weather", "args": "Rom"}, "weather"])
async def test_a_call_that_is_none_is_malformed(gateway: Gateway, make: Make, call: Any) -> None:
    """A call has a name, and args that are an object."""
    content = {"role": "model", "parts": [{"functionCall": call}]}
    candidate = {"content": content, "finishReason": "STOP"}
    gateway.when().say("x", extra={"candidates": [candidate]})

    reply = await make().generate(ask(tools=(WEATHER,)))

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.MALFORMED


async def test_an_error_that_is_no_text_is_garbled(gateway: Gateway, make: Make) -> None:
    """The SDK reads errors before it shows them, and gives up on bytes of no encoding."""
    gateway.when().fail(503, body=b'\xff{"error": 1}')

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert (reply.kind, reply.retryable) == (FailureKind.GARBLED, True)


async def test_an_error_under_a_status_of_success(gateway: Gateway, make: Make) -> None:
    """An error is one, whatever came before it."""
    error = {"code": 503, "status": "UNAVAILABLE", "message": "Later."}
    gateway.when().say("x", extra={"error": error})

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.UNAVAILABLE


_ENDED = {"finishReason": "STOP"}


@pytest.mark.parametrize(
    "candidates",
    [
        None,
        [],
        ["Here."],
        {"a": 1},
        [{"content": {"parts": [{"text": "Here."}]}}],
        [{**_ENDED, "content": "Here."}],
        [{**_ENDED, "content": {"parts": "Here."}}],
        [{**_ENDED, "content": {"parts": ["Here."]}}],
    ],
)
async def test_a_body_without_an_answer_is_garbled(
    gateway: Gateway, make: Make, candidates: Any
) -> None:
    """JSON without candidates, without parts or without a reason is no answer."""
    gateway.when().say("Here.", extra={"candidates": candidates})

    reply = await make().generate(ask())

    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.GARBLED


async def test_parts_of_a_text_are_one(gateway: Gateway, make: Make) -> None:
    """Parts that are text are one text to us, thoughts left out."""
    parts = [{"text": "hm", "thought": True}, {"text": "He"}, {"text": "re."}]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    gateway.when().say(Say(extra={"candidates": [candidate]}))

    reply = await make().generate(ask())

    assert isinstance(reply, Answer)
    assert reply.text == "Here."
