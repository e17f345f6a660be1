"""Which names of models each vendor serves: the known ones, their snapshots, and tuned ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.doubles.gateway import Gateway, HttpRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = {
    "authorization": "Bearer sk-not-a-key",
    "x-api-key": "not-a-key",
    "x-goog-api-key": "not-a-key",
    "anthropic-version": "2023-06-01",
    "content-type": "application/json",
}
HI = [{"role": "user", "content": "Hello"}]


def post(host: str, path: str, body: Mapping[str, Any]) -> HttpRequest:
    """Return a request to a vendor."""
    told = json.dumps(body).encode()
    return HttpRequest(method="POST", host=host, path=path, headers=KEYS, body=told)


def ask(vendor: str, model: str) -> HttpRequest:
    """Return a greeting to a model."""
    if vendor == "openai":
        body = {"model": model, "messages": HI}
        return post("api.openai.com", "/v1/chat/completions", body)
    if vendor == "anthropic":
        body = {"model": model, "messages": HI, "max_tokens": 99}
        return post("api.anthropic.com", "/v1/messages", body)
    name = model if "/" in model else f"models/{model}"
    path = f"/v1beta/{name}:generateContent"
    said = {"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]}
    return post("generativelanguage.googleapis.com", path, said)


def ask_once(vendor: str, model: str) -> tuple[int, Gateway]:
    """Return the status that a model gives, and the gateway."""
    gateway = Gateway()
    gateway.when().say("Hi")
    return gateway.handle_now(ask(vendor, model)).status, gateway


@pytest.mark.parametrize(
    ("vendor", "model"),
    [
        ("openai", "gpt-audio"),
        ("openai", "gpt-5.1-mini-2026-01-31"),
        ("openai", "ft:gpt-4.1-mini-2025-04-14:team::abc123"),
        ("anthropic", "claude-opus-4-1"),
        ("anthropic", "claude-opus-4-1-20250805"),
        ("anthropic", "claude-sonnet-4-20250514"),
        ("anthropic", "claude-opus-5-20260701"),
        ("gemini", "gemini-2.0-flash-001"),
        ("gemini", "gemini-2.5-flash-preview-09-2025"),
        ("gemini", "gemini-2.5-pro-preview-06-05"),
        ("gemini", "gemini-2.5-flash-preview-tts"),
        ("gemini", "gemini-3-pro-image-preview"),
        ("gemini", "tunedModels/mine"),
    ],
)
def test_a_model_that_vendors_serve_is_served(vendor: str, model: str) -> None:
    """Snapshots of known models and tuned ones need no word of the test's."""
    status, gateway = ask_once(vendor, model)
    assert status == 200, gateway.requests
    assert gateway.requests.only().model == model.removeprefix("tunedModels/")


@pytest.mark.parametrize(
    ("vendor", "model"),
    [
        ("openai", "gpt-5.1-mini-2026"),
        ("openai", "ft:gpt-nope:team::abc123"),
        ("anthropic", "claude-opus-9-20260701"),
        ("anthropic", "claude-2"),
        ("gemini", "gemini-9-flash-001"),
        ("gemini", "gemini-2.5-flash-preview"),
    ],
)
def test_an_unknown_model_is_refused_and_the_way_out_is_told(vendor: str, model: str) -> None:
    """A test whose rule was not used for that learns how a model is made known."""
    status, gateway = ask_once(vendor, model)
    assert status == 404
    (complaint,) = gateway.finish()
    assert "The model of request 1 is not known to the vendor" in complaint
    assert "gateway.configure(account=Account(models=...))" in complaint
