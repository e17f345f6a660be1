"""Read what is encoded in a text: candidate tokens to segments, each able to point back."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tierwise.leaks.ciphers import atbash, shift
from tierwise.leaks.documents import Segment
from tierwise.leaks.rewriting import rewritings
from tierwise.leaks.spelling import spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tierwise.leaks.budget import Budget

    Read = Callable[["Token", tuple[str, ...]], list[Segment]]
    Span = tuple[int, int]

FRAGMENT_FROM = 12
"""Characters from which a base64 token may be a fragment, to be read at every offset."""
CERTAIN_FROM = 64
"""Characters from which a token that reads as text does not do so by chance."""
WRAPPED_FROM = 40
"""Characters from which a base64 line may go on in the next line."""
WRAPPED_EVENLY_FROM = 8
"""Characters from which lines of one length may be one wrapped token."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{6,}")
_BREAK = r"=?[ \t]*(?:\\n|\r?\n)[ \t>]*"
_LINE_BREAK = re.compile(_BREAK)
_BASE64_TAIL = re.compile(_BREAK + r"([A-Za-z0-9+/_-]{1,5})(?![A-Za-z0-9+/_-])")
_LOOKS_ENCODED = re.compile(r"[0-9+/_]|[a-z][A-Z]|[A-Z]{12}")
_BASE32 = re.compile(r"[A-Z2-7]{8,}|[a-z2-7]{8,}")
_BASE32_TAIL = re.compile(_BREAK + r"([A-Za-z2-7]{1,7})(?![A-Za-z2-7])")
_HEX = re.compile(r"(?:0x)?[0-9A-Fa-f]{2}(?:[\s:,;_-]{0,2}(?:0x)?[0-9A-Fa-f]{2}){3,}[0-9A-Fa-f]?")
_HEX_DIGIT = re.compile(r"0x|([0-9A-Fa-f])")
_BITS = re.compile(r"[01]{8}(?:[\s,_-]{0,2}[01]{8}){3,}")
_BIT = re.compile(r"[01]")
_CODES = re.compile(r"(?<![\d.])\d{2,3}(?:[\s,;-]{1,2}\d{2,3}){3,}(?!\d)")
_NUMBER = re.compile(r"\d+")
_CONTROLS = bytes({*range(32), 127} - {9, 10, 13})
_READABLE_RUN = re.compile(rb"[\x20-\x7e\t\r\n]{6,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """Characters of an encoding with the place of each in the text."""

    text: str
    places: Sequence[int]


def decode(text: str, budget: Budget) -> list[Segment]:
    """Return all that can be read in a text by one decoding, as far as the budget allows."""
    return [segment for segment in _all_segments(text) if budget.take(len(segment.text))]


def _all_segments(text: str) -> Iterator[Segment]:
    yield from rewritings(text)
    yield from spelled(text)
    for pattern, read_match in ((_BITS, read_bits), (_CODES, read_codes)):
        for match in pattern.finditer(text):
            yield from read_match(match)
    for find, read in (
        (hex_tokens, read_hex),
        (base32_tokens, read_base32),
        (base64_tokens, read_base64),
    ):
        for token in find(text):
            yield from _plain_or_turned(token, read)


def _plain_or_turned(token: Token, read: Read) -> Iterator[Segment]:
    """Yield what a token reads as, and turned about where it makes no sense as it stands."""
    segments = read(token, ())
    yield from segments
    if _is_settled(token, segments) or not _is_obvious(token.text):
        return
    yield from read(Token(text=token.text[::-1], places=token.places[::-1]), ("reversed",))
    for method, turn in (("rot13", _rot13), ("atbash", atbash)):
        yield from read(Token(text=turn(token.text), places=token.places), (method,))


def _is_settled(token: Token, segments: list[Segment]) -> bool:
    """Say whether a token has been read for certain, so that no other reading is needed."""
    return len(token.text) >= CERTAIN_FROM and any(segment.is_whole for segment in segments)


def _rot13(text: str) -> str:
    return shift(text, 13)


def _is_obvious(token: str) -> bool:
    return len(token) >= FRAGMENT_FROM and _LOOKS_ENCODED.search(token) is not None


def base64_tokens(text: str) -> Iterator[Token]:
    """Yield runs of the base64 alphabets, joined where a token may be wrapped over lines."""
    for spans in _wrapped(text, _BASE64, _BASE64_TAIL):
        yield _token(text, spans)
        if len(spans) > 1 and _size(spans[0]) < WRAPPED_FROM:
            # Short lines of one length may be words below each other as well.
            yield from (_token(text, [span]) for span in spans)


def base32_tokens(text: str) -> Iterator[Token]:
    """Yield runs of the base32 alphabet in either case, joined as base64 is."""
    for spans in _wrapped(text, _BASE32, _BASE32_TAIL):
        token = _token(text, spans)
        yield Token(text=token.text.upper(), places=token.places)


def _wrapped(text: str, line: re.Pattern[str], tail: re.Pattern[str]) -> Iterator[list[Span]]:
    spans: list[Span] = []
    for match in line.finditer(text):
        if spans and not _goes_on(text, spans, match.span()):
            yield _with_tail(text, spans, tail)
            spans = []
        spans.append(match.span())
    if spans:
        yield _with_tail(text, spans, tail)


def _goes_on(text: str, spans: Sequence[Span], following: Span) -> bool:
    size = _size(spans[-1])
    is_even = size >= WRAPPED_EVENLY_FROM and size == _size(spans[0]) >= _size(following)
    if size < WRAPPED_FROM and not is_even:
        return False
    return _LINE_BREAK.fullmatch(text, spans[-1][1], following[0]) is not None


def _with_tail(text: str, spans: list[Span], tail: re.Pattern[str]) -> list[Span]:
    # The last line of a wrapped token may be too short to be a token of its own.
    if _size(spans[-1]) < WRAPPED_EVENLY_FROM or _size(spans[-1]) < _size(spans[0]):
        return spans
    rest = tail.match(text, spans[-1][1])
    return spans if rest is None else [*spans, rest.span(1)]


def _size(span: Span) -> int:
    return span[1] - span[0]


def _token(text: str, spans: Sequence[Span]) -> Token:
    if len(spans) == 1:
        return Token(text=text[slice(*spans[0])], places=range(*spans[0]))
    places = [place for span in spans for place in range(*span)]
    return Token(text="".join(text[slice(*span)] for span in spans), places=places)


def hex_tokens(text: str) -> Iterator[Token]:
    """Yield runs of hex digits, without what parts them."""
    for match in _HEX.finditer(text):
        found = [digit for digit in _HEX_DIGIT.finditer(match[0]) if digit[1]]
        places = [match.start() + digit.start() for digit in found]
        yield Token(text="".join(digit[1] for digit in found), places=places)


def read_base64(token: Token, outside: tuple[str, ...]) -> list[Segment]:
    """Return what a token reads as; a long one may have lost up to three characters."""
    standard = token.text.replace("-", "+").replace("_", "/")
    segments: list[Segment] = []
    is_long = len(standard) >= FRAGMENT_FROM
    for lost in range(4 if is_long else 1):
        part = "A" * lost + standard
        part = part[: len(part) - (len(part) % 4 == 1)]
        data = binascii.a2b_base64(part + "=" * (-len(part) % 4))
        if not (is_long or data.isascii()):
            break  # nearly every English word ends here
        places = token.places if not lost else [*[token.places[0]] * lost, *token.places]
        segments += _readable((*outside, "base64"), data, places, per=(4, 3))
        if _is_settled(token, segments):
            break
    return segments


def read_base32(token: Token, outside: tuple[str, ...]) -> list[Segment]:
    """Return what a base32 token reads as; nothing for one that turning made no token."""
    part = token.text[: len(token.text) - (len(token.text) % 8 in {1, 3, 6})]
    try:
        data = base64.b32decode(part + "=" * (-len(part) % 8))
    except binascii.Error:
        return []
    return list(_readable((*outside, "base32"), data, token.places, per=(8, 5)))


def read_hex(token: Token, outside: tuple[str, ...]) -> list[Segment]:
    """Return what hex digits read as, from the first digit or the second."""
    segments: list[Segment] = []
    for skip in (0, 1):
        part = token.text[skip : skip + (len(token.text) - skip) // 2 * 2]
        try:
            data = bytes.fromhex(part)
        except ValueError:
            return []
        segments += _readable((*outside, "hex"), data, token.places[skip:], per=(2, 1))
        if _is_settled(token, segments):
            break
    return segments


def read_bits(match: re.Match[str]) -> Iterator[Segment]:
    """Yield what groups of eight bits read as."""
    found = list(_BIT.finditer(match[0]))
    bits = "".join(bit[0] for bit in found)
    data = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))
    places = [match.start() + bit.start() for bit in found]
    yield from _readable(("binary",), data, places, per=(8, 1))


def read_codes(match: re.Match[str]) -> Iterator[Segment]:
    """Yield what decimal character codes read as."""
    numbers = list(_NUMBER.finditer(match[0]))
    values = [int(number[0]) for number in numbers]
    if max(values) > 126:  # noqa: PLR2004  the last printable character of ASCII
        return
    places = [at for number in numbers for at in (number.start(), number.end() - 1)]
    shifted = [match.start() + at for at in places]
    yield from _readable(("character codes",), bytes(values), shifted, per=(2, 1))


def _readable(
    methods: tuple[str, ...],
    data: bytes,
    places: Sequence[int],
    *,
    per: tuple[int, int],
) -> Iterator[Segment]:
    """Yield decoded bytes as text: whole where they are text, else the readable runs in them."""
    text = data.decode("utf-8", "surrogateescape")
    lone = 0 if data.isascii() else sum("\udc80" <= char <= "\udcff" for char in text)
    bad = lone + len(data) - len(data.translate(None, _CONTROLS))
    if bad <= min(2, len(data) // 6) + len(data) // 20:
        piece = _bytes_segment(methods, text, 0, places, per=per)
        yield replace(piece, is_whole=not bad)
        return
    for run in _READABLE_RUN.finditer(data):
        piece = _bytes_segment(methods, run[0].decode("ascii"), run.start(), places, per=per)
        yield replace(piece, is_whole=False)


def _bytes_segment(
    methods: tuple[str, ...],
    text: str,
    first: int,
    places: Sequence[int],
    *,
    per: tuple[int, int],
) -> Segment:
    characters, size = per

    def locate(start: int, end: int) -> tuple[int, int]:
        ahead = first + len(text[:start].encode("utf-8", "surrogateescape"))
        behind = ahead + len(text[start:end].encode("utf-8", "surrogateescape"))
        edge = places[min(len(places), -(-behind * characters // size)) - 1]
        begin = places[ahead * characters // size]
        return min(begin, edge), max(begin, edge) + 1

    return Segment(methods=methods, text=text, locate=locate)
