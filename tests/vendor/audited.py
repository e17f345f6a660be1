"""An audit of a small project, as somebody starts it."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

QUIET = "-p no:randomly -p no:asyncio"
"""Plugins that our own environment has, and that a small project knows nothing of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """What came of it."""

    code: int
    data: Mapping[str, Any]
    errors: str

    def subjects(self, kind: str) -> list[str]:
        """Return what the findings of a kind are about."""
        return [found["subject"] for found in self.data["findings"] if found["kind"] == kind]

    def text_of(self, kind: str) -> str:
        """Return what the only finding of a kind says."""
        (text,) = [found["text"] for found in self.data["findings"] if found["kind"] == kind]
        return str(text)

    def outcomes(self) -> dict[str, str]:
        """Return how each test ended, by its name."""
        return {test["nodeid"].partition("::")[2]: test["outcome"] for test in self.data["tests"]}


Audit = Callable[..., Audited]


def start(root: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a project."""
    return _run(root, "tierwise", arguments, environment)


def run_pytest(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a project."""
    return _run(root, "pytest", arguments, {})


def _run(
    root: Path, module: str, arguments: Sequence[str], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=root,
        env={**os.environ, "PYTEST_ADDOPTS": QUIET, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def listing(root: Path) -> set[str]:
    """Return what is in the project."""
    return {str(path.relative_to(root)) for path in root.rglob("*")}
