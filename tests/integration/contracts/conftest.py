"""Small projects with contracts."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TABLE = """
[tool.tierwise.tiers.contract]
level = "contract"
paths = ["tests/contract"]
allow = ["tmp"]
[tool.tierwise.tiers.live]
level = "contract"
paths = ["tests/live"]
allow = ["tmp", "network"]
deliberate = true
"""


@pytest.fixture
def write(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Write a project with a tier for doubles and a deliberate one for real sides."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def make(files: dict[str, str], table: str = TABLE) -> Path:
        (pytester.path / "pyproject.toml").write_text(f"[tool.tierwise]\n{table}")
        for name, text in files.items():
            path = pytester.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")
        return pytester.path

    return make


@pytest.fixture
def run(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run pytest with tierwise in a session of its own."""

    def start(*args: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess("-p", "tierwise.pytest_plugin", *args)

    return start
