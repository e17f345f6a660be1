"""The vendors that are asked through their SDKs: what a test has to know of each."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pydantic

from tierwise.domain import Message
from tierwise.gateway import Account, Stop
from tierwise.providers import (
    AnthropicProvider,
    Failure,
    FailureKind,
    GeminiProvider,
    OpenAIProvider,
    Request,
    Tool,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pytest

    from tierwise.gateway import Gateway
    from tierwise.providers import Provider

    Make = Callable[..., Any]

WEATHER = Tool(
    name="weather",
    description="Tells the weather.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}},
)
STARS = '{"title": "Rom", "stars": 3}'


class Note(pydantic.BaseModel):
    """What is asked for as JSON."""

    title: str
    stars: int = pydantic.Field(ge=1, le=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class SdkVendor:
    """One vendor in the gateway, and how its provider speaks of it."""

    name: str
    title: str
    provider: Callable[..., Any]
    model: str
    other_model: str
    new_model: str
    """One that thinks, and takes tools beside a schema."""
    key: str
    key_env: str
    key_words: str
    """The variables, as an error names them."""
    url_env: str
    own_host: str
    own_url: str
    version: str = ""
    """What stands behind the host in the base URL."""
    path: str
    model_field: str
    refusal: str = "The model refused to answer."
    thinking: Mapping[str, Any] = field(default_factory=dict)
    """Settings by which a reply shows its thoughts."""
    cuts: tuple[Stop, ...] = (Stop.LENGTH,)
    causes: tuple[tuple[Mapping[str, Any], FailureKind], ...]
    """Faults that tell more than their status."""
    look_alikes: tuple[tuple[Mapping[str, Any], FailureKind], ...]
    """Faults whose message only looks as if it did."""
    wrong: tuple[tuple[Mapping[str, Any], str], ...]
    """Settings of its own that are refused, and the words for it."""
    telling: tuple[Mapping[str, Any], ...]
    """Settings of its own that change the replies."""

    @property
    def host(self) -> str:
        """Where the gateway plays it."""
        return f"{self.name}.localhost"

    @property
    def url(self) -> str:
        """What its provider is made with."""
        return f"http://{self.host}{self.version}"

    @property
    def endpoint(self) -> str:
        """What its errors name."""
        return f"{self.url}{self.path}"

    def play(self, gateway: Gateway, patch: pytest.MonkeyPatch) -> Make:
        """Play it, and return a maker of providers that ask it with the key that it accepts."""
        gateway.configure(
            hosts={self.host: self.name}, account=Account(keys=frozenset({self.key}))
        )
        for name in ("GOOGLE_API_KEY", self.url_env):
            patch.delenv(name, raising=False)
        patch.setenv(self.key_env, self.key)
        return self.make

    def make(self, **settings: Any) -> Provider:
        """Return a provider that asks the gateway, unless the settings say otherwise."""
        made: Provider = self.provider(
            settings.pop("model", self.model), **({"base_url": self.url, "real": False} | settings)
        )
        return made


def ask(prompt: str = "Where is it?", **fields: Any) -> Request[Any]:
    """Return a request with a prompt."""
    return Request(messages=(Message(role="user", content=prompt),), **fields)


def plain(reply: Any) -> Any:
    """Return a reply without the time that it took."""
    assert reply.latency_s >= 0
    return replace(reply, latency_s=0.0)


async def fail(provider: Provider, prompt: str = "Where is it?", **fields: Any) -> Failure:
    """Ask, and return the failure that comes back."""
    reply = await provider.generate(ask(prompt, **fields))
    assert isinstance(reply, Failure), reply
    return reply


def fault(status: int, message: str = "", **rest: Any) -> dict[str, Any]:
    """Return what the gateway is told to fail with."""
    return {"status": status, **({"message": message} if message else {}), **rest}


_BAD, _BUSY = FailureKind.BAD_REQUEST, FailureKind.BUSY
_SPENT, _DOWN = FailureKind.NO_ENTITLEMENT, FailureKind.UNAVAILABLE

OPENAI = SdkVendor(
    name="openai",
    title="OpenAI",
    provider=OpenAIProvider,
    model="gpt-4.1-mini",
    other_model="gpt-4.1",
    new_model="o3",
    key="sk-proj-abcdefghijklmnop-not-a-key",
    key_env="OPENAI_API_KEY",
    key_words="OPENAI_API_KEY",
    url_env="OPENAI_BASE_URL",
    own_host="api.openai.com",
    own_url="https://api.openai.com/v1",
    version="/v1",
    path="/chat/completions",
    model_field="model",
    thinking={"model": "o3"},
    causes=(
        (fault(429, code="insufficient_quota"), _SPENT),
        (fault(429, kind="tokens", code="rate_limit_exceeded"), _BUSY),
        (fault(400, code="context_length_exceeded"), _BAD),
        (fault(400, code="content_filter"), FailureKind.REFUSED),
        (fault(400, code="content_policy_violation"), FailureKind.REFUSED),
        (fault(404, "The model `gpt-4-32k` has been deprecated."), FailureKind.RETIRED),
        (fault(400, code="model_not_found"), FailureKind.NOT_FOUND),
    ),
    look_alikes=(
        (fault(400, "Invalid 'tools[0].name': 'rate_limit_429'"), _BAD),
        (fault(400, "the file tpm/insufficient_quota.txt is odd"), _BAD),
        (fault(500, "content_filter: invalid_api_key"), _DOWN),
        (fault(403, "overloaded is no reason"), _SPENT),
        (fault(429, "model_not_found in your plan"), _BUSY),
        (fault(404, "Your project was deprecated."), FailureKind.NOT_FOUND),
    ),
    wrong=(
        ({"max_tokens_as": "max_token"}, "max_tokens_as of OpenAIProvider is 'max_token'"),
        ({"options": {"messages": []}}, "options of OpenAIProvider names 'messages'"),
        ({"options": {"metadata": {1, 2}}}, "can't be sent as JSON"),
    ),
    telling=({"options": {"top_p": 1}}, {"max_tokens_as": "max_tokens"}),
)
ANTHROPIC = SdkVendor(
    name="anthropic",
    title="Anthropic",
    provider=AnthropicProvider,
    model="claude-sonnet-5-5",
    other_model="claude-opus-5",
    new_model="claude-sonnet-5-5",
    key="sk-ant-api03-abcdefghijklmnop-not-a-key",
    key_env="ANTHROPIC_API_KEY",
    key_words="ANTHROPIC_API_KEY",
    url_env="ANTHROPIC_BASE_URL",
    own_host="api.anthropic.com",
    own_url="https://api.anthropic.com",
    path="/v1/messages",
    model_field="model",
    cuts=(Stop.LENGTH, Stop.PAUSED),
    causes=(
        (fault(429, code="ramp_limit_exceeded"), _BUSY),
        (fault(429, code="enforced_spend_limit_reached"), _SPENT),
        (fault(429, code="contract_spend_limit_reached"), _SPENT),
        (fault(400, code="tool_name_conflict"), _BAD),
        (fault(400, "Your credit balance is too low to access the API."), _SPENT),
        (fault(404, "The model claude-2 has been retired."), FailureKind.RETIRED),
    ),
    look_alikes=(
        (fault(400, "tools.0.name: rate_limit_429 is taken"), _BAD),
        (fault(400, "messages: credit of 5 is too low to mention"), _BAD),
        (fault(500, "credit balance is too low"), _DOWN),
        (fault(403, "Overloaded is no reason"), _SPENT),
        (fault(429, "invalid x-api-key"), _BUSY),
    ),
    wrong=(
        ({"max_tokens": 0}, "max_tokens of AnthropicProvider is 0"),
        ({"options": {"messages": []}}, "options of AnthropicProvider names 'messages'"),
        ({"options": {"output_config": {"format": {}}}}, "'output_config.format'"),
        ({"options": {"metadata": {1, 2}}}, "can't be sent as JSON"),
    ),
    telling=(
        {"options": {"service_tier": "auto"}},
        {"max_tokens": 9},
        {"api_version": "2023-06-01"},
    ),
)
GEMINI = SdkVendor(
    name="gemini",
    title="Gemini",
    provider=GeminiProvider,
    model="gemini-2.5-flash",
    other_model="gemini-3.8-flash",
    new_model="gemini-3.8-flash",
    key="AIzaSyA-not-a-key-of-anybody-at-all-000",
    key_env="GEMINI_API_KEY",
    key_words="GEMINI_API_KEY or GOOGLE_API_KEY",
    url_env="GOOGLE_GEMINI_BASE_URL",
    own_host="generativelanguage.googleapis.com",
    own_url="https://generativelanguage.googleapis.com",
    path="/v1/models/gemini-2.5-flash:generateContent",
    model_field="modelVersion",
    refusal="The model refused to answer (SAFETY).",
    thinking={"options": {"thinking_config": {"include_thoughts": True}}},
    cuts=(Stop.LENGTH, Stop.PAUSED),
    causes=(
        (fault(400, code="API_KEY_INVALID"), FailureKind.AUTH),
        (fault(403, code="SERVICE_DISABLED"), _SPENT),
        (fault(403, code="SOMETHING_ELSE"), _SPENT),
        (fault(400, code="SOMETHING_ELSE"), _BAD),
        (fault(400, "User location is not supported for the API use."), _SPENT),
        (fault(404, "This model models/a is no longer available."), FailureKind.RETIRED),
    ),
    look_alikes=(
        (fault(400, "contents[0]: API_KEY_INVALID is a text"), _BAD),
        (fault(400, "tools[0].name: rate_limit_429 is taken"), _BAD),
        (fault(400, "He said: User location is not supported"), _BAD),
        (fault(503, "User location is not supported"), _DOWN),
        (fault(429, "API key not valid, says the log"), _BUSY),
        (fault(500, "quota exceeded, please check billing"), _DOWN),
    ),
    wrong=(
        ({"options": {"temperature": 1}}, "options of GeminiProvider names 'temperature'"),
        ({"options": {"tpo_p": 1}}, "field 'tpo_p': Extra inputs are not permitted"),
        ({"options": {"labels": {1, 2}}}, "can't be sent as JSON"),
    ),
    telling=({"options": {"top_p": 0.5}},),
)
VENDORS = (OPENAI, ANTHROPIC, GEMINI)


def each(table: str) -> list[tuple[SdkVendor, Any, Any]]:
    """Return a table of each vendor's as parameters of a test."""
    return [(vendor, *one) for vendor in VENDORS for one in getattr(vendor, table)]


def name_case(value: object) -> str:
    """Return a parameter as the name of a case."""
    return value.name if isinstance(value, SdkVendor) else json.dumps(value, default=str)
