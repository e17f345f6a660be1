"""A process of its own for a session, refused where it cannot be had."""

from __future__ import annotations

import os

import pytest

from tierwise.errors import MisuseError
from tierwise.pytest_plugin.pollution_host import run_in_host


def test_a_system_without_fork_is_told_what_to_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows nothing is started, and the message names what works there."""
    monkeypatch.delattr(os, "fork")
    with pytest.raises(MisuseError, match="the Windows Subsystem for Linux"):
        run_in_host([], lambda _held, _session, _outgoing: None)
