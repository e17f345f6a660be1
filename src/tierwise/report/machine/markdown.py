"""Hostile text in Markdown: shown as it is, and nothing in it is obeyed."""

from __future__ import annotations

import re

from tierwise.report.machine.text import one_line

_TICKS = re.compile("`+")
_OBEYED = re.compile(r"[^\w ,;%-]|_")
_LONGEST = 300


def code(text: str) -> str:
    """Return the text as a code span, in which nothing is obeyed; not for tables, where `|` is."""
    line = one_line(text, _LONGEST) or " "
    fence = "`" * (1 + max((len(found) for found in _TICKS.findall(line)), default=0))
    pad = " " if line.startswith("`") or line.endswith("`") or line.strip() == "" else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def words(text: str) -> str:
    """Return the text for a table or a sentence: all that Markdown or HTML obey is an entity."""
    return _OBEYED.sub(lambda found: f"&#{ord(found[0])};", one_line(text, _LONGEST))
