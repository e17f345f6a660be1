"""The fingerprint follows the code, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.records import read_fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WHOLE = ("src/omnia", "tests/unit", "packages/*/tests")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make a small project."""
    for name in (
        "pyproject.toml",
        "tool.py",
        "notes.md",
        "src/omnia/rules.py",
        "src/omnia/rules.json",
        "tests/unit/cases.csv",
        "packages/core/tests/cases.csv",
        ".git/HEAD",
        "src/omnia/__pycache__/rules.pyc",
        "src/omnia/.cache/x.py",
        "env/pyvenv.cfg",
        "env/lib/site.py",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1")
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        "pyproject.toml",
        "tool.py",
        "src/omnia/rules.py",
        "src/omnia/rules.json",
        "tests/unit/cases.csv",
        "packages/core/tests/cases.csv",
        "src/omnia/new.py",
    ],
)
def test_an_edit_changes_the_fingerprint_and_its_undoing_restores_it(
    project: Path, name: str
) -> None:
    """Contents count, not times: undone is as if never done."""
    path = project / name
    before = read_fingerprint(project, whole=WHOLE)
    was = path.read_text() if path.exists() else None
    path.write_text("2")
    assert read_fingerprint(project, whole=WHOLE) != before
    if was is None:
        path.unlink()
    else:
        path.write_text(was)
    assert read_fingerprint(project, whole=WHOLE) == before != ""


@pytest.mark.parametrize(
    "name",
    [
        "notes.md",
        ".git/HEAD",
        "src/omnia/__pycache__/rules.pyc",
        "src/omnia/.cache/x.py",
        "env/lib/site.py",
    ],
)
def test_what_is_no_code_does_not_count(project: Path, name: str) -> None:
    """A commit, a cache, an environment or a note leaves results as current as they were."""
    before = read_fingerprint(project, whole=WHOLE)
    (project / name).write_text("2")
    assert read_fingerprint(project, whole=WHOLE) == before


def test_a_loop_of_folders_is_not_walked(project: Path) -> None:
    """A link to a folder above does not go on for ever."""
    before = read_fingerprint(project, whole=WHOLE)
    (project / "src/omnia/again").symlink_to(project)
    assert read_fingerprint(project, whole=WHOLE) == before


@pytest.mark.parametrize("spoil", [lambda root: root / "nowhere", lambda root: root / "tool.py"])
def test_what_cannot_be_read_is_unknown(project: Path, spoil: Callable[[Path], Path]) -> None:
    """Could not tell is the empty fingerprint, which equals no state of the code."""
    assert read_fingerprint(spoil(project)) == ""


def test_texts_count_anywhere_where_they_are_asked_for(project: Path) -> None:
    """A prompt in a folder that nobody named is part of what a trial rests on."""
    before = read_fingerprint(project, whole=WHOLE, texts=True)
    plain = read_fingerprint(project, whole=WHOLE)
    (project / "prompts").mkdir()
    (project / "prompts" / "system.md").write_text("Be terse.")
    assert read_fingerprint(project, whole=WHOLE) == plain
    assert read_fingerprint(project, whole=WHOLE, texts=True) != before
