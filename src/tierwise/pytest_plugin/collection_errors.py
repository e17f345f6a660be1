"""Why something could not be collected, in one line."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tierwise.pytest_plugin.auditing_items import shorten

if TYPE_CHECKING:
    import pytest

_MARK = "E "
_MARGIN = 4
"""pytest sets what an error says so far in; a SyntaxError's source stands further in."""


def say_uncollected(report: pytest.CollectReport) -> str:
    """Return the first line of the error that was raised last, without what looks like a key."""
    return find_error(report.longreprtext)


def find_error(text: str) -> str:
    """Return the line of a traceback that names its error, or else its last one."""
    lines = text.strip().splitlines()
    errors = [
        [line[_MARGIN:] for line in group]
        for is_error, group in groupby(lines, lambda line: line.startswith(_MARK))
        if is_error
    ]
    named = [line for line in (errors or [[]])[-1] if line and not line[0].isspace()]
    return shorten((named or lines[-1:] or ["no reason was given"])[0])
