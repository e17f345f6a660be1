from __future__ import annotations

import sys

import pytest

from tierwise.doubles.gateway.openai import OpenAIVendor
from tierwise.errors import MissingExtraError


def test_without_the_sdk_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenAI can't be played without its types, and the error names the extra."""
    monkeypatch.setitem(sys.modules, "openai.types.chat_model", None)

    with pytest.raises(MissingExtraError, match=r"pip install 'tierwise\[openai\]'"):
        OpenAIVendor()
