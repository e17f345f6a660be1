"""The console that every command prints tables on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_NARROWEST_PIPE = 140
"""A table of verdicts or levels fits; what reads a pipe does its own wrapping."""


def open_console() -> Console:
    """Return a console on stdout that is as wide as `choose_width` says."""
    from rich.console import Console  # noqa: PLC0415  rich is slow to load

    console = Console(highlight=False)
    console.width = choose_width(
        console.width, is_terminal=console.is_terminal, columns=os.environ.get("COLUMNS", "")
    )
    return console


def choose_width(found: int, *, is_terminal: bool, columns: str) -> int:
    """Return the width of the terminal; for a pipe, COLUMNS where it is set, or else enough."""
    if is_terminal:
        return found
    if columns.isascii() and columns.isdigit() and int(columns) > 0:
        return int(columns)
    return max(found, _NARROWEST_PIPE)
