"""What goes out to a server, and what becomes of what comes back."""

from __future__ import annotations

import asyncio
from email.utils import formatdate
from typing import TYPE_CHECKING, Any

import pytest
from fake_vendor import MODEL, FakeVendor, Faults, Response, complete, refuse
from pydantic import BaseModel
from vendor_replies import Draw

from tierwise.domain import Usage
from tierwise.providers import Answer, Failure, FailureKind, HttpProvider, Tool
from tierwise.providers.http import client as http_client

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.providers import Request

    Serve = Callable[..., FakeVendor]
    Connect = Callable[..., HttpProvider]
    Form = Callable[..., Request[Any]]

KEY = "tw-4711-very-private"


class City(BaseModel):
    city: str
    people: int = 0


async def test_an_answer_comes_back_whole(serve: Serve, connect: Connect, form: Form) -> None:
    """Text, model, usage and latency are in the answer."""
    vendor = serve(Response(body=complete("here", n_read=9, n_written=4), latency_s=0.01))
    reply = await connect(vendor).generate(form())
    assert isinstance(reply, Answer)
    assert (reply.text, reply.model) == ("here", MODEL)
    assert reply.usage == Usage(input_tokens=9, output_tokens=4)
    assert reply.latency_s >= 0.01


async def test_all_that_was_asked_arrives(serve: Serve, connect: Connect, form: Form) -> None:
    """Model, messages, parameters, options, tools and the strict schema are in the body."""
    vendor = serve('{"city": "Rome", "people": 3}')
    provider = connect(vendor, options={"top_p": 0.5})
    request = form(schema=City, tools=(Tool(name="look"),), temperature=0.5, max_tokens=50, seed=7)
    reply = await provider.generate(request)
    assert reply.data == City(city="Rome", people=3)
    asked = vendor.journal[0].asked
    body = asked.body
    assert (asked.path, body["model"]) == ("/v1/chat/completions", "fake")
    assert body["messages"] == [{"role": "user", "content": "Where is it?"}]
    passed = (body["temperature"], body["max_tokens"], body["seed"], body["top_p"])
    assert passed == (0.5, 50, 7, 0.5)
    assert body["tools"][0]["function"]["name"] == "look"
    wanted = body["response_format"]
    assert (wanted["type"], wanted["json_schema"]["strict"]) == ("json_schema", True)
    assert wanted["json_schema"]["schema"]["required"] == ["city", "people"]


async def test_a_schema_that_can_not_be_written_is_a_bad_request(
    serve: Serve, connect: Connect, form: Form
) -> None:
    """Nothing is sent when pydantic has no JSON schema for a field."""

    class Odd(BaseModel):
        model_config = {"arbitrary_types_allowed": True}
        where: FakeVendor

    vendor = serve()
    reply = await connect(vendor).generate(form(schema=Odd))
    assert (reply.kind, vendor.n_requests) == (FailureKind.BAD_REQUEST, 0)
    assert "Odd" in reply.message


