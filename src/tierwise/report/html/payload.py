"""The tests as the small data that the page filters: grouped by file, within a budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.report.html.text import shorten, show_text, to_script_json
from tierwise.report.html.wording import file_of, name_of, tier_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.report.html.values import TestLine

MOST_BYTES = 400_000
_LONGEST_MESSAGE = 400
_OUTCOMES = tuple(str(outcome) for outcome in Outcome)
_COMMA = 1
_FRAME_BYTES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What the page's script reads; `n_shown` of all tests are in it, the worst first."""

    data: dict[str, object]
    n_shown: int


def pack_tests(tests: Sequence[TestLine], budget: int = MOST_BYTES) -> Payload:
    """Return the tests, the worst first, as many as fit."""
    groups: dict[tuple[str, str], list[list[object]]] = {}
    n_shown = 0
    for test in tests:
        key = (show_text(file_of(test.nodeid)), tier_of(test.tier))
        row = _row(test)
        budget -= _weight(row) + (0 if key in groups else _weight(key) + _FRAME_BYTES)
        if budget < 0:
            break
        groups.setdefault(key, []).append(row)
        n_shown += 1
    files = [[file, tier, rows] for (file, tier), rows in groups.items()]
    return Payload(data={"outcomes": list(_OUTCOMES), "files": files}, n_shown=n_shown)


def _row(test: TestLine) -> list[object]:
    row: list[object] = [
        show_text(name_of(test.nodeid)),
        _OUTCOMES.index(str(test.outcome)),
        round(test.duration_s * 1000),
    ]
    return [*row, _clean(test.message, _LONGEST_MESSAGE)] if test.message else row


def _weight(part: object) -> int:
    return len(to_script_json(part).encode("utf-8", "backslashreplace")) + _COMMA


def _clean(text: str, longest: int) -> str:
    return shorten(show_text(text), longest)
