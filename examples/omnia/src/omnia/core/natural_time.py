"""Say how long ago something was, as a person would."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from omnia.core.clock import TimeOfDay, require_zone, time_of_day

JUST_NOW: Final = "just now"
RECENT_PHRASES: Final = (
    JUST_NOW,
    "moments ago",
    "a few minutes ago",
    "several minutes ago",
)
NIGHT_BEFORE_LAST: Final = "the night before last"
COUPLE_OF_DAYS: Final = "a couple days ago"

_MINUTES = (
    (1, JUST_NOW),
    (3, "moments ago"),
    (10, "a few minutes ago"),
    (30, "several minutes ago"),
    (45, "about half an hour ago"),
    (90, "about an hour ago"),
    (180, "a couple hours ago"),
    (360, "a few hours ago"),
)
_DAYS = (
    (3, COUPLE_OF_DAYS),
    (7, "a few days ago"),
    (14, "about a week ago"),
    (21, "a couple weeks ago"),
    (30, "a few weeks ago"),
    (60, "about a month ago"),
    (90, "a couple months ago"),
    (180, "a few months ago"),
    (365, "many months ago"),
    (730, "about a year ago"),
)
_NIGHTS = {
    TimeOfDay.NIGHT: "last night",
    TimeOfDay.MIDNIGHT: "around midnight",
    TimeOfDay.LATE_NIGHT: "late last night",
}
_DAY_BREAKS_AT = timedelta(hours=5)


def naturalize(now: datetime, past: datetime) -> str:
    """Return a phrase for the time between two moments; a past that is not past is just now.

    Hours of the day are read in the zone of `now`, so every machine says the same.
    """
    past = require_zone(past).astimezone(require_zone(now).tzinfo)
    if past >= now:
        return JUST_NOW
    gone = now - past
    minutes = gone // timedelta(minutes=1)
    if minutes < _MINUTES[-1][0]:
        return _first(_MINUTES, minutes)
    if gone.days >= 2:
        return _first(_DAYS, gone.days, default="years ago")
    return _by_period(now, past)


def _by_period(now: datetime, past: datetime) -> str:
    period = time_of_day(past)
    if period in _NIGHTS:
        # A night belongs to the evening it began with: 02:00 is part of yesterday's night.
        nights = (now.date() - (past - _DAY_BREAKS_AT).date()).days
        if nights <= 1:
            return _NIGHTS[period]
        return NIGHT_BEFORE_LAST if nights == 2 else COUPLE_OF_DAYS
    days = (now.date() - past.date()).days
    if days == 0:
        return f"earlier today, in the {period}"
    return f"yesterday {period}" if days == 1 else COUPLE_OF_DAYS


def _first(steps: tuple[tuple[int, str], ...], amount: int, *, default: str = "") -> str:
    return next((phrase for end, phrase in steps if amount < end), default)
