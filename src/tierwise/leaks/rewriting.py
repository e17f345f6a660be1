"""Escapes in the running text: percent, HTML entities, backslashes, quoted-printable, tags."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from tierwise.leaks.documents import Segment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Undo = Callable[[re.Match[str]], str]

_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_QUOTED = re.compile(r"(?:=[0-9A-F]{2})+")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}"
    r"|(?:\\x[0-9A-Fa-f]{2})+"
    r"|\\u\{([0-9A-Fa-f]{1,6})\}|\\U([0-9A-Fa-f]{8})|(?:\\u|%u)([0-9A-Fa-f]{4})"
    r"|(?<![A-Za-z0-9+/])U\+([0-9A-Fa-f]{4,6})(?![0-9A-Fa-f])",
)
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_TAG_BASE = 0xE0000
_FIRST_SELECTOR, _LAST_SELECTOR, _MORE_SELECTORS = 0xFE00, 0xFE0F, 0xE0100
_LAST_CODE = 0x10FFFF


def rewritings(text: str) -> Iterator[Segment]:
    """Yield the text with each kind of escape undone, where it has any."""
    ways: tuple[tuple[str, re.Pattern[str], Undo], ...] = (
        ("percent", _PERCENT, lambda found: _from_bytes(found[0].replace("%", ""))),
        ("quoted-printable", _QUOTED, lambda found: _from_bytes(found[0].replace("=", ""))),
        ("html", _ENTITY, lambda found: html.unescape(found[0])),
        ("escapes", _ESCAPE, _unescape),
        ("tags", _TAGS, lambda found: "".join(chr(ord(c) - _TAG_BASE) for c in found[0])),
        ("variation selectors", _SELECTORS, _read_selectors),
    )
    for method, pattern, undo in ways:
        matches = list(pattern.finditer(text))
        if matches:
            yield rewrite(method, text, matches, undo)


def rewrite(method: str, text: str, matches: list[re.Match[str]], undo: Undo) -> Segment:
    """Return the text with each match undone; a span that touches a match covers all of it."""
    pieces: list[str] = []
    starts: list[int] = []
    sources: list[tuple[int, int, bool]] = []
    at = size = 0
    for match in matches:
        for piece, start, end, is_undone in (
            (text[at : match.start()], at, match.start(), False),
            (undo(match), match.start(), match.end(), True),
        ):
            if piece:
                pieces.append(piece)
                starts.append(size)
                sources.append((start, end, is_undone))
                size += len(piece)
        at = match.end()
    pieces.append(text[at:])
    starts.append(size)
    sources.append((at, len(text), False))

    def locate(start: int, end: int) -> tuple[int, int]:
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end - 1) - 1
        source, _, is_undone = sources[first]
        from_ = source if is_undone else source + start - starts[first]
        source, source_end, is_undone = sources[last]
        to = source_end if is_undone else source + end - starts[last]
        return from_, to

    return Segment(methods=(method,), text="".join(pieces), locate=locate)


def _from_bytes(digits: str) -> str:
    return bytes.fromhex(digits).decode("utf-8", "replace")


def _unescape(found: re.Match[str]) -> str:
    escape = found[0]
    if escape.startswith("\\x"):
        return _from_bytes(escape.replace("\\x", ""))
    if found.lastindex is None:
        return bytes.fromhex(escape.replace("\\u", "")).decode("utf-16-be")
    code = int(found[found.lastindex], 16)
    return chr(code) if code <= _LAST_CODE else ""


def _read_selectors(found: re.Match[str]) -> str:
    codes = (ord(char) for char in found[0])
    data = bytes(
        code - _FIRST_SELECTOR if code <= _LAST_SELECTOR else code - _MORE_SELECTORS + 16
        for code in codes
    )
    return data.decode("utf-8", "replace")
