"""Older spellings by which clients ask for a schema, which the vendors still take."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tierwise.doubles.gateway import Gateway, HttpRequest

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
KEYS = {
    "x-api-key": "not-a-key",
    "x-goog-api-key": "not-a-key",
    "anthropic-version": "2023-06-01",
    "content-type": "application/json",
}


def ask_gemini(**more: Any) -> HttpRequest:
    """Return a request with the schema under its older name."""
    settings = {"responseMimeType": "application/json", "_responseJsonSchema": SCHEMA, **more}
    body = {
        "contents": [{"role": "user", "parts": [{"text": "Hello"}]}],
        "generationConfig": settings,
    }
    return HttpRequest(
        method="POST",
        host="generativelanguage.googleapis.com",
        path="/v1beta/models/gemini-2.5-flash:generateContent",
        headers=KEYS,
        body=json.dumps(body).encode(),
    )


def ask_anthropic(beta: str) -> HttpRequest:
    """Return a request with the schema where the beta had it."""
    body = {
        "model": "claude-haiku-4-5",
        "max_tokens": 99,
        "messages": [{"role": "user", "content": "Hello"}],
        "output_format": {"type": "json_schema", "schema": SCHEMA},
    }
    return HttpRequest(
        method="POST",
        host="api.anthropic.com",
        path="/v1/messages",
        headers={**KEYS, "anthropic-beta": beta},
        body=json.dumps(body).encode(),
    )


@pytest.mark.parametrize(
    "http",
    [ask_gemini(), ask_anthropic("structured-outputs-2025-11-13")],
    ids=["gemini", "claude"],
)
def test_a_schema_under_its_older_name_is_read(http: HttpRequest) -> None:
    """A rule sees it as it sees any other."""
    gateway = Gateway()
    gateway.when().auto()
    assert gateway.handle_now(http).status == 200, gateway.requests
    assert gateway.requests.only().asked.schema == SCHEMA


def test_without_its_beta_the_older_field_is_unknown() -> None:
    """As any field that the types do not know."""
    assert Gateway().handle_now(ask_anthropic("other-2025-01-01")).status == 400


def test_two_schemas_under_two_names_are_refused() -> None:
    """Whichever names they have."""
    response = Gateway().handle_now(ask_gemini(responseJsonSchema=SCHEMA))
    assert response.status == 400
    assert b"only one of response_schema" in response.body
