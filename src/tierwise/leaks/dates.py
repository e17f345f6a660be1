"""Dates in any order: 1990-03-14, March 14th, 1990, the fourteenth of March nineteen ninety."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tierwise.leaks.tokens import Token

Date = tuple[int | None, int, int]
"""Year (None when it is not said), month, day."""

_MONTH_NAMES = (
    "january february march april may june july august september october november december"
)
_NAMES = tuple(_MONTH_NAMES.split())
_MONTHS = {
    **{name: number for number, name in enumerate(_NAMES, start=1)},
    **{name[:3]: number for number, name in enumerate(_NAMES, start=1)},
    "sept": 9,
}
_FILLERS = frozenset({"of", "the", "in", "on", "day"})
_WEEKDAYS = frozenset(
    f"{day}{end}"
    for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
    for end in ("day", "")
)
_LONGEST_MONTH = 31
_N_MONTHS = 12
_WINDOW = 7
_WIDEST_GAP = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DatePlace:
    """A row of tokens that can be read as a date, in each way that it can."""

    readings: frozenset[Date]
    first: int
    last: int


def dates_in(tokens: Sequence[Token]) -> Iterator[DatePlace]:
    """Yield every row of tokens that reads as a date, the longest from each place."""
    for index, token in enumerate(tokens):
        if token.text.isdigit() or token.text in _MONTHS:
            place = _date_at(tokens, index)
            if place is not None:
                yield place


def date_of(tokens: Sequence[Token]) -> frozenset[Date]:
    """Return the readings of a text that is a date and nothing else; empty for any other."""
    meaning = [
        token for token in tokens if token.text not in _FILLERS and token.text not in _WEEKDAYS
    ]
    if not meaning:
        return frozenset()
    place = _date_at(meaning, 0)
    if place is None or place.last != len(meaning) - 1:
        return frozenset()
    return place.readings


def _date_at(tokens: Sequence[Token], index: int) -> DatePlace | None:
    parts: list[str] = []
    ends: list[int] = []
    for at in range(index, min(len(tokens), index + _WINDOW)):
        text = tokens[at].text
        if text.isdigit() or text in _MONTHS:
            parts.append(text)
            ends.append(at)
        elif text not in _FILLERS:
            break
    for count in range(min(4, len(parts)), 0, -1):
        readings = frozenset(_readings(parts[:count]))
        named = any(part in _MONTHS for part in parts[:count])
        if readings and (named or _is_tight(tokens, index, count)):
            return DatePlace(readings=readings, first=index, last=ends[count - 1])
    return None


def _is_tight(tokens: Sequence[Token], index: int, count: int) -> bool:
    """Say whether the numbers of a date stand side by side, with a sign or two between them."""
    row = tokens[index : index + count]
    near = all(second.start - first.end <= _WIDEST_GAP for first, second in pairwise(row))
    return near and all(token.text.isdigit() for token in row)


def _readings(parts: list[str]) -> Iterator[Date]:
    months = [part for part in parts if part in _MONTHS]
    if len(months) == 1:
        rest = [part for part in parts if part not in _MONTHS]
        yield from _named_readings(rest, _MONTHS[months[0]], parts.index(months[0]))
    elif not months and len(parts) == 1 and len(parts[0]) == 8:  # noqa: PLR2004  yyyymmdd
        row = parts[0]
        yield from _numeric_readings([row[:4], row[4:6], row[6:]])
        yield from _numeric_readings([row[:2], row[2:4], row[4:]])
    elif not months:
        yield from _numeric_readings(parts)


def _named_readings(rest: list[str], month: int, at: int) -> Iterator[Date]:
    """Yield what a month and numbers say: day month year, month day year or year month day."""
    if at > 1 or not rest or len(rest) > 3:  # noqa: PLR2004  a year may come in two halves
        return
    if len(rest) == 1:
        yield from _of_year(None, month, rest[0])
        return
    yield from _of_year("".join(rest[1:]), month, rest[0])
    if at == 1 and len(rest) == 2:  # noqa: PLR2004
        yield from _of_year(rest[0], month, rest[1])


def _numeric_readings(parts: list[str]) -> Iterator[Date]:
    if len(parts) != 3:  # noqa: PLR2004
        return
    first, second, third = parts
    if len(first) == 4:  # noqa: PLR2004  a year comes first
        yield from _of_year(first, int(second), third)
        return
    yield from _of_year(third, int(second), first)
    yield from _of_year(third, int(first), second)


def _of_year(year: str | None, month: int, day: str) -> Iterator[Date]:
    if len(day) > 2 or not (1 <= int(day) <= _LONGEST_MONTH and 1 <= month <= _N_MONTHS):  # noqa: PLR2004
        return
    if year is None:
        yield None, month, int(day)
    elif len(year) == 4:  # noqa: PLR2004
        yield int(year), month, int(day)
    elif len(year) == 2:  # noqa: PLR2004
        yield 1900 + int(year), month, int(day)
        yield 2000 + int(year), month, int(day)
