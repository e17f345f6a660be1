from __future__ import annotations

import sys

import pytest

from tierwise.errors import MissingExtraError, ProviderSpecError
from tierwise.providers import OpenAIProvider, provider_from_spec
from tierwise.providers.wire.sdk import explain_lost


class ConnectError(Exception):
    """What both libraries below the SDK call it."""


class ConnectTimeoutError(ConnectError):
    """A kind of it."""


class OddError(Exception):
    """What nobody knows."""


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (ConnectError("203.0.113.7"), "no connection"),
        (ConnectTimeoutError("203.0.113.7"), "no connection"),
        (OddError("203.0.113.7"), "the connection was lost (OddError)"),
        (None, "it failed"),
    ],
)
def test_a_lost_connection_is_told_without_its_address(
    cause: BaseException | None, words: str
) -> None:
    """The kind of the cause tells, by its name or by what it is a kind of."""
    assert explain_lost(cause) == words


def test_without_the_sdk_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package is not installed, the error names the extra."""
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.delitem(sys.modules, "tierwise.providers.openai.client", raising=False)

    with pytest.raises(MissingExtraError, match=r"pip install 'tierwise\[openai\]'"):
        OpenAIProvider("gpt-4.1")
    with pytest.raises(MissingExtraError, match=r"pip install 'tierwise\[openai\]'"):
        provider_from_spec("openai:gpt-4.1")


def test_another_missing_module_is_not_explained_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing below the SDK is raised as it is."""
    monkeypatch.setitem(sys.modules, "tierwise.providers.wire.sdk", None)
    monkeypatch.delitem(sys.modules, "tierwise.providers.openai.client", raising=False)

    with pytest.raises(ModuleNotFoundError):
        OpenAIProvider("gpt-4.1")


def test_a_key_in_a_specification_is_not_shown() -> None:
    """Someone may write one where the variable's name belongs."""
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"

    with pytest.raises(ProviderSpecError) as caught:
        provider_from_spec(f"openai:m,key={key}")

    assert key not in str(caught.value)


def test_a_misspelt_vendor_is_suggested() -> None:
    """The nearest form is named."""
    with pytest.raises(ProviderSpecError, match="openai:MODEL"):
        provider_from_spec("opnai")
