"""Numbers as people and models write them, found in a text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import Literal

DecimalMark = Literal[".", ","]
"""What stands before the decimals; the other one may group thousands."""

EXACT = Context(prec=80, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Arithmetic whose rounding no tolerance can notice, whatever the program set for its own."""

_LONGEST = 400
"""Digits after which a run of them is not read as a number."""
_SIGNS = {"-": "-", "+": "", "\u2212": "-", "\u2013": "-", "\ufe63": "-", "\uff0d": "-"}
_GROUPS = "'\u2019\u00a0\u202f"
_FRACTIONS = "\u00bc-\u00be\u2150-\u215e\u2189"
_RUN = re.compile(
    rf"[{_FRACTIONS}]|[.,]?\d+(?:[.,]\d+|[{_GROUPS}]\d{{3}}(?!\d))*(?:[eE][-+]?\d{{1,4}})?"
)
_TAKES_NO_SIGN = frozenset(")]}\u2032\u2033")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """Digits that can be read in more than one way, such as `1,5`, or not by us, such as `10²`."""

    text: str


def find_numbers(text: str, *, decimal: DecimalMark = ".") -> tuple[Decimal | Unreadable, ...]:
    """Return the numbers in a text, in order.

    `1,234.5`, `-3`, `.5`, `6e-3`, `12kg`, `$5` and `40%` (forty) are numbers; thousands may be
    grouped by the other mark, an apostrophe or a hard space. Digits in a word (`H2O`) or a version
    (`1.2.3`) are none, and neither are number words. A hyphen after a letter or digit is no minus.
    """
    found = (_read_run(text, match, decimal) for match in _RUN.finditer(text))
    return tuple(number for number in found if number is not None)


def _read_run(
    text: str, match: re.Match[str], decimal: DecimalMark
) -> Decimal | Unreadable | None:
    run, start = match.group(), match.start()
    before = text[start - 1] if start else " "
    if run[0] in ".,":
        if _joins(before) or before in ".,":
            # The mark ends a sentence or an entry; it starts no number.
            run, before, start = run[1:], run[0], start + 1
        elif run[0] == decimal:
            run = f"0{run}"
        else:
            return Unreadable(text=run)
    after = text[match.end() : match.end() + 1]
    if _joins(before) or _goes_on(text, match.end()):
        return None
    if not run[0].isdecimal() or (after and unicodedata.category(after) == "No"):
        return Unreadable(text=run + after)
    number = _parse(run, decimal)
    if isinstance(number, Decimal) and _is_minus(text, start):
        return number.copy_negate()  # a plain minus would round by the program's own context
    return number


def _parse(run: str, decimal: DecimalMark) -> Decimal | Unreadable | None:
    other = "," if decimal == "." else r"\."
    mark = re.escape(decimal)
    group = rf"(?P<group>[{other}{_GROUPS}])"
    whole = rf"(?P<whole>[1-9]\d{{0,2}}{group}\d{{3}}(?:(?P=group)\d{{3}})*|\d+)"
    found = re.fullmatch(rf"{whole}(?:{mark}(?P<part>\d+))?(?P<power>[eE].+)?", run)
    if found is None:
        is_version = re.fullmatch(rf"\d+(?:{mark}\d+){{2,}}", run) is not None
        return None if is_version else Unreadable(text=run)
    whole, part = re.sub(r"\D", "", found["whole"]), found["part"] or "0"
    if len(whole) + len(part) > _LONGEST:
        return Unreadable(text=f"{run[:20]}...")
    return EXACT.create_decimal(f"{whole}.{part}{found['power'] or ''}")


def _is_minus(text: str, start: int) -> bool:
    if not start or _SIGNS.get(text[start - 1]) != "-":
        return False
    before = text[start - 2] if start > 1 else " "
    return not (_joins(before) or before in _SIGNS or before in _TAKES_NO_SIGN)


def _goes_on(text: str, end: int) -> bool:
    """Tell whether letters and more digits follow, as in `3a7`; a unit such as `3kg` may."""
    for position in range(end, len(text)):
        if not _joins(text[position]):
            return False
        if text[position].isdecimal() or text[position] == "_":
            return True
    return False


def _joins(character: str) -> bool:
    """Tell whether digits beside it are part of a word; in scripts without case they are not."""
    category = unicodedata.category(character)
    return category in ("Lu", "Ll", "Lt") or category[0] == "N" or character == "_"
