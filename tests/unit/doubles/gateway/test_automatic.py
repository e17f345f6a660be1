"""Answers that are valid and about nothing, and providers behind a vendor's protocol."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field
from toy_vendor import ToyVendor, ask, text_of

from tierwise.domain import ToolCall, Usage
from tierwise.doubles.gateway import Gateway
from tierwise.doubles.gateway.automatic import make_up_value
from tierwise.providers import Answer, Failure, FailureKind, MockProvider, Request
from tierwise.providers.made_up.schema_values import ImpossibleError


class Place(BaseModel):
    street: str = Field(min_length=3)
    number: int = Field(ge=1, le=99)


class Person(BaseModel):
    name: str
    kind: Literal["guest", "host"]
    places: list[Place] = Field(min_length=1)


TOOL = {"name": "move", "takes": Place.model_json_schema()}


def toy(seed: int = 0) -> Gateway:
    """Return a gateway that answers everything by itself."""
    gateway = Gateway(vendors=[ToyVendor()], seed=seed)
    gateway.when().auto()
    return gateway


def choice(gateway: Gateway, **more: Any) -> dict[str, Any]:
    """Return the first choice of an answer."""
    found: dict[str, Any] = json.loads(gateway.handle_now(ask("x", **more)).body)["choices"][0]
    return found


@pytest.mark.parametrize("seed", range(20))
def test_data_is_valid_for_the_schema(seed: int) -> None:
    """Whatever the seed draws."""
    text = choice(toy(seed), schema=Person.model_json_schema())["text"]
    Person.model_validate_json(text, strict=True)


def test_the_same_request_gets_the_same_answer() -> None:
    """From one gateway, from another with the same seed, and not from one with another seed."""
    schema = Person.model_json_schema()
    first = toy()
    assert choice(first, schema=schema) == {**choice(first, schema=schema)}
    assert choice(toy(), schema=schema)["text"] == choice(first, schema=schema)["text"]
    assert choice(toy(1), schema=schema)["text"] != choice(first, schema=schema)["text"]


def test_choices_differ() -> None:
    """A client that asks for several gets several."""
    body = json.loads(toy().handle_now(ask("x", n=3)).body)
    assert len({found["text"] for found in body["choices"]}) == 3


def test_a_tool_that_has_to_be_called_is_called_with_valid_arguments() -> None:
    """The one that is named, or any."""
    for wanted in ("move", "*"):
        ((name, arguments),) = choice(toy(), tools=[TOOL], must_call=wanted)["calls"]
        assert name == "move"
        Place.model_validate(arguments, strict=True)


def test_without_a_schema_a_sentence_is_said() -> None:
    """A tool that may be called is not."""
    said = choice(toy(), tools=[TOOL])
    assert said["calls"] == []
    assert len(said["text"].split()) > 2


@pytest.mark.parametrize("seed", "abcdefgh")
def test_what_a_draft_does_not_know_of_is_drawn_anew(seed: str) -> None:
    """Until the whole schema is kept, at any depth."""
    digit = {"type": "integer", "minimum": 0, "maximum": 9, "not": {"enum": [0, 1, 2, 3, 4, 5]}}
    assert make_up_value(digit, seed) > 5
    schema = {"type": "object", "properties": {"d": digit}, "required": ["d"]}
    assert make_up_value(schema, seed)["d"] > 5


def test_a_schema_that_nothing_keeps_is_told() -> None:
    """With the way out."""
    with pytest.raises(ImpossibleError):
        make_up_value({"type": "integer", "minimum": 3, "maximum": 2}, "1")
    impossible = {"type": "integer", "minimum": 3, "maximum": 2}
    response = toy().handle_now(ask("x", schema=impossible))
    assert response.status == 400
    assert "rule of its own with data(...)" in text_of(response)


class Asked:
    """A provider that keeps what it was asked."""

    name = "kept"
    real = False

    def __init__(self, *replies: Answer[Any] | Failure) -> None:
        self.replies = list(replies)
        self.requests: list[Request[Any]] = []

    async def generate(self, request: Request[Any]) -> Any:
        """Return the next reply."""
        self.requests.append(request)
        return self.replies.pop(0)


def backed(provider: Any) -> Gateway:
    """Return a gateway with a provider behind it."""
    gateway = Gateway(vendors=[ToyVendor()])
    gateway.when().provider(provider)
    return gateway


async def test_a_provider_answers_behind_the_protocol() -> None:
    """With an event loop and without; it is asked once for each choice."""
    gateway = backed(MockProvider(["a", "b", "c", "d"]))
    assert text_of(await gateway.handle(ask("x"))) == "a"
    assert text_of(gateway.handle_now(ask("x"))) == "b"
    body = json.loads(gateway.handle_now(ask("x", n=2)).body)
    assert [found["text"] for found in body["choices"]] == ["c", "d"]


def test_a_provider_is_asked_what_the_client_asked() -> None:
    """Turns, tools, schema and settings; what it calls goes back."""
    wish = ToolCall(name="move", arguments={"number": 1})
    provider = Asked(Answer(text="", tool_calls=(wish,), usage=Usage(input_tokens=7)))
    said = choice(
        backed(provider),
        says=[["system", "Be brief."], "Move.", ["tool", "done", "move"]],
        tools=[TOOL],
        schema=Place.model_json_schema(),
        temperature=0.5,
        seed=3,
    )
    assert said["calls"] == [["move", {"number": 1}]]
    (request,) = provider.requests
    assert [(m.role, m.content) for m in request.messages] == [
        ("system", "Be brief."),
        ("user", "Move."),
        ("tool", "done"),
    ]
    assert request.tools[0].parameters == Place.model_json_schema()
    assert request.schema is not None
    assert request.schema.model_json_schema() == Place.model_json_schema()
    assert request.schema.__name__ == "Place"
    assert (request.temperature, request.seed) == (0.5, 3)


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (FailureKind.BUSY, 429),
        (FailureKind.TIMEOUT, 504),
        (FailureKind.UNAVAILABLE, 503),
        (FailureKind.GARBLED, 502),
        (FailureKind.AUTH, 401),
        (FailureKind.NO_ENTITLEMENT, 403),
        (FailureKind.RETIRED, 404),
        (FailureKind.NOT_FOUND, 404),
        (FailureKind.BAD_REQUEST, 400),
        (FailureKind.EXHAUSTED, 400),
    ],
)
def test_a_provider_s_failure_is_the_vendor_s_refusal(kind: FailureKind, status: int) -> None:
    """With the time after which another attempt may help."""
    failure = Failure(kind=kind, message="told", retry_after_s=3)
    response = backed(Asked(failure)).handle_now(ask("x"))
    assert response.status == status
    assert dict(response.headers)["retry-after"] == "3"


@pytest.mark.parametrize(
    ("kind", "text", "refusal", "stop"),
    [
        (FailureKind.REFUSED, "", "I will not", "refused"),
        (FailureKind.CUT_OFF, "I will not", None, "length"),
        (FailureKind.MALFORMED, "I will not", None, "end"),
        (FailureKind.SCHEMA_MISMATCH, "I will not", None, "end"),
    ],
)
def test_what_a_model_does_wrong_is_its_answer(
    kind: FailureKind, text: str, refusal: str | None, stop: str
) -> None:
    """The client has to cope with it, as with the vendor's."""
    said = choice(backed(Asked(Failure(kind=kind, message="m", text="I will not"))))
    assert (said["text"], said["refusal"], said["stop"]) == (text, refusal, stop)
