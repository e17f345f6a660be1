"""Which part of a buffer is old enough to be handed over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omnia.core import RECENT_PHRASES, naturalize
from omnia.memory.entry import in_order

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from omnia.memory.entry import Entry

TAIL: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The loose entries of a buffer: old ones to hand over, and a tail that stays."""

    candidates: tuple[Entry, ...]
    tail: tuple[Entry, ...]


def split_buffer(entries: Sequence[Entry], now: datetime, *, tail: int = TAIL) -> Split:
    """Return the split; the tail also takes whatever is too recent to be condensed."""
    loose = in_order(entry for entry in entries if not entry.pinned)
    cut = max(len(loose) - tail, 0)
    while cut > 0 and naturalize(now, loose[cut - 1].moment) in RECENT_PHRASES:
        cut -= 1
    return Split(candidates=tuple(loose[:cut]), tail=tuple(loose[cut:]))
