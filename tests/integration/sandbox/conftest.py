"""A sandbox over a small project, and a policy that allows nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.sandbox import Policy, Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make a folder that counts as the project: it lies in the temporary one, and wins over it."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "notes.txt").write_text("notes")
    (folder / "empty").mkdir()
    return folder


@pytest.fixture
def sandbox(project: Path) -> Iterator[Sandbox]:
    """Install a sandbox above the one that judges this suite."""
    installed = Sandbox(project_root=project)
    installed.install()
    yield installed
    installed.uninstall()
    assert installed.faults() == ()


@pytest.fixture
def nothing() -> Policy:
    """Return a policy that allows nothing and raises."""
    return Policy(subject="test_it", tier="unit")
