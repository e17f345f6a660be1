"""Temporary folders of workers, also of those that were killed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

import pytest

from tierwise.evals.remote.own_folder import own_folder, remove_abandoned, remove_folders_of

if TYPE_CHECKING:
    from pathlib import Path

HOLDING = """
import sys, tempfile, time
tempfile.tempdir = sys.argv[1]
from tierwise.evals.remote.own_folder import own_folder
with own_folder("kind", "run") as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a place for temporary files of this test alone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def age(folder: Path) -> None:
    then = time.time() - 3600
    os.utime(folder, (then, then))


def test_a_folder_goes_with_its_process(place: Path) -> None:
    """And is there until then."""
    with own_folder("kind", "run") as folder:
        (folder / "file").touch()
        assert list(place.iterdir()) == [folder]
    assert list(place.iterdir()) == []


def test_a_killed_process_leaves_nothing_for_long(place: Path) -> None:
    """Its run removes its folder at the end, any other one at its start, not before its death."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip()
        (folder,) = place.iterdir()
        age(folder)
        remove_folders_of("kind", "run")
        remove_abandoned("kind-")
        assert folder.exists()
        process.kill()
    remove_folders_of("kind", "other")
    assert folder.exists()
    remove_folders_of("kind", "run")
    assert not folder.exists()


def test_the_next_one_removes_what_was_left_behind(place: Path) -> None:
    """A folder so young that its owner may only just have made it stays."""
    old, young, other = (place / name for name in ("kind-a-1", "kind-b-2", "else-c-3"))
    for folder in (old, young, other):
        folder.mkdir()
    age(old)
    age(other)
    with own_folder("kind", "run"):
        assert not old.exists()
        assert young.exists()
        assert other.exists()
