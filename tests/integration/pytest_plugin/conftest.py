"""Small projects, each with a real pytest session of its own."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Write a project: its `[tool.tierwise]` table and its files by path."""
    # Each run names the plugins that it is about; the others would only take time.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def write(
        files: dict[str, str], table: str | None = "", pytest_options: str = ""
    ) -> pytest.Pytester:
        sections = [f"[tool.pytest]\n{pytest_options}"] if pytest_options else []
        if table is not None:
            sections.append(f"[tool.tierwise]\n{dedent(table)}")
        pytester.makepyprojecttoml("\n".join(sections))
        for name, text in files.items():
            path = pytester.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")
        return pytester

    return write


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Run pytest with tierwise in this process, in a session of its own."""

    def start(*args: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess("-p", "tierwise.pytest_plugin", *args)

    return start


@pytest.fixture
def run_apart(pytester: pytest.Pytester) -> Run:
    """Run pytest with tierwise in a process of its own."""

    def start(*args: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess("-p", "tierwise.pytest_plugin", *args)

    return start
