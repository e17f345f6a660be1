"""Watchers that see nothing on this system: nothing found by them is no finding."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_FOLDERS = ("/proc/self/fd", "/dev/fd")


def blind_lines(watchers: Iterable[str]) -> tuple[str, ...]:
    """Return a line about each of these that cannot look here."""
    reasons = {
        "processes": None if hasattr(os, "waitid") else "does not tell of child processes",
        "files": None if any(map(os.path.isdir, _FOLDERS)) else "does not list open descriptors",
    }
    return tuple(
        f"not looked at: {name}, since this system {reason}"
        for name, reason in reasons.items()
        if reason is not None and name in watchers
    )
