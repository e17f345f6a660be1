"""Letters moved about or swapped for others: reversal, shifts of the alphabet, atbash, leet."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.leaks.fitting import fits
from tierwise.leaks.folding import LEET, NO_STEP, squash_char, steps_of
from tierwise.leaks.probes import Hit, Probe, places, view_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.leaks.documents import Document
    from tierwise.leaks.fitting import Outline
    from tierwise.leaks.forms import Form
    from tierwise.leaks.reading import Reading

WHOLE_BELOW = 10
"""Letters under which a word in cipher has to be whole, since words are each other's ciphers."""
REVERSED_FROM = 5
REVERSED_DIGITS_FROM = 6
ROT13_FROM = 5
SHIFTED_FROM = 6
"""Letters from which any shift counts; `cheer` is `jolly` shifted by seven."""
_LEET_SHARE = 3
"""One character in so many has to be the letter itself: `1154` alone is no `lisa`."""

_LOWER = string.ascii_lowercase
_ATBASH = str.maketrans(_LOWER + _LOWER.upper(), _LOWER[::-1] + _LOWER[::-1].upper())
_WORD = re.compile(r"[^\W_]+")


def atbash(text: str) -> str:
    """Return the text with a and z, b and y ... swapped."""
    return text.translate(_ATBASH)


def shift(text: str, by: int) -> str:
    """Return the text with each letter moved along the alphabet."""
    moved = _LOWER[by % 26 :] + _LOWER[: by % 26]
    return text.translate(str.maketrans(_LOWER + _LOWER.upper(), moved + moved.upper()))


def reversed_probe(form: Form, _reading: Reading) -> Probe | None:
    """Return the probe for the value read backwards."""
    needle = form.squashed[::-1]
    least = REVERSED_DIGITS_FROM if form.outline.kind == "digits" else REVERSED_FROM
    if len(needle) < least:
        return None
    return Probe(form=form, needle=needle, outline=form.outline.reversed())


def reversed_hits(document: Document, probe: Probe) -> Iterator[Hit]:
    """Yield where the value stands backwards."""
    for start, end in view_spans(document.squashed, probe):
        decoded = document.text[start:end][::-1]
        yield Hit(form=probe.form, methods=("reversed",), start=start, end=end, decoded=decoded)


def words_reversed_probe(form: Form, reading: Reading) -> Probe | None:
    """Return the probe for a value of several words with each word backwards in its place."""
    words = [word.translate(reading.squash) for word in _WORD.findall(form.value)]
    needle = "".join(word[::-1] for word in words)
    plain = {form.squashed, form.squashed[::-1]}
    if len(words) == 1 or len(needle) < REVERSED_FROM or needle in plain:
        return None
    return Probe(form=form, needle=needle, outline=form.outline)


def words_reversed_hits(document: Document, probe: Probe) -> Iterator[Hit]:
    """Yield where the words of the value stand in order, each backwards."""
    for start, end in view_spans(document.squashed, probe):
        decoded = _WORD.sub(lambda match: match[0][::-1], document.text[start:end])
        yield Hit(
            form=probe.form, methods=("words reversed",), start=start, end=end, decoded=decoded
        )


def atbash_probe(form: Form, _reading: Reading) -> Probe | None:
    """Return the probe for the value in the mirrored alphabet."""
    if _count_letters(form.squashed) < SHIFTED_FROM:
        return None
    outline = replace(form.outline, whole_below=WHOLE_BELOW)
    return Probe(form=form, needle=atbash(form.squashed), outline=outline)


def atbash_hits(document: Document, probe: Probe) -> Iterator[Hit]:
    """Yield where the value stands in the mirrored alphabet."""
    for start, end in view_spans(document.squashed, probe):
        decoded = atbash(document.text[start:end])
        yield Hit(form=probe.form, methods=("atbash",), start=start, end=end, decoded=decoded)


def shifted_probe(form: Form, _reading: Reading) -> Probe | None:
    """Return the probe that finds the value under every shift at once."""
    return _steps_probe(form, form.squashed, form.outline)


