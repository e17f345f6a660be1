"""Embeddings, counts of tokens, and the models themselves."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest
from google.genai import errors

from tierwise.doubles.gateway import Account, Endpoint, Gateway, HttpRequest, Say
from tierwise.doubles.gateway.gemini import GeminiVendor

if TYPE_CHECKING:
    from conftest import Sdk

EMBEDDING = "gemini-embedding-001"


async def test_embeddings_in_a_batch(gateway: Gateway, sdk: Sdk) -> None:
    """One for each text, of the wanted length and of length 1, equal for equal texts."""
    config = {"output_dimensionality": 8, "task_type": "SEMANTIC_SIMILARITY"}
    reply = await sdk.call(
        "embed_content", model=EMBEDDING, contents=["a", "b", "a"], config=config
    )
    first, second, third = (one.values for one in reply.embeddings)
    assert first == third != second
    assert len(first) == 8
    assert math.isclose(math.hypot(*first), 1, abs_tol=1e-6)
    assert gateway.requests.only().asked.texts == ("a", "b", "a")


async def test_embeddings_have_the_models_length(gateway: Gateway, sdk: Sdk) -> None:
    """Without a wish it is the model's own."""
    for model, length in ((EMBEDDING, 3072), ("text-embedding-004", 768)):
        reply = await sdk.call("embed_content", model=model, contents="a")
        assert len(reply.embeddings[0].values) == length


async def test_embeddings_as_they_were_said(gateway: Gateway, sdk: Sdk) -> None:
    """A test may say them."""
    gateway.when(endpoint="embed").say(Say(embeddings=((0.6, 0.8), (1.0, 0.0))))
    reply = await sdk.call("embed_content", model=EMBEDDING, contents=["a", "b"])
    assert [one.values for one in reply.embeddings] == [[0.6, 0.8], [1.0, 0.0]]


async def test_counting(gateway: Gateway, sdk: Sdk) -> None:
    """The count is that which generateContent would tell of the prompt."""
    gateway.when().say("x")
    count = await sdk.call("count_tokens", model="gemini-2.5-flash", contents="three small words")
    told = await sdk.generate("three small words")
    assert count.total_tokens == told.usage_metadata.prompt_token_count == 3


async def test_one_model(gateway: Gateway, sdk: Sdk) -> None:
    """A model tells its name, its limits and what it can be asked."""
    model = await sdk.call("get", model="gemini-2.5-flash")
    assert model.name == "models/gemini-2.5-flash"
    assert "generateContent" in model.supported_actions
    assert model.input_token_limit == 1_048_576
    assert model.thinking is True


async def test_a_model_that_is_not_there(gateway: Gateway, sdk: Sdk) -> None:
    """The SDK's exception says so."""
    with pytest.raises(errors.ClientError) as caught:
        await sdk.call("get", model="gemini-0-nothing")
    assert (caught.value.code, caught.value.status) == (404, "NOT_FOUND")


async def test_all_models_page_by_page(gateway: Gateway, sdk: Sdk) -> None:
    """The pager goes through every page, and models of the account are among them."""
    gateway.configure(account=Account(models=frozenset({"my-own", "mine-*"})))
    pager = await sdk.call("list", config={"page_size": 5})
    names = [one.name for one in pager] if sdk.way == "sync" else [one.name async for one in pager]
    assert len(names) == len(set(names)) > 20
    assert {"models/gemini-2.5-pro", "models/my-own"} < set(names)
    assert len(gateway.requests) == math.ceil(len(names) / 5)


async def test_models_of_the_account(gateway: Gateway, sdk: Sdk) -> None:
    """A model of one's own is asked as any other, by its name or by a pattern."""
    gateway.configure(account=Account(models=frozenset({"my-own", "mine-*"})))
    gateway.when().say("ok")
    for name in ("my-own", "mine-2", "tunedModels/my-own"):
        assert (await sdk.generate(model=name)).text == "ok"


def ask(gateway: Gateway, method: str, path: str, body: Any = None, **query: str) -> Any:
    """Ask without the SDK."""
    http = HttpRequest(
        method=method,
        path=path,
        query=query,
        headers={"x-goog-api-key": "k"},
        body=b"" if body is None else json.dumps(body).encode(),
    )
    return json.loads(gateway.handle_now(http).body)


def test_a_single_embedding() -> None:
    """embedContent, which the SDK no longer asks, has one embedding."""
    body = {"content": {"parts": [{"text": "a"}]}, "outputDimensionality": 4}
    reply = ask(Gateway(), "POST", f"/v1beta/models/{EMBEDDING}:embedContent", body)
    assert len(reply["embedding"]["values"]) == 4


def test_counting_a_whole_request() -> None:
    """System instruction and tools are counted with it."""
    request = {
        "model": "models/gemini-2.5-flash",
        "contents": [{"parts": [{"text": "one two"}]}],
        "systemInstruction": {"parts": [{"text": "three"}]},
        "tools": [{"functionDeclarations": [{"name": "four"}]}],
    }
    path = "/v1beta/models/gemini-2.5-flash:countTokens"
    assert ask(Gateway(), "POST", path, {"generateContentRequest": request})["totalTokens"] == 4


def test_a_key_in_the_query_tells_gemini() -> None:
    """`/v1/models?key=` is how curl asks Gemini, and nobody else."""
    vendor = GeminiVendor()
    for query, headers in (({"key": "k"}, {}), ({}, {"x-goog-api-key": "k"})):
        http = HttpRequest(method="GET", path="/v1/models", query=query, headers=headers)
        assert vendor.find_endpoint(http) == Endpoint.MODELS
    bare = HttpRequest(method="GET", path="/v1/models", headers={"authorization": "Bearer k"})
    assert vendor.find_endpoint(bare) is None


def test_the_list_is_found_beside_other_vendors() -> None:
    """`/v1/models` is Gemini's where a key of Gemini's kind comes with it."""
    reply = ask(Gateway(), "GET", "/v1/models", pageSize="2")
    assert [one["name"] for one in reply["models"]] == [
        "models/gemini-2.5-pro",
        "models/gemini-2.5-flash",
    ]
    assert reply["nextPageToken"] == "2"
