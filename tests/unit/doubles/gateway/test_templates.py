"""What is rendered once and filled in: the same bytes as when each is rendered anew."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.doubles.gateway.answering import fit
from tierwise.doubles.gateway.doors.door import form_request
from tierwise.doubles.gateway.doors.framing import frame_chunk, frame_end, frame_head
from tierwise.doubles.gateway.readings import Readings
from tierwise.doubles.gateway.saying import Say
from tierwise.doubles.gateway.templates import Filled, Template
from tierwise.doubles.gateway.vendor import Account, Moment
from tierwise.doubles.gateway.vendors import Vendors
from tierwise.gateway import Gateway

if TYPE_CHECKING:
    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.vendor import Vendor
    from tierwise.gateway import HttpRequest, HttpResponse

TURNS = [{"role": "user", "content": "hello"}]
SAYS = (Say(text="one two three"),)
BODIES: dict[str, tuple[str, dict[str, Any]]] = {
    "chat": ("/v1/chat/completions", {"model": "gpt-5", "messages": TURNS}),
    "responses": ("/v1/responses", {"model": "gpt-5", "input": "hello"}),
    "messages": (
        "/v1/messages",
        {"model": "claude-sonnet-5-5", "max_tokens": 9, "messages": TURNS},
    ),
    "generate": (
        "/v1beta/models/gemini-2.5-flash:generateContent",
        {"contents": [{"role": "user", "parts": [{"text": "hello"}]}]},
    ),
}


def write(
    name: str, *, stream: bool = False, key: str = "test-key", text: str = ""
) -> HttpRequest:
    path, body = BODIES[name]
    if name == "generate" and stream:
        path = path.replace("generateContent", "streamGenerateContent")
    elif stream:
        body = {**body, "stream": True}
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    if name == "messages":
        headers["anthropic-version"] = "2023-06-01"
    if name == "generate":
        headers = {"x-goog-api-key": key, "content-type": "application/json"}
    return form_request(
        method="POST",
        host="127.0.0.1",
        path=path,
        query="alt=sse" if name == "generate" and stream else "",
        headers=headers,
        body=json.dumps(body | ({"user": text} if text else {})).encode(),
    )


def frame(response: HttpResponse) -> bytes:
    parts = [frame_head(response), *(frame_chunk(response, c.data) for c in response.chunks)]
    return b"".join((*parts, frame_end(response)))


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", BODIES)
def test_a_filled_response_is_the_one_that_the_vendor_writes(name: str, *, stream: bool) -> None:
    """Each endpoint, plain and streamed: head, chunks and framing are equal to the byte."""
    reading = Readings(Vendors()).read(write(name, stream=stream), Account())
    assert reading is not None
    asked: Any = reading.asked
    for number in (1, 2, 3, 70_000):
        moment = Moment(number=number, created=1_767_225_600 + number)
        got = reading.say(fit(SAYS, 1), moment, whose=SAYS)
        plain = reading.vendor.say(asked, SAYS, moment)
        assert got == plain
        assert frame(got) == frame(plain)
        if isinstance(got.chunks, Filled):
            assert got.chunks.write_whole() == frame(plain)


@pytest.mark.parametrize("name", ["chat", "responses", "messages", "generate"])
def test_the_third_rendering_is_filled_in(name: str) -> None:
    """The first is the vendor's, the second makes the template, from the third on it serves."""
    reading = Readings(Vendors()).read(write(name), Account())
    assert reading is not None
    kinds = [
        type(reading.say(SAYS, Moment(number=n, created=1_767_225_600 + n), whose=SAYS).chunks)
        for n in (1, 2, 3)
    ]
    assert kinds == [tuple, tuple, Filled]


class Odd:
    """A vendor in front of another one; it writes something that no template can know."""

    def __init__(self, vendor: Vendor) -> None:
        self._vendor = vendor

    def __getattr__(self, name: str) -> Any:
        return getattr(self._vendor, name)

    def say(self, asked: Asked, says: tuple[Say, ...], moment: Moment) -> HttpResponse:
        """Write one header that alternates."""
        made = self._vendor.say(asked, says, moment)
        return made.with_headers(("x-odd", "even" if moment.number % 2 == 0 else "odd"))


