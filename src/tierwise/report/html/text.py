"""Hostile text made safe to look at: what cannot be seen, or turns a line round, is written out.

Escaping for HTML is the templates' part; this is about what a browser would obey within a text.
"""

from __future__ import annotations

import json
import unicodedata

_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_KEPT = frozenset("\n\t")


def show_text(text: str) -> str:
    r"""Return the text with each control, format and bidi character as its escape (`\u202e`)."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return "".join(
        ascii(char)[1:-1] if unicodedata.category(char) in _OBEYED and char not in _KEPT else char
        for char in text
    )


def shorten(text: str, longest: int) -> str:
    """Return the beginning of a long text, and how long it is."""
    return text if len(text) <= longest else f"{text[:longest]} ... ({len(text):,} characters)"


def to_script_json(value: object) -> str:
    """Return JSON that stays data wherever it stands in a page: no tag can begin or end in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    escapes = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028"}
    for char, escape in (*escapes.items(), ("\u2029", "\\u2029")):
        text = text.replace(char, escape)
    return text
