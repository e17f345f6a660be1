"""The world's time: it moves only when the world says so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum

DEFAULT_START = datetime(1999, 5, 14, 18, 0, tzinfo=UTC)


class TimeOfDay(StrEnum):
    """The six periods of a day."""

    LATE_NIGHT = "late night"
    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"
    MIDNIGHT = "midnight"


_PERIODS = (
    (3, TimeOfDay.MIDNIGHT),
    (5, TimeOfDay.LATE_NIGHT),
    (12, TimeOfDay.MORNING),
    (17, TimeOfDay.AFTERNOON),
    (21, TimeOfDay.EVENING),
    (24, TimeOfDay.NIGHT),
)


def time_of_day(moment: datetime) -> TimeOfDay:
    """Return the period that the moment's hour falls into, in the moment's own zone."""
    return next(period for end, period in _PERIODS if moment.hour < end)


def require_zone(moment: datetime) -> datetime:
    """Return the moment; refuse one without an offset, which each machine reads differently."""
    if moment.utcoffset() is None:
        raise ValueError(f"{moment.isoformat()} has no UTC offset; write e.g. +00:00 behind it")
    return moment


class WorldClock:
    """A moment that only moves forward, in whole minutes."""

    __slots__ = ("_now",)

    def __init__(self, start: datetime = DEFAULT_START) -> None:
        self._now = require_zone(start)

    @classmethod
    def from_iso(cls, text: str) -> WorldClock:
        """Return a clock that stands at an ISO moment; the offset is required."""
        return cls(datetime.fromisoformat(text))

    @property
    def now(self) -> datetime:
        """The present moment; a value that no caller can move."""
        return self._now

    def advance(self, minutes: int) -> None:
        """Move forward by whole minutes; zero changes nothing, less than zero is refused."""
        if isinstance(minutes, bool) or not isinstance(minutes, int):
            raise TypeError(f"a clock moves by whole minutes; got {minutes!r}")
        if minutes < 0:
            raise ValueError(f"a clock does not run backwards; got {minutes} minutes")
        self._now += timedelta(minutes=minutes)

    def time_of_day(self) -> TimeOfDay:
        """Return the period of the present moment."""
        return time_of_day(self._now)

    def to_iso(self) -> str:
        """Return the present moment as ISO text with its offset."""
        return self._now.isoformat()

    def copy(self) -> WorldClock:
        """Return a clock that stands where this one stands."""
        return WorldClock(self._now)
