from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from omnia.core import TimeOfDay, WorldClock, time_of_day

DAY = datetime(2024, 2, 28, tzinfo=UTC)


def test_a_clock_starts_in_utc_on_every_machine() -> None:
    """The default start is one moment, not one per local zone."""
    assert WorldClock().to_iso() == "1999-05-14T18:00:00+00:00"


@pytest.mark.parametrize("minutes", [0, 1, 59, 60 * 24, 60 * 24 * 366])
def test_advance_adds_whole_minutes(minutes: int) -> None:
    """Advancing moves the moment by exactly that many minutes, over leap days too."""
    clock = WorldClock(DAY)
    clock.advance(minutes)
    assert clock.now == DAY + timedelta(minutes=minutes)


def test_advance_refuses_negative_minutes() -> None:
    """Time never runs backwards, and a refused step changes nothing."""
    clock = WorldClock(DAY)
    with pytest.raises(ValueError, match="backwards; got -1"):
        clock.advance(-1)
    assert clock.now == DAY


@pytest.mark.parametrize("minutes", [1.5, True, "3"])
def test_advance_refuses_anything_but_whole_numbers(minutes: object) -> None:
    """Fractions, booleans and text are no minutes."""
    with pytest.raises(TypeError, match="whole minutes"):
        WorldClock(DAY).advance(minutes)  # type: ignore[arg-type]  # the fault under test


def test_no_caller_can_move_the_clock_from_outside() -> None:
    """What `now` hands out is a value: replacing parts of it moves nothing."""
    clock = WorldClock(DAY)
    clock.now.replace(year=1900)
    assert clock.now == DAY
    with pytest.raises(AttributeError):
        clock.now = DAY  # type: ignore[misc]  # the fault under test


def test_a_moment_without_offset_is_refused() -> None:
    """A naive moment would mean something else on each machine."""
    with pytest.raises(ValueError, match="no UTC offset"):
        WorldClock.from_iso("1999-05-14T18:00:00")
    with pytest.raises(ValueError, match="no UTC offset"):
        WorldClock(datetime(1999, 5, 14))  # noqa: DTZ001 the fault under test


def test_iso_text_round_trips_with_its_offset() -> None:
    """A clock read from its own text stands at the same moment in the same zone."""
    text = "2024-02-29T23:59:00+14:00"
    assert WorldClock.from_iso(text).to_iso() == text


def test_a_copy_runs_by_itself() -> None:
    """Advancing a copy leaves the original where it stood."""
    clock = WorldClock(DAY)
    clock.copy().advance(10)
    assert clock.now == DAY


@pytest.mark.parametrize(
    ("moment", "period"),
    [
        ("00:00", "midnight"),
        ("02:59", "midnight"),
        ("03:00", "late night"),
        ("04:59", "late night"),
        ("05:00", "morning"),
        ("11:59", "morning"),
        ("12:00", "afternoon"),
        ("16:59", "afternoon"),
        ("17:00", "evening"),
        ("20:59", "evening"),
        ("21:00", "night"),
        ("23:59", "night"),
    ],
)
def test_the_day_has_six_periods_with_exact_boundaries(moment: str, period: str) -> None:
    """Each period begins and ends on its hour."""
    assert WorldClock.from_iso(f"2024-02-29T{moment}:00+00:00").time_of_day() == period


def test_the_period_is_that_of_the_clocks_own_zone() -> None:
    """A world at UTC+14 has its own morning, whatever the machine's zone is."""
    kiritimati = timezone(timedelta(hours=14))
    assert time_of_day(datetime(2024, 1, 1, 6, tzinfo=kiritimati)) is TimeOfDay.MORNING
