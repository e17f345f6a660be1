from __future__ import annotations

import base64
import math
import struct
from typing import TYPE_CHECKING, Any

import pytest
from openai import NotFoundError

from tierwise.doubles.gateway import Account

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

    from tierwise.doubles.gateway import Gateway

SMALL = "text-embedding-3-small"


def test_an_embedding_has_the_model_s_dimensions(gateway: Gateway, lenient: OpenAI) -> None:
    """Without any setting the SDK asks for base64, and reads numbers of length 1 from it."""
    reply = lenient.embeddings.create(model=SMALL, input="harbour")

    vector = reply.data[0].embedding
    assert (reply.object, reply.model, len(vector)) == ("list", SMALL, 1536)
    assert math.isclose(math.hypot(*vector), 1.0, rel_tol=1e-4)
    assert gateway.requests[0].json["encoding_format"] == "base64"
    assert (reply.usage.prompt_tokens, reply.usage.total_tokens) == (1, 1)


async def test_an_async_client_gets_the_same(
    gateway: Gateway, client: OpenAI, async_client: AsyncOpenAI
) -> None:
    """The same text has the same embedding, whoever asks."""
    first = client.embeddings.create(model=SMALL, input="harbour", encoding_format="float")
    second = await async_client.embeddings.create(
        model=SMALL, input="harbour", encoding_format="float"
    )

    assert first.data == second.data


def test_both_encodings_say_the_same(gateway: Gateway, client: OpenAI) -> None:
    """Numbers and base64 of the same text are equal to the last bit."""
    plain = client.embeddings.create(model=SMALL, input="harbour", encoding_format="float")
    raw = client.embeddings.with_raw_response.create(
        model=SMALL, input="harbour", encoding_format="base64"
    )

    written: Any = raw.http_response.json()["data"][0]["embedding"]
    unpacked = struct.unpack("<1536f", base64.b64decode(written))
    assert list(unpacked) == plain.data[0].embedding


def test_texts_keep_their_order_and_differ(gateway: Gateway, client: OpenAI) -> None:
    """Each text has an embedding at its own index."""
    reply = client.embeddings.create(
        model=SMALL, input=["a", "b", "a"], dimensions=8, encoding_format="float"
    )

    assert [one.index for one in reply.data] == [0, 1, 2]
    vectors = [one.embedding for one in reply.data]
    assert vectors[0] == vectors[2] != vectors[1]
    assert {len(vector) for vector in vectors} == {8}
    assert gateway.requests[0].asked.texts == ("a", "b", "a")


@pytest.mark.parametrize(
    ("model", "size"), [("text-embedding-3-large", 3072), ("text-embedding-ada-002", 1536)]
)
def test_other_models_have_other_dimensions(
    gateway: Gateway, client: OpenAI, model: str, size: int
) -> None:
    """Each model has its own number of dimensions."""
    reply = client.embeddings.create(model=model, input="harbour", encoding_format="float")

    assert len(reply.data[0].embedding) == size


@pytest.mark.parametrize(("tokens", "n"), [([1, 2, 3], 1), ([[1, 2], [3]], 2)])
def test_tokens_are_taken_as_texts(gateway: Gateway, client: OpenAI, tokens: Any, n: int) -> None:
    """A list of tokens is one text, a list of lists is as many."""
    reply = client.embeddings.create(model=SMALL, input=tokens, encoding_format="float")

    assert len(reply.data) == n


def test_vectors_of_the_scenario_s_own(gateway: Gateway, client: OpenAI) -> None:
    """A rule may say which vectors there are."""
    gateway.when(endpoint="embed").embed([0.5, -0.5], [0.25, 1.0])

    reply = client.embeddings.create(model=SMALL, input=["a", "b"], encoding_format="float")

    assert [one.embedding for one in reply.data] == [[0.5, -0.5], [0.25, 1.0]]


def test_models_are_listed(gateway: Gateway, client: OpenAI) -> None:
    """The list has the models that the SDK knows, and those of the account."""
    gateway.configure(account=Account(models=frozenset({"ft:gpt-4o:acme::1", "team-*"})))

    names = [model.id for model in client.models.list()]

    assert {"gpt-4.1-mini", SMALL, "ft:gpt-4o:acme::1"} <= set(names)
    assert "team-*" not in names


async def test_models_are_listed_for_async_clients(
    gateway: Gateway, async_client: AsyncOpenAI
) -> None:
    """An async client can go through them all."""
    assert [model.id async for model in async_client.models.list()]


def test_a_model_is_retrieved(gateway: Gateway, client: OpenAI) -> None:
    """A model that exists says its name and whose it is."""
    model = client.models.retrieve("gpt-4.1-mini")

    assert (model.id, model.object, model.owned_by) == ("gpt-4.1-mini", "model", "system")


def test_a_model_that_nobody_has_is_not_found(gateway: Gateway, client: OpenAI) -> None:
    """An unknown model is refused as the vendor does it."""
    with pytest.raises(NotFoundError) as caught:
        client.models.retrieve("gpt-nope")

    assert caught.value.code == "model_not_found"


def test_models_of_the_account_s_own_are_served(gateway: Gateway, client: OpenAI) -> None:
    """A name that the account has, or whose beginning it has, is a model."""
    gateway.configure(account=Account(models=frozenset({"team-*"})))
    gateway.when().say("Yes.")

    reply = client.chat.completions.create(
        model="team-seven", messages=[{"role": "user", "content": "Hello"}]
    )

    assert reply.model == "team-seven"