async def test_the_key_goes_out_and_no_other_one(
    serve: Serve, connect: Connect, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The declared variable is read at each call; a vendor's own is never sent anywhere."""
    vendor = serve("ok")
    provider = connect(vendor)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-this-host")
    await provider.generate(form())
    monkeypatch.setenv("TIERWISE_HTTP_KEY", f" {KEY}\n")
    await provider.generate(form())
    monkeypatch.setenv("MY_KEY", "mine")
    await connect(vendor, key_env="MY_KEY").generate(form())
    sent = [entry.asked.headers.get("authorization") for entry in vendor.journal]
    assert sent == [None, f"Bearer {KEY}", "Bearer mine"]


async def test_a_wrong_key_is_told_without_showing_it(
    serve: Serve, connect: Connect, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The vendor here repeats the whole header in its error."""
    monkeypatch.setenv("TIERWISE_HTTP_KEY", KEY)
    vendor = serve("ok", key="another")
    reply = await connect(vendor).generate(form())
    assert reply.kind is FailureKind.AUTH
    assert KEY not in repr(reply)
    assert "TIERWISE_HTTP_KEY, which is set" in reply.message


@pytest.mark.parametrize(
    "case",
    [
        (400, "context_length_exceeded", "bad_request"),
        (403, None, "no_entitlement"),
        (404, "model_not_found", "not_found"),
        (410, None, "retired"),
        (429, "rate_limit_exceeded", "busy"),
        (429, "insufficient_quota", "no_entitlement"),
        (500, None, "unavailable"),
        (529, "overloaded_error", "unavailable"),
    ],
)
async def test_a_refusal_is_asked_for_once(
    serve: Serve, connect: Connect, form: Form, case: tuple[int, str | None, str]
) -> None:
    """The kind follows from status and code, the words are kept, and nothing is retried."""
    status, code, kind = case
    vendor = serve(refuse(status, code, "So it is."))
    reply = await connect(vendor).generate(form())
    assert isinstance(reply, Failure)
    assert (reply.kind.value, reply.model, vendor.n_requests) == (kind, "fake", 1)
    assert "So it is" in reply.message
    assert f"{vendor.url}/chat/completions answered {status}" in reply.message


async def test_the_time_to_wait_comes_back(serve: Serve, connect: Connect, form: Form) -> None:
    """Seconds, milliseconds and a date, as vendors send them."""
    now = 1_000_000_000
    date = {"Retry-After": formatdate(now + 20, usegmt=True), "Date": formatdate(now, usegmt=True)}
    for headers, seconds in (
        ({"Retry-After": "1.5"}, 1.5),
        ({"retry-after-ms": "300"}, 0.3),
        (date, 20.0),
    ):
        vendor = serve(refuse(429, None, "Slow down.", headers=headers))
        reply = await connect(vendor).generate(form())
        assert (reply.kind, reply.retry_after_s) == (FailureKind.BUSY, seconds)


async def test_an_error_with_status_200_is_no_answer(
    serve: Serve, connect: Connect, form: Form
) -> None:
    """A gateway's error that looks like a success is read by its own code."""
    vendor = serve(refuse(200, 429, "Slow down."))
    assert (await connect(vendor).generate(form())).kind is FailureKind.BUSY


@pytest.mark.parametrize(
    "case",
    [
        ("reset", FailureKind.UNAVAILABLE, "the connection was lost"),
        ("close", FailureKind.UNAVAILABLE, "closed without a response"),
        ("cut", FailureKind.UNAVAILABLE, "the body of the response broke off"),
        ("hang", FailureKind.TIMEOUT, "it took longer than 0.1 s"),
        ("stall", FailureKind.TIMEOUT, "it took longer than 0.1 s"),
        ("raw", FailureKind.GARBLED, "no HTTP"),
    ],
)
async def test_what_happens_to_a_connection_is_a_failure_of_its_kind(
    serve: Serve, connect: Connect, form: Form, case: tuple[Any, FailureKind, str]
) -> None:
    """Lost, cut, stalled, silent or no HTTP at all: told apart, and never an answer."""
    way, kind, words = case
    vendor = serve(Response(body=complete("a long answer"), way=way))
    async with asyncio.timeout(5):
        reply = await connect(vendor, timeout_s=0.1).generate(form())
    assert isinstance(reply, Failure)
    assert reply.kind is kind
    assert words in reply.message
    assert vendor.url in reply.message
    assert reply.latency_s > 0


async def test_nobody_there_is_unavailable(serve: Serve, connect: Connect, form: Form) -> None:
    """A port where nothing listens is told as such."""
    vendor = serve()
    vendor.stop()
    reply = await connect(vendor).generate(form())
    assert reply.kind is FailureKind.UNAVAILABLE
    assert "no connection" in reply.message


async def test_tls_that_fails_is_unavailable(serve: Serve, form: Form) -> None:
    """HTTPS to a server that speaks plain HTTP fails in words, not by an exception."""
    url = serve().url.replace("http:", "https:")
    reply = await HttpProvider(url, "fake", real=False).generate(form())
    assert isinstance(reply, Failure)
    assert (reply.kind, "TLS failed" in reply.message) == (FailureKind.UNAVAILABLE, True)


async def test_a_redirect_is_not_followed(serve: Serve, connect: Connect, form: Form) -> None:
    """Whoever is led elsewhere takes the key along; the message says where it leads."""
    elsewhere = serve("ok")
    vendor = serve(Response(status=308, headers={"Location": elsewhere.url}))
    reply = await connect(vendor).generate(form())
    assert (reply.kind, elsewhere.n_requests) == (FailureKind.BAD_REQUEST, 0)
    assert elsewhere.url in reply.message


async def test_a_very_long_prompt_goes_out(serve: Serve, connect: Connect, form: Form) -> None:
    """Three megabytes arrive whole, without a warning."""
    vendor = serve("ok")
    prompt = "x" * 3_000_000
    assert (await connect(vendor).generate(form(prompt))).text == "ok"
    assert vendor.journal[0].asked.prompt == prompt


async def test_an_answer_beyond_ascii_survives(serve: Serve, connect: Connect, form: Form) -> None:
    """Prompt and answer keep their letters in both directions."""
    vendor = serve(lambda asked: f"{asked.prompt}, gewiß 🙂")
    assert (await connect(vendor).generate(form("Größe?"))).text == "Größe?, gewiß 🙂"


async def test_many_calls_run_at_once_and_none_gets_another_s_answer(
    serve: Serve, connect: Connect, form: Form
) -> None:
    """300 calls are in flight together; each gets its own prompt back."""
    vendor = serve(lambda asked: asked.prompt)
    vendor.hold_until(300)
    provider = connect(vendor)
    prompts = [f"prompt {index}" for index in range(300)]
    replies = await asyncio.gather(*(provider.generate(form(prompt)) for prompt in prompts))
    assert [reply.text for reply in replies] == prompts
    assert vendor.most_in_flight == 300


async def test_connections_are_used_again(serve: Serve, connect: Connect, form: Form) -> None:
    """Calls one after the other share one connection, failures included."""
    vendor = serve(lambda asked: refuse(500, None, "no") if asked.number % 2 else "ok")
    provider = connect(vendor)
    for _ in range(10):
        await provider.generate(form())
    assert (vendor.n_requests, vendor.n_connections) == (10, 1)


async def test_a_cancelled_call_hangs_up(
    serve: Serve, connect: Connect, form: Form, await_that: Callable[..., None]
) -> None:
    """The vendor sees the connection go; the next call is served."""
    vendor = serve(lambda asked: Response(way="hang") if asked.prompt == "hang" else "ok")
    provider = connect(vendor)
    task = asyncio.create_task(provider.generate(form("hang")))
    await asyncio.to_thread(await_that, lambda: vendor.n_in_flight == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(await_that, lambda: vendor.n_abandoned == 1)
    assert (await provider.generate(form())).text == "ok"


async def test_a_time_out_around_a_call_is_the_caller_s_own(
    serve: Serve, connect: Connect, form: Form
) -> None:
    """A limit set outside is not turned into a failure of the provider's."""
    vendor = serve(Response(way="hang"))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await connect(vendor).generate(form())


async def test_each_fault_is_accounted_for(serve: Serve, connect: Connect, form: Form) -> None:
    """Of 1,000 calls to a vendor in a bad hour, each kind of end agrees with its own count."""
    shares = Faults(
        busy=0.1, failing=0.05, garbled=0.02, hanging=0.01, stalled=0.01, reset=0.02, seed=3
    )
    vendor = serve("ok", faults=shares)
    # Who is to be answered gets all the time that a busy machine may take; who is not is asked
    # when nobody else is, so that a short time is enough to be heard.
    patient, hasty = connect(vendor, timeout_s=60.0), connect(vendor, timeout_s=1.0)
    foreseen = Draw(shares)
    requests: dict[bool, list[Request[Any]]] = {True: [], False: []}
    for index in range(1000):
        request = form(f"prompt {index}")
        fault = foreseen.choose(patient._asking.form_body(request, None))
        requests[fault is not None and fault.way in {"hang", "stall"}].append(request)
    replies = await asyncio.gather(*(patient.generate(one) for one in requests[False]))
    replies += await asyncio.gather(*(hasty.generate(one) for one in requests[True]))
    ends = [reply.kind.value if isinstance(reply, Failure) else "ok" for reply in replies]
    counts = vendor.counts
    assert ends.count("ok") == counts["answered"]
    assert ends.count("busy") == counts["busy"]
    assert ends.count("unavailable") == counts["failing"] + counts["reset"]
    assert ends.count("garbled") == counts["garbled"]
    assert ends.count("timeout") == counts["hanging"] + counts["stalled"]
    assert sum(counts.values()) == 1000
    assert min(counts[name] for name in ("busy", "failing", "garbled", "hanging", "reset")) > 0
    assert {reply.retry_after_s for reply in replies if getattr(reply, "kind", "") == "busy"} == {
        1
    }


async def test_a_schema_asked_for_again_is_not_made_again(
    serve: Serve, connect: Connect, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The JSON schema of a class is made once for each provider."""
    made: list[type[BaseModel]] = []
    inner = City.model_json_schema
    monkeypatch.setattr(City, "model_json_schema", lambda **how: made.append(City) or inner(**how))
    provider = connect(serve('{"city": "Rome", "people": 3}'))
    for _ in range(3):
        assert (await provider.generate(form(schema=City))).data is not None
    assert made == [City]


async def test_what_a_tool_was_called_with_comes_back(
    serve: Serve, connect: Connect, form: Form
) -> None:
    """A tool call on the wire is a tool call in the answer."""
    wish = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": 1}'}}
    vendor = serve(Response(body=complete(None, finish="tool_calls", tool_calls=[wish])))
    reply = await connect(vendor).generate(form(tools=(Tool(name="look"),)))
    assert isinstance(reply, Answer)
    assert [(call.name, dict(call.arguments)) for call in reply.tool_calls] == [
        ("look", {"at": 1})
    ]


async def test_a_reply_that_has_no_end_is_not_read_to_its_end(
    serve: Serve, connect: Connect, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is not the server's to fill."""
    monkeypatch.setattr(http_client, "_MOST_BYTES", 2**20)
    vendor = serve(Response(body=complete("x" * 2**20)))
    reply = await connect(vendor).generate(form())
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.GARBLED
    assert "sent more than 1 MB as one reply" in reply.message
