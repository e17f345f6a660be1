from __future__ import annotations

import json
from collections.abc import Callable  # noqa: TC003  fields need them
from datetime import date, datetime, time, timedelta  # noqa: TC003
from decimal import Decimal  # noqa: TC003
from enum import Enum
from itertools import accumulate
from random import Random
from typing import Annotated, Any, Literal
from uuid import UUID  # noqa: TC003

import pytest
from hypothesis import given, settings, strategies as st
from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    FutureDate,
    HttpUrl,
    NaiveDatetime,
    PastDate,
    RootModel,
    StringConstraints,
    create_model,
    field_validator,
    model_validator,
)

from tierwise.domain import Message
from tierwise.providers import Answer, Failure, FailureKind, Request, SchemaProvider
from tierwise.providers.made_up.scalar_values import draw_number
from tierwise.providers.made_up.schema_values import Draft


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Tree(BaseModel):
    value: int
    children: list[Tree] = []
    parent: Tree | None = None


class Bush(BaseModel):
    twigs: tuple[Bush | int, Bush | int, Bush | int, Bush | int]


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(ge=1, le=9)


class Dog(BaseModel):
    kind: Literal["dog"]
    good: bool


class Everything(BaseModel):
    model_config = ConfigDict(extra="forbid")
    pinned: int = Field(gt=3, lt=5)
    thin: float = Field(gt=0, lt=0.001)
    sevens: int = Field(multiple_of=7, ge=50, le=60)
    thousands: int = Field(multiple_of=1000, le=2500)
    tenths: float = Field(multiple_of=0.1)
    length: str = Field(min_length=30, max_length=31)
    code: str = Field(pattern=r"^[A-Z]{2}-\d{4,6}(x|yy)?$")
    short: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=3)]
    colour: Colour
    day: date
    moment: datetime
    span: timedelta
    hour: time
    number: UUID
    price: Decimal = Field(max_digits=5, decimal_places=2, gt=0)
    two: list[Colour] = Field(min_length=2, max_length=2)
    three: set[int] = Field(min_length=3)
    ratings: dict[str, float]
    by_id: dict[int, str] = Field(min_length=1)
    by_name: dict[Literal["a", "b"], int] = Field(min_length=1)
    pair: tuple[int, str]
    many: tuple[int, ...]
    pet: Cat | Dog = Field(discriminator="kind")
    tree: Tree
    anything: Any
    past: PastDate
    future: FutureDate
    aware: AwareDatetime
    naive: NaiveDatetime | None
    maybe: bool | None
    either: int | str
    aliased: str = Field(alias="aLiAs")
    page: HttpUrl
    grid: list[list[int]]
    raw: bytes


def ask(
    schema: type[BaseModel] | None, prompt: str = "go", seed: int | None = None
) -> Request[Any]:
    return Request(messages=(Message(role="user", content=prompt),), schema=schema, seed=seed)


async def reply_to(schema: type[BaseModel], seed: int = 0) -> Answer[Any] | Failure:
    return await SchemaProvider(seed).generate(ask(schema))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers())
async def test_every_constraint_is_kept(seed: int) -> None:
    """Whatever the seed, an answer keeps all constraints that pydantic can state."""
    reply = await reply_to(Everything, seed)
    assert isinstance(reply, Answer), reply
    assert isinstance(reply.data, Everything)
    assert Everything.model_validate_json(reply.text) == reply.data


async def test_seed_and_request_decide_and_nothing_else() -> None:
    """The same seed and request give the same text; another of either gives another."""
    provider = SchemaProvider(1)
    first = await provider.generate(ask(Everything))
    await provider.generate(ask(Everything, "something in between"))
    assert (await provider.generate(ask(Everything))).text == first.text
    assert (await SchemaProvider(1).generate(ask(Everything))).text == first.text
    others = [
        await SchemaProvider(2).generate(ask(Everything)),
        await provider.generate(ask(Everything, "another prompt")),
        await provider.generate(ask(Everything, seed=5)),
    ]
    assert len({first.text, *(other.text for other in others)}) == 4


async def test_the_text_of_a_seed_does_not_change() -> None:
    """A seed means the same answer in every process and on every machine."""

    class Pair(BaseModel):
        name: str
        n: int = Field(ge=0, le=9)

    reply = await reply_to(Pair, 7)
    assert reply.text == EXPECTED_PAIR


EXPECTED_PAIR = '{"name": "north", "n": 3}'


