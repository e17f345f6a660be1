"""A small project with evals, run by a pytest of its own."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

# Nested sessions forget what they import: numpy cannot be loaded twice, and the rest takes time.
import scipy.special  # noqa: F401

import tierwise.evals.engine
import tierwise.evals.judging
import tierwise.evals.keeping
import tierwise.evals.table
import tierwise.providers
import tierwise.pytest_plugin
import tierwise.records  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = """
import pytest
from tierwise.domain import Message
from tierwise.evals import at_least, at_most, evaluate, never, positive_control
from tierwise.providers import Request

ASK = Request(messages=(Message(role="user", content="Where is it?"),))

async def ask(provider, trial, text="Where is it?"):
    request = Request(messages=(Message(role="user", content=text),))
    return trial.require(await provider.generate(request)).text
"""
PLUGIN = ("-p", "tierwise.pytest_plugin", "-p", "no:cacheprovider", "-W", "error")
CLEAN = "simulated:rate=0,secret=the blue heron"


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Make a project whose configuration is an empty table."""
    # Other plugins would only take time: what evals have to do with them is tested elsewhere.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyprojecttoml("[tool.tierwise]")
    return pytester


@pytest.fixture
def write(project: pytest.Pytester) -> Callable[..., None]:
    """Write a file of evals, with what all of them import at its head."""

    def write(body: str, name: str = "tests/evals/test_it.py") -> None:
        path = project.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD + textwrap.dedent(body))

    return write


@pytest.fixture
def run(project: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run the evals tier in this process."""

    def run(*arguments: str, provider: str | None = CLEAN) -> pytest.RunResult:
        named = [] if provider is None else ["--eval-provider", provider]
        return project.runpytest_inprocess(*PLUGIN, "--tier", "evals", *named, *arguments)

    return run
