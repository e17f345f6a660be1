"""What Gemini refuses is refused, in its words; what differs a little is served."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from gemini_mistakes import HI, PAIRS, Pair, turns
from google.genai import errors

from tierwise.doubles.gateway import Account, Gateway, HttpRequest, HttpResponse
from tierwise.doubles.gateway.gemini import GeminiVendor

if TYPE_CHECKING:
    from conftest import Sdk

PATH = "/v1beta/models/gemini-2.5-flash:generateContent"
KEY = {"x-goog-api-key": "a-key"}


def ask(
    body: Any,
    path: str = PATH,
    *,
    method: str = "POST",
    headers: dict[str, str] | None = None,
    query: dict[str, str] | None = None,
    account: Account | None = None,
) -> tuple[HttpResponse, str]:
    """Return what a gateway answers, and the rule by which it refused."""
    gateway = Gateway(account=account)
    gateway.when(optional=True).say("served")
    http = HttpRequest(
        method=method,
        path=path,
        query=query or {},
        headers=KEY if headers is None else headers,
        body=body if isinstance(body, bytes) else json.dumps(body).encode(),
        host="generativelanguage.googleapis.com",
    )
    response = gateway.handle_now(http)
    return response, gateway.requests.only().refused or ""


def name_of(pair: Pair) -> str:
    """Return a name for the list of tests."""
    return f"{pair.rule} {pair.about}".strip().replace(" ", "-")


@pytest.mark.parametrize("pair", PAIRS, ids=name_of)
def test_a_mistake_is_refused(pair: Pair) -> None:
    """By the rule that it breaks, as INVALID_ARGUMENT, in the vendor's words."""
    response, rule = ask(pair.bad, f"/v1beta/models/{pair.model}:{pair.method}")
    error = json.loads(response.body)["error"]
    assert (rule, response.status) == (pair.rule, 400)
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")
    assert pair.says in error["message"]


@pytest.mark.parametrize("pair", PAIRS, ids=name_of)
def test_its_twin_is_served(pair: Pair) -> None:
    """What differs a little and is right is not refused."""
    response, rule = ask(pair.good, f"/v1beta/models/{pair.model}:{pair.method}")
    assert (response.status, rule) == (200, ""), response.body


def test_every_rule_has_a_mistake() -> None:
    """No rule is there that no request of this list breaks; the rest is tested below."""
    elsewhere = {
        *("method", "key_missing", "key_unknown", "token_instead_of_key", "not_json"),
        *("not_an_object", "model_unknown", "page_size", "page_token"),
    }
    names = {rule.name for rule in GeminiVendor().rules}
    assert names == {pair.rule for pair in PAIRS} | elsewhere


def test_all_faults_of_a_body_are_told() -> None:
    """Each unknown name is a violation of its own, with its field."""
    response, _ = ask(turns(HI, foo=1, generationConfig={"bar": 2, "topK": "x"}))
    error = json.loads(response.body)["error"]
    assert len(error["message"].split("\n")) == 3
    (detail,) = error["details"]
    assert detail["@type"] == "type.googleapis.com/google.rpc.BadRequest"
    assert [one.get("field") for one in detail["fieldViolations"]] == [
        None,
        "generation_config",
        "generation_config.top_k",
    ]


def test_all_broken_rules_about_fields_are_told() -> None:
    """One line with a star for each."""
    body = turns({"role": "user"}, generationConfig={"temperature": 3, "topP": 2})
    response, _ = ask(body)
    lines = json.loads(response.body)["error"]["message"].splitlines()
    assert [line.split(":")[0].rsplit(".", 1)[1] for line in lines] == [
        "parts",
        "temperature",
        "top_p",
    ]


@pytest.mark.parametrize(
    ("headers", "query", "status", "rule"),
    [
        ({}, {}, 403, "key_missing"),
        ({"x-goog-api-key": " "}, {}, 403, "key_missing"),
        ({"authorization": "Bearer sk-123"}, {}, 401, "token_instead_of_key"),
        ({"x-goog-api-key": "wrong"}, {}, 400, "key_unknown"),
        ({}, {"key": "wrong"}, 400, "key_unknown"),
        ({"x-goog-api-key": "right"}, {}, 200, ""),
        ({}, {"key": "right"}, 200, ""),
    ],
)
def test_keys(headers: dict[str, str], query: dict[str, str], status: int, rule: str) -> None:
    """A key comes by its header or by the query; none, a wrong one and a token differ."""
    account = Account(keys=frozenset({"right"}))
    response, broken = ask(turns(HI), headers=headers, query=query, account=account)
    assert (response.status, broken) == (status, rule)
    assert b"wrong" not in response.body
    assert b"sk-123" not in response.body


@pytest.mark.parametrize(
    ("body", "rule"), [(b"{", "not_json"), (b"hi", "not_json"), (b"[]", "not_an_object")]
)
def test_bodies_that_are_no_object(body: bytes, rule: str) -> None:
    """What is no JSON, and JSON that is no object, are told apart."""
    response, broken = ask(body)
    assert (response.status, broken) == (400, rule)
    assert "Invalid JSON payload received." in json.loads(response.body)["error"]["message"]


@pytest.mark.parametrize(
    ("path", "method"),
    [(PATH, "GET"), ("/v1beta/models", "POST"), ("/v1/models/gemini-2.5-flash", "DELETE")],
)
def test_methods_that_nobody_serves(path: str, method: str) -> None:
    """The front door's page, which is no JSON."""
    response, rule = ask(b"", path, method=method)
    assert (response.status, rule) == (404, "method")
    kinds = [value for name, value in response.headers if name == "content-type"]
    assert kinds == ["text/html; charset=UTF-8"]
    assert b"404" in response.body


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("gemini-0", "generateContent"),
        ("gemini-embedding-001", "generateContent"),
        ("gemini-2.5-flash", "embedContent"),
    ],
)
def test_models_that_do_not_do_it(name: str, method: str) -> None:
    """A model that is not there, and one that is there for other things."""
    body = turns(HI) if method == "generateContent" else {"content": HI}
    response, rule = ask(body, f"/v1/models/{name}:{method}")
    assert (response.status, rule) == (404, "model_unknown")
    assert f"models/{name}" in json.loads(response.body)["error"]["message"]


@pytest.mark.parametrize(
    ("query", "rule"),
    [({"pageSize": "-1"}, "page_size"), ({"pageToken": "abc"}, "page_token"), ({}, "")],
)
def test_pages(query: dict[str, str], rule: str) -> None:
    """Sizes and tokens that the list cannot have given."""
    assert ask(b"", "/v1beta/models", method="GET", query=query)[1] == rule


async def test_the_sdk_raises_its_own_exception(gateway: Gateway, sdk: Sdk) -> None:
    """A broken rule is a ClientError with the words of the vendor."""
    with pytest.raises(errors.ClientError) as caught:
        await sdk.generate(temperature=3.0)
    assert (caught.value.code, caught.value.status) == (400, "INVALID_ARGUMENT")
    assert "temperature must be in the range [0.0, 2.0]" in caught.value.message
    assert len(gateway.requests) == 1


def test_the_page_lists_every_rule() -> None:
    """The page docs/gateway-gemini.md has each rule with its status and what it rests on."""
    page = (Path(__file__).parents[4] / "docs" / "gateway-gemini.md").read_text()
    for rule in GeminiVendor().rules:
        assert f"| `{rule.name}` | {rule.status} | {rule.ground} | {rule.says} |" in page
