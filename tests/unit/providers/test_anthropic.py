"""Anthropic's provider without a wire: specifications, bodies, schemas."""

from __future__ import annotations

import sys
from typing import Any, Literal

import pydantic
import pytest

from tierwise.domain import Message, ToolCall
from tierwise.errors import MissingExtraError, ProviderSpecError
from tierwise.providers import AnthropicProvider, Provider, provider_from_spec
from tierwise.providers.anthropic.body import form_messages
from tierwise.providers.anthropic.schema import form_output_format


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_a_specification_makes_a_provider() -> None:
    """The model stands behind the colon; without a key nothing is wrong until a call."""
    provider = provider_from_spec(" anthropic:claude-opus-5 ")

    assert isinstance(provider, AnthropicProvider)
    assert isinstance(provider, Provider)
    assert (provider.name, provider.real) == ("anthropic:claude-opus-5", True)
    assert provider.base_url == "https://api.anthropic.com"


@pytest.mark.parametrize("url", ["http://localhost:8000", "http://localhost:8000/v1/"])
def test_the_address_may_be_written_with_or_without_its_version(url: str) -> None:
    """The SDK adds the path with the version itself."""
    assert AnthropicProvider("claude-opus-5", base_url=url).base_url == "http://localhost:8000"


def test_the_sdk_s_own_variable_names_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """As everywhere else on the machine."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://localhost:9")

    assert AnthropicProvider("claude-opus-5").base_url == "http://localhost:9"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("anthropic:", "'anthropic:' names no model"),
        ("anthropic:,timeout=3", "'anthropic:' names no model"),
        ("anthropic:m,timeuot=3", "Did you mean 'timeout'"),
        ("anthropic:m,timeout=soon", "expected float"),
        ("anthropic:m,timeout=-1", "'anthropic:m': timeout_s of AnthropicProvider is -1.0"),
        ("anthropic:m,max_tokens=few", "expected int"),
        ("anthropic:m,key_env=NOT_SET_ANYWHERE", "no such variable is set"),
        ("antropic:claude-opus-5", "Did you mean 'anthropic:MODEL'"),
    ],
)
def test_a_wrong_specification_is_explained(spec: str, words: str) -> None:
    """Each mistake is named, with the nearest that is right."""
    with pytest.raises(ProviderSpecError) as caught:
        provider_from_spec(spec)

    assert words in str(caught.value)


def test_a_key_in_a_specification_is_not_shown() -> None:
    """Someone may write one where the variable's name belongs."""
    key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz"

    with pytest.raises(ProviderSpecError) as caught:
        provider_from_spec(f"anthropic:m,key={key}")

    assert key not in str(caught.value)


def test_without_the_sdk_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package is not installed, the error names the extra."""
    monkeypatch.setitem(sys.modules, "anthropic", None)
    monkeypatch.delitem(sys.modules, "tierwise.providers.anthropic.client", raising=False)

    with pytest.raises(MissingExtraError, match=r"pip install 'tierwise\[anthropic\]'"):
        provider_from_spec("anthropic:claude-opus-5")


USER = Message(role="user", content="Weather?")
CALL = ToolCall(name="weather", arguments={"city": "Rom"}, id="t1")
USED = {"type": "tool_use", "id": "t1", "name": "weather", "input": {"city": "Rom"}}


@pytest.mark.parametrize(
    ("messages", "formed"),
    [
        ([USER], [{"role": "user", "content": "Weather?"}]),
        (
            [Message(role="assistant", content="I look.", tool_calls=(CALL,))],
            [{"role": "assistant", "content": [{"type": "text", "text": "I look."}, USED]}],
        ),
        (
            [Message(role="assistant", content="", tool_calls=(CALL,))],
            [{"role": "assistant", "content": [USED]}],
        ),
        (
            [Message(role="tool", content="sun", tool_call_id="t1")],
            [
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": "t1", "content": "sun"},
                    ],
                }
            ],
        ),
        ([USER, USER], [{"role": "user", "content": "Weather?"}] * 2),
        (
            [Message(role="system", content="Now in verse.")],
            [{"role": "system", "content": "Now in verse."}],
        ),
    ],
)
def test_turns_are_written_as_anthropic_writes_them(
    messages: list[Message], formed: list[dict[str, Any]]
) -> None:
    """Plain texts stay texts, calls and results are blocks, and no block is empty."""
    assert form_messages(messages) == formed


class Inner(pydantic.BaseModel):
    """A part."""

    kind: Literal["a", "b"]


class Outer(pydantic.BaseModel):
    """A whole with parts."""

    parts: list[Inner] = pydantic.Field(min_length=2)
    note: str | None = None


def test_a_schema_is_closed_and_says_the_rest_in_words() -> None:
    """What structured output can't enforce is a hint to the model, and no keyword."""
    schema = form_output_format(Outer)["schema"]

    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Inner"]["additionalProperties"] is False
    assert "minItems" not in schema["properties"]["parts"]
    assert "minItems: 2" in schema["properties"]["parts"]["description"]


@pytest.mark.parametrize("kind", [dict[str, int], dict[str, Any], list[dict[str, str]]])
def test_a_mapping_with_open_keys_can_t_be_said(kind: Any) -> None:
    """It would come back empty from a vendor that closes each object."""
    model = pydantic.create_model("Model", field=(kind, ...))

    with pytest.raises(ValueError, match="open keys"):
        form_output_format(model)
