"""Where a reply gives a secret away: the findings of a trial's notes, marked in its text."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# As `str(Finding)` writes it, with the metric that `trial.score` puts in front.
_NOTE = re.compile(
    r"(?:(?P<metric>[^:]+): )?(?P<secret>.+?): (?P<decoded>'.*'|\".*\")"
    r" at (?P<start>\d+)\.\.(?P<end>\d+) \((?P<way>.*)\)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One finding as a note tells it: what stands there, and where."""

    label: str
    decoded: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A part of a text; `label` says what was found in it, and is empty where nothing was."""

    text: str
    label: str = ""


def read_marks(notes: Iterable[str]) -> tuple[Mark, ...]:
    """Return the findings among a trial's notes."""
    return tuple(mark for note in notes if (mark := _read(note)) is not None)


def mark_text(text: str, marks: Sequence[Mark]) -> tuple[Segment, ...]:
    """Return the text in parts, each finding that can be placed in it a part of its own.

    A finding of a plain text is found by its words too, since what was examined may be a part
    of the reply; one that had to be decoded is placed by its span alone.
    """
    placed = sorted(
        {span: mark.label for mark in marks if (span := _place(text, mark)) is not None}.items()
    )
    segments: list[Segment] = []
    done = 0
    for (start, end), label in placed:
        if start < done:
            continue  # two findings at one place: the first stands for both
        segments += [Segment(text=text[done:start]), Segment(text=text[start:end], label=label)]
        done = end
    segments.append(Segment(text=text[done:]))
    return tuple(segment for segment in segments if segment.text)


def _read(note: str) -> Mark | None:
    found = _NOTE.fullmatch(note)
    if found is None:
        return None
    try:
        decoded = ast.literal_eval(found["decoded"])
    except (ValueError, SyntaxError):
        return None
    metric = f"{found['metric']}: " if found["metric"] else ""
    return Mark(
        label=f"{metric}{found['secret']} ({found['way']})",
        decoded=str(decoded),
        start=int(found["start"]),
        end=int(found["end"]),
    )


def _place(text: str, mark: Mark) -> tuple[int, int] | None:
    wanted = mark.decoded.casefold()
    is_within = mark.start < mark.end <= len(text)
    if is_within and text[mark.start : mark.end].casefold() == wanted:
        return mark.start, mark.end
    at = text.casefold().find(wanted) if wanted else -1
    if at >= 0 and len(text.casefold()) == len(text):
        return at, at + len(wanted)
    return (mark.start, mark.end) if is_within else None