def test_what_a_template_gets_wrong_is_never_filled_in() -> None:
    """A rendering that depends on the moment in another way stays the vendor's own."""
    gateway = Gateway(vendors=[Odd(Vendors().get("openai"))])  # type: ignore[list-item]
    gateway.when().say("one")
    told = [dict(gateway.handle_now(write("chat")).headers)["x-odd"] for _ in range(6)]
    assert told == ["odd", "even"] * 3


def test_a_text_that_looks_like_the_mark_is_said_as_it_is() -> None:
    """What the model says may hold the digits of the mark; it is not filled in."""
    gateway = Gateway()
    gateway.when().say("c3a59f0e7b21 1789345678")
    bodies = [json.loads(gateway.handle_now(write("chat")).body) for _ in range(4)]
    said = {body["choices"][0]["message"]["content"] for body in bodies}
    assert said == {"c3a59f0e7b21 1789345678"}
    assert len({body["id"] for body in bodies}) == 4


def test_the_same_request_is_read_once_and_another_anew() -> None:
    """A reading is kept for the same method, path, headers and body, and for nothing else."""
    readings = Readings(Vendors())
    account = Account()
    first = readings.read(write("chat"), account)
    assert readings.read(write("chat"), account) is first
    others = [write("chat", key="another"), write("chat", text="u"), write("chat", stream=True)]
    assert all(readings.read(other, account) is not first for other in others)


def test_another_account_reads_anew() -> None:
    """What was accepted for one account may be refused for another."""
    gateway = Gateway()
    gateway.when().say("one")
    assert gateway.handle_now(write("chat")).status == 200
    gateway.configure(account=Account(keys=frozenset({"other"})))
    assert gateway.handle_now(write("chat")).status == 401
    gateway.account = Account()
    assert gateway.handle_now(write("chat")).status == 200


def test_a_changed_answer_is_said_at_once() -> None:
    """Steps of one rule, each with an answer of its own, are never mixed up."""
    gateway = Gateway()
    gateway.when().say("a").times(3).then.say("b").times(3).then.say("c")
    bodies = [json.loads(gateway.handle_now(write("chat")).body) for _ in range(9)]
    said = [body["choices"][0]["message"]["content"] for body in bodies]
    assert "".join(said) == "aaabbbccc"


def test_only_so_many_readings_are_kept() -> None:
    """A gateway that runs for long does not grow with what it was asked."""
    readings = Readings(Vendors())
    account = Account()
    requests = [write("chat", text=f"user {n}") for n in range(600)]
    for request in requests:
        readings.read(request, account)
    assert len(readings._kept) == len(readings._latest) == 256


def test_a_template_is_made_only_of_what_comes_at_once() -> None:
    """A vendor whose answers take their time is asked each time."""

    class Slow(Odd):
        def say(self, asked: Asked, says: tuple[Say, ...], moment: Moment) -> HttpResponse:
            """Take a second."""
            return replace(self._vendor.say(asked, says, moment), before_s=1.0)

    reading = Readings(Vendors()).read(write("chat"), Account())
    assert reading is not None
    vendor: Any = Slow(reading.vendor)
    asked: Any = reading.asked
    assert Template.make(vendor, asked, SAYS) is None


def test_a_vendor_that_fails_to_read_is_told_and_fails_the_test() -> None:
    """A fault of ours is no lost connection: the client hears of it once, and so does the test."""

    class Broken(Odd):
        def read(self, *_: Any) -> Any:
            """Fail."""
            raise ValueError("planted")

    gateway = Gateway(vendors=[Broken(Vendors().get("openai"))])  # type: ignore[list-item]
    gateway.when(optional=True).say("one")
    response = gateway.handle_now(write("chat"))
    assert (response.status, dict(response.headers)["x-should-retry"]) == (500, "false")
    (complaint,) = gateway.finish()
    assert "fault of tierwise: ValueError: planted" in complaint
