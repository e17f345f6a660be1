from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.errors import ProviderSpecError
from tierwise.providers import provider_from_spec
from tierwise.providers.spec import identify_provider

if TYPE_CHECKING:
    from pathlib import Path


def test_a_unit_test_that_calls_a_real_model_is_caught_before_it_is_loaded(
    pytester: pytest.Pytester,
) -> None:
    """A real provider reports itself: a tier without `model` blocks the call, by name."""
    pytester.makepyprojecttoml(
        """
        [tool.tierwise.tiers.unit]
        level = "unit"
        paths = ["tests/unit"]
        """
    )
    (pytester.path / "tests" / "unit").mkdir(parents=True)
    (pytester.path / "model.gguf").write_bytes(b"GGUF")
    test = pytester.path / "tests" / "unit" / "test_it.py"
    test.write_text(
        f"""
import asyncio
from tierwise.domain import Message
from tierwise.providers import LocalProvider, Request

def test_it(monkeypatch):
    monkeypatch.setattr("tierwise.providers.local.provider.has_engine", lambda: True)
    provider = LocalProvider({str(pytester.path / "model.gguf")!r})
    request = Request(messages=(Message(role="user", content="hi"),))
    try:
        asyncio.run(provider.generate(request))
    except Exception:
        pass
"""
    )
    result = pytester.runpytest_subprocess("-p", "no:randomly")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*TW-MODEL*local:model*"])


def test_a_file_that_is_no_gguf_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights are looked at before the engine is asked: other files are told by their start."""
    monkeypatch.setattr("tierwise.providers.local.provider.has_engine", lambda: True)
    file = tmp_path / "model.gguf"
    file.write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(ProviderSpecError, match="is no GGUF file"):
        provider_from_spec(f"local:{file}")


def test_weights_named_by_path_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any GGUF file by its path is a provider named after the file."""
    monkeypatch.setattr("tierwise.providers.local.provider.has_engine", lambda: True)
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF and so on")
    provider = provider_from_spec(f"local:{tmp_path / 'tiny.gguf'}")
    assert (provider.name, provider.real) == ("local:tiny", True)
    identity = identify_provider(provider, f"local:{tmp_path / 'tiny.gguf'}")
    assert identity == "tiny.gguf, 14 bytes, n_ctx 2048, max_tokens 512"


HTTP = """
import asyncio
from tierwise.domain import Message
from tierwise.providers import AnthropicProvider, HttpProvider, Request

def test_it(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-of-nobody")
    provider = {provider}
    try:
        asyncio.run(provider.generate(Request(messages=(Message(role="user", content="hi"),))))
    except Exception:
        pass
"""


HERE = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("provider", "line"),
    [
        (f"HttpProvider('{HERE}/v1', 'llama')", "*TW-MODEL*http:127.0.0.1:9#llama*"),
        (f"HttpProvider('{HERE}/v1', 'llama', real=False)", "*TW-NET*127.0.0.1:9*"),
        (f"AnthropicProvider('claude-x', base_url='{HERE}')", "*TW-MODEL*anthropic:claude-x*"),
    ],
)
def test_a_unit_test_that_asks_a_server_is_caught(
    pytester: pytest.Pytester, provider: str, line: str
) -> None:
    """A server counts as a model; a stand-in on loopback is still a connection."""
    pytester.makepyprojecttoml(
        """
        [tool.tierwise.tiers.unit]
        level = "unit"
        paths = ["tests/unit"]
        """
    )
    (pytester.path / "tests" / "unit").mkdir(parents=True)
    test = pytester.path / "tests" / "unit" / "test_it.py"
    test.write_text(HTTP.format(provider=provider))
    result = pytester.runpytest_subprocess("-p", "no:randomly")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([line])
