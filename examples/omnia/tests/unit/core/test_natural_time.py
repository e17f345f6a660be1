from __future__ import annotations

import os
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st
from omnia.core import naturalize

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = datetime(2024, 3, 1, 20, 0, tzinfo=UTC)

MINUTE, HOUR, DAY = 60, 3600, 86400
BOUNDARIES = [
    (MINUTE, "just now", "moments ago"),
    (3 * MINUTE, "moments ago", "a few minutes ago"),
    (10 * MINUTE, "a few minutes ago", "several minutes ago"),
    (30 * MINUTE, "several minutes ago", "about half an hour ago"),
    (45 * MINUTE, "about half an hour ago", "about an hour ago"),
    (90 * MINUTE, "about an hour ago", "a couple hours ago"),
    (3 * HOUR, "a couple hours ago", "a few hours ago"),
    (6 * HOUR, "a few hours ago", "earlier today, in the afternoon"),
    (3 * DAY, "a couple days ago", "a few days ago"),
    (7 * DAY, "a few days ago", "about a week ago"),
    (14 * DAY, "about a week ago", "a couple weeks ago"),
    (21 * DAY, "a couple weeks ago", "a few weeks ago"),
    (30 * DAY, "a few weeks ago", "about a month ago"),
    (60 * DAY, "about a month ago", "a couple months ago"),
    (90 * DAY, "a couple months ago", "a few months ago"),
    (180 * DAY, "a few months ago", "many months ago"),
    (365 * DAY, "many months ago", "about a year ago"),
    (730 * DAY, "about a year ago", "years ago"),
]


@pytest.mark.parametrize(("seconds", "before", "after"), BOUNDARIES)
def test_each_phrase_ends_where_the_next_begins(seconds: int, before: str, after: str) -> None:
    """One second under a boundary is the younger phrase; the boundary itself is the older."""
    assert naturalize(NOW, NOW - timedelta(seconds=seconds - 1)) == before
    assert naturalize(NOW, NOW - timedelta(seconds=seconds)) == after
    assert naturalize(NOW, NOW - timedelta(seconds=seconds + 1)) == after


@pytest.mark.parametrize("ahead", [0, 1, 10 * DAY])
def test_a_past_that_is_not_past_is_just_now(ahead: int) -> None:
    """The present and the future have no age."""
    assert naturalize(NOW, NOW + timedelta(seconds=ahead)) == "just now"


def test_part_minutes_do_not_count() -> None:
    """59.9 seconds are no minute yet."""
    assert naturalize(NOW, NOW - timedelta(seconds=59.9)) == "just now"


@pytest.mark.parametrize(("minutes", "phrase"), [(89, "about an hour"), (110, "a couple hours")])
def test_about_an_hour_ends_at_ninety_minutes(minutes: int, phrase: str) -> None:
    """110 minutes are a couple of hours: hours are not floored before they are compared."""
    assert naturalize(NOW, NOW - timedelta(minutes=minutes)) == f"{phrase} ago"


@pytest.mark.parametrize(
    ("now", "past", "phrase"),
    [
        ("2024-03-02T05:30", "2024-03-01T21:30", "last night"),
        ("2024-03-02T05:30", "2024-03-01T20:59", "yesterday evening"),
        ("2024-03-02T10:00", "2024-03-02T02:59", "around midnight"),
        ("2024-03-02T10:00", "2024-03-02T03:00", "late last night"),
        ("2024-03-02T10:00", "2024-03-01T12:00", "yesterday afternoon"),
        ("2024-03-02T23:00", "2024-03-02T06:00", "earlier today, in the morning"),
        ("2024-03-02T20:00", "2024-02-29T21:30", "the night before last"),
        ("2024-03-02T20:00", "2024-02-29T20:30", "a couple days ago"),
        ("2024-03-02T00:30", "2024-02-29T04:30", "a couple days ago"),
    ],
)
def test_between_six_hours_and_two_days_the_period_is_named(
    now: str, past: str, phrase: str
) -> None:
    """What a person would say depends on the day and the period, not on hours alone."""
    moments = [datetime.fromisoformat(f"{text}:00+00:00") for text in (now, past)]
    assert naturalize(*moments) == phrase


def test_a_night_is_never_earlier_today() -> None:
    """Half past nine is night, so the next morning calls it last night."""
    morning = datetime(2024, 3, 2, 5, 30, tzinfo=UTC)
    assert naturalize(morning, datetime(2024, 3, 1, 21, 30, tzinfo=UTC)) == "last night"


def test_yesterdays_evening_is_never_earlier_today() -> None:
    """Eleven hours ago is yesterday when a night lies between."""
    morning = datetime(2024, 3, 2, 7, 30, tzinfo=UTC)
    assert naturalize(morning, datetime(2024, 3, 1, 20, 30, tzinfo=UTC)) == "yesterday evening"


def test_a_month_end_and_a_leap_day_are_ordinary_days() -> None:
    """The first of March looks back over the 29th of February."""
    assert naturalize(NOW, datetime(2024, 2, 29, 9, tzinfo=UTC)) == "yesterday morning"


def test_a_moment_without_offset_is_refused() -> None:
    """Naive moments would be read in the machine's zone."""
    with pytest.raises(ValueError, match="no UTC offset"):
        naturalize(NOW, datetime(2024, 3, 1))  # noqa: DTZ001 the fault under test


def test_hours_are_read_in_the_zone_of_now() -> None:
    """A past moment noted in another zone is named by the present's clock."""
    kiritimati = timezone(timedelta(hours=14))
    now = datetime(2024, 3, 2, 20, tzinfo=kiritimati)
    assert naturalize(now, datetime(2024, 3, 1, 20, tzinfo=UTC)) == "earlier today, in the morning"


@contextmanager
def machine_zone(name: str) -> Iterator[None]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = name
    time.tzset()
    try:
        yield
    finally:
        os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
        time.tzset()


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "America/St_Johns"])
def test_the_machines_zone_does_not_matter(zone: str) -> None:
    """Every machine says the same about the same two moments."""
    with machine_zone(zone):
        assert naturalize(NOW, NOW - timedelta(hours=30)) == "yesterday afternoon"


RANKS = [
    "just now",
    "moments ago",
    "a few minutes ago",
    "several minutes ago",
    "about half an hour ago",
    "about an hour ago",
    "a couple hours ago",
    "a few hours ago",
    "earlier today, in the evening",
    "earlier today, in the afternoon",
    "earlier today, in the morning",
    "late last night",
    "around midnight",
    "last night",
    "yesterday evening",
    "yesterday afternoon",
    "yesterday morning",
    "the night before last",
    "a couple days ago",
    "a few days ago",
    "about a week ago",
    "a couple weeks ago",
    "a few weeks ago",
    "about a month ago",
    "a couple months ago",
    "a few months ago",
    "many months ago",
    "about a year ago",
    "years ago",
]
MOMENTS = st.datetimes(
    min_value=datetime(2023, 1, 1),  # noqa: DTZ001 the strategy adds the zone
    max_value=datetime(2025, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)


@settings(max_examples=300)
@given(MOMENTS, st.integers(0, 60 * 24 * 4), st.integers(0, 60 * 24 * 400))
def test_what_is_older_never_sounds_younger(now: datetime, minutes: int, more: int) -> None:
    """Over any two moments of the past, the phrases keep their order."""
    younger = naturalize(now, now - timedelta(minutes=minutes))
    older = naturalize(now, now - timedelta(minutes=minutes + more))
    assert RANKS.index(younger) <= RANKS.index(older)