def shifted_backwards_probe(form: Form, _reading: Reading) -> Probe | None:
    """Return the probe that finds the value read backwards under every shift."""
    return _steps_probe(form, form.squashed[::-1], form.outline.reversed())


def shifted_hits(document: Document, probe: Probe) -> Iterator[Hit]:
    """Yield where the value stands shifted along the alphabet."""
    for start, end, by in _shifted_spans(document, probe, probe.form.squashed):
        decoded = shift(document.text[start:end], -by)
        methods = (_shift_name(by),)
        yield Hit(form=probe.form, methods=methods, start=start, end=end, decoded=decoded)


def shifted_backwards_hits(document: Document, probe: Probe) -> Iterator[Hit]:
    """Yield where the value stands backwards and shifted."""
    for start, end, by in _shifted_spans(document, probe, probe.form.squashed[::-1]):
        decoded = shift(document.text[start:end], -by)[::-1]
        methods = (_shift_name(by), "reversed")
        yield Hit(form=probe.form, methods=methods, start=start, end=end, decoded=decoded)


def _steps_probe(form: Form, squashed: str, outline: Outline) -> Probe | None:
    if _count_letters(squashed) < ROT13_FROM:
        return None
    needle = steps_of(squashed)
    needle = needle[needle.index(NO_STEP) + 1 :]
    return Probe(form=form, needle=needle, outline=replace(outline, whole_below=WHOLE_BELOW))


def _shifted_spans(
    document: Document,
    probe: Probe,
    squashed: str,
) -> Iterator[tuple[int, int, int]]:
    size, view = len(squashed), document.squashed
    lead = size - len(probe.needle)
    for place in places(document.steps, probe.needle):
        at = place - lead
        if at < 0:
            continue
        by = (ord(view.text[place - 1]) - ord(squashed[lead - 1])) % 26
        if not _is_told_shift(by, squashed) or shift(view.text[at : at + size], -by) != squashed:
            continue
        positions = view.origins[at : at + size]
        if fits(view.source, positions, probe.outline):
            yield positions[0], positions[-1] + 1, by


def _shift_name(by: int) -> str:
    return "rot13" if by == 13 else f"caesar {by}"  # noqa: PLR2004  its name


def leet_probe(form: Form, _reading: Reading) -> Probe | None:
    """Return the probe for the value with digits and signs in place of letters."""
    if form.is_short or form.outline.kind == "digits":
        return None
    needle = "".join(LEET.get(char, char) for char in form.squashed)
    return Probe(form=form, needle=needle, outline=form.outline)


def leet_hits(document: Document, probe: Probe) -> Iterator[Hit]:
    """Yield where the value stands with digits and signs in place of some letters."""
    view, size, value = document.unleeted, len(probe.needle), probe.form.value
    for at in places(view.text, probe.needle):
        positions = view.origins[at : at + size]
        written = [view.source[position] for position in positions]
        if is_leet(written, probe.form.squashed) and fits(view.source, positions, probe.outline):
            start, end = positions[0], positions[-1] + 1
            yield Hit(form=probe.form, methods=("leet",), start=start, end=end, decoded=value)


def is_leet(written: list[str], squashed: str) -> bool:
    """Say whether each character is the letter meant or a sign for it, with some of both."""
    kept = 0
    for char, meant in zip(written, squashed, strict=True):
        if squash_char(char) == meant:
            kept += 1
        elif char not in "oOlI" if meant.isdigit() else char.isalpha():
            return False
    return kept < len(squashed) <= kept * _LEET_SHARE


def _is_told_shift(by: int, squashed: str) -> bool:
    """Say whether a shift is one that counts for so many letters; no shift is no cipher."""
    return by == 13 or (by > 0 and _count_letters(squashed) >= SHIFTED_FROM)  # noqa: PLR2004


def _count_letters(squashed: str) -> int:
    return sum("a" <= char <= "z" for char in squashed)