async def test_a_recursive_schema_stays_small() -> None:
    """Recursion ends, for every seed."""
    for seed in range(100):
        reply = await reply_to(Tree, seed)
        assert isinstance(reply, Answer)
        assert len(reply.text) < 2_000


def test_a_recursion_that_branches_ends_in_the_first_draft() -> None:
    """Deep down a union takes the branch that ends, or each level would be wider than the last."""
    root = Bush.model_json_schema()
    for seed in range(20):
        text = json.dumps(Draft(root, f"{seed}", {}).make(root))
        assert max(accumulate((c == "[") - (c == "]") for c in text)) <= 5


@pytest.mark.parametrize("seed", range(50))
def test_open_bounds_are_never_drawn(seed: int) -> None:
    """Exclusive bounds stay outside, for whole numbers, multiples and reals."""
    rng = Random(seed)
    between = {"exclusiveMinimum": 0, "exclusiveMaximum": 4}
    assert draw_number(between, rng, whole=True) in (1, 2, 3)
    assert draw_number({**between, "multipleOf": 2}, rng, whole=True) == 2
    assert 0 < draw_number(between, rng, whole=False) < 4


async def test_values_vary_over_seeds() -> None:
    """Seeds reach both values of a boolean, both enum members, and None."""
    replies = [await reply_to(Everything, seed) for seed in range(60)]
    data = [reply.data for reply in replies if isinstance(reply, Answer)]
    assert {one.maybe for one in data if one} == {True, False, None}
    assert {one.colour for one in data if one} == set(Colour)
    assert {type(one.pet) for one in data if one} == {Cat, Dog}


async def test_without_a_schema_it_says_something_harmless() -> None:
    """Plain text is a sentence that repeats nothing of the prompt."""
    reply = await SchemaProvider().generate(ask(None, "The poison is in the cup."))
    assert isinstance(reply, Answer)
    assert reply.text
    assert not set(reply.text.lower().rstrip(".").split()) & {"poison", "cup"}


class Narrow(BaseModel):
    inner: list[Annotated[int, Field(ge=5, le=3)]] = Field(min_length=1)


class Endless(BaseModel):
    next: Endless


class Password(BaseModel):
    word: str

    @field_validator("word")
    @classmethod
    def _only_one(cls, word: str) -> str:
        if word != "sesame":
            raise ValueError("wrong word")
        return word


class Looking(BaseModel):
    name: str = Field(pattern=r"^\p{Lu}+$")


class Sizes(BaseModel):
    few: set[Literal["a", "b"]] = Field(min_length=3)


class Functions(BaseModel):
    f: Callable[[], int]


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (Narrow, ("'inner.0'", "whole number")),
        (Endless, ("'next.next", "without an end")),
        (Password, ("'word'", "wrong word")),
        (Looking, ("'name'", "not supported")),
        (Sizes, ("'few'", "3 different")),
        (Functions, ("no JSON schema",)),
    ],
)
async def test_what_cannot_be_made_up_is_a_failure_that_names_the_field(
    schema: type[BaseModel], words: tuple[str, ...]
) -> None:
    """A schema that nothing satisfies, or nothing found, fails and says where and why."""
    reply = await reply_to(schema)
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.BAD_REQUEST
    assert schema.__name__ in reply.message
    for word in words:
        assert word in reply.message


async def test_rules_over_several_fields_are_met_by_trying() -> None:
    """A rule that no schema states is satisfied when some draft satisfies it."""

    class Ordered(BaseModel):
        low: int = Field(ge=0, le=9)
        high: int = Field(ge=0, le=9)

        @model_validator(mode="after")
        def _ordered(self) -> Ordered:
            if self.low > self.high:
                raise ValueError("low is above high")
            return self

    for seed in range(20):
        assert isinstance(await reply_to(Ordered, seed), Answer)


async def test_a_root_model_and_an_empty_model_are_fine() -> None:
    """Answers need not be objects with fields."""
    assert isinstance(await reply_to(RootModel[list[int]]), Answer)
    assert isinstance(await reply_to(create_model("Empty")), Answer)


async def test_calls_are_kept_and_there_are_no_complaints() -> None:
    """Exchanges are recorded; nothing was promised, so nothing is left over."""
    provider = SchemaProvider()
    await provider.generate(ask(Tree))
    await provider.generate(Request(messages=()))
    assert [exchange.failure for exchange in provider.exchanges] == [None, "bad_request"]
    assert provider.finish() == ()
