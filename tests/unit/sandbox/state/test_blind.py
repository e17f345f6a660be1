"""What a system does not tell is said, and is not taken for nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tierwise.pytest_plugin.state_blind import blind_lines
from tierwise.sandbox.state import running
from tierwise.sandbox.state.running import compare_children, read_children

if TYPE_CHECKING:
    import pytest


def test_a_watcher_that_cannot_look_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that is asked for and sees nothing here has a line; the others have none."""
    monkeypatch.delattr(os, "waitid")
    monkeypatch.setattr(os.path, "isdir", lambda _: False)
    assert blind_lines({"processes": "report", "cwd": "report"}) == (
        "not looked at: processes, since this system does not tell of child processes",
    )
    assert blind_lines(["files"]) == (
        "not looked at: files, since this system does not list open descriptors",
    )


def test_a_watcher_that_can_look_has_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the system's own word that counts."""
    monkeypatch.setattr(os, "waitid", lambda *_: None, raising=False)
    monkeypatch.setattr(os.path, "isdir", lambda _: True)
    assert blind_lines(["files", "processes"]) == ()


def test_a_child_that_nobody_names_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel lists no children, that some run is known all the same."""
    monkeypatch.setattr(os, "waitid", lambda *_: None, raising=False)
    monkeypatch.setattr(running, "_CHILDREN", "/proc/none/children")
    (change,) = compare_children(frozenset(), read_children())
    assert (change.owner, change.after) == ("process that this system does not list", "runs")
