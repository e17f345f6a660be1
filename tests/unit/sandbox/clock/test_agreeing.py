"""Every clock of Python agrees while time is virtual."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import logging
import random
import time
from datetime import UTC, date, datetime, timedelta, timezone
from time import monotonic as imported_monotonic, sleep as imported_sleep, time as imported_time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.clock import VirtualClock

MOMENT = datetime(2031, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
BOUND_NOW = datetime.now
BOUND_UTC = functools.partial(datetime.now, tz=UTC)


@dataclasses.dataclass
class Note:
    made: float = dataclasses.field(default_factory=time.time)
    on: datetime = dataclasses.field(default_factory=functools.partial(datetime.now, UTC))


def measured(clock_read: Callable[[], float] = time.monotonic) -> float:
    return clock_read()


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        """Be a loop that was never opened: only its time is asked."""

    def __del__(self) -> None:
        """Have nothing to close."""


LOOP_TIME = _Loop().time

WALL: dict[str, Callable[[], float]] = {
    "time.time": lambda: time.time(),  # noqa: PLW0108  looked up when it is called
    "time.time_ns": lambda: time.time_ns() / 1e9,
    "imported time": imported_time,
    "clock_gettime": lambda: time.clock_gettime(time.CLOCK_REALTIME),
    "clock_gettime_ns": lambda: time.clock_gettime_ns(time.CLOCK_REALTIME) / 1e9,
    "datetime.now": lambda: datetime.now().timestamp(),  # noqa: DTZ005  read both ways
    "datetime.now(UTC)": lambda: datetime.now(UTC).timestamp(),
    "datetime.now(tz=)": lambda: datetime.now(tz=timezone(timedelta(hours=5))).timestamp(),
    "datetime.now, bound before": lambda: BOUND_NOW().timestamp(),
    "datetime.now(tz=), bound before": lambda: BOUND_UTC().timestamp(),
    "datetime.today": lambda: datetime.today().timestamp(),  # noqa: DTZ002  read every way
    "a dataclass field's default": lambda: Note().made,
    "another field's default": lambda: Note().on.timestamp(),  # noqa: PLW0108  a note made now
    "a record of logging": lambda: logging.makeLogRecord({}).created,
}
FORWARD: dict[str, Callable[[], float]] = {
    "time.monotonic": lambda: time.monotonic(),  # noqa: PLW0108  looked up when it is called
    "time.monotonic_ns": lambda: time.monotonic_ns() / 1e9,
    "time.perf_counter": lambda: time.perf_counter(),  # noqa: PLW0108  as above
    "time.perf_counter_ns": lambda: time.perf_counter_ns() / 1e9,
    "imported monotonic": imported_monotonic,
    "a default argument": measured,
    "clock_gettime": lambda: time.clock_gettime(time.CLOCK_MONOTONIC),
    "an event loop made before": LOOP_TIME,
}


@pytest.mark.parametrize("name", sorted(WALL))
def test_every_reading_of_the_date_moves_with_the_clock(name: str, clock: VirtualClock) -> None:
    """Whatever way the date is asked, it is the clock's, after a jump too."""
    clock.travel_to(MOMENT)
    assert WALL[name]() == pytest.approx(MOMENT.timestamp(), abs=2e-6)
    clock.advance(86_400)
    assert WALL[name]() == pytest.approx(MOMENT.timestamp() + 86_400, abs=2e-6)


@pytest.mark.parametrize("name", sorted(FORWARD))
def test_every_reading_of_the_steady_clock_moves_with_the_clock(
    name: str, clock: VirtualClock
) -> None:
    """However passing time is measured, an hour is an hour, and a change of date is nothing."""
    before = FORWARD[name]()
    clock.travel_to(MOMENT)
    assert FORWARD[name]() == before
    clock.advance(3600)
    assert FORWARD[name]() - before == pytest.approx(3600, abs=1e-6)


def test_days_and_texts_follow(clock: VirtualClock) -> None:
    """Dates without a time and the texts of `time` show the virtual day."""
    clock.travel_to(MOMENT)
    assert date.today() == MOMENT.astimezone().date()  # noqa: DTZ011  asked on purpose
    assert time.gmtime()[:6] == MOMENT.timetuple()[:6]
    assert time.localtime()[:6] == MOMENT.astimezone().timetuple()[:6]
    assert time.strftime("%Y-%m") == "2031-05"
    assert time.strftime("%Y", time.gmtime(0)) == "1970"
    assert time.ctime() == time.asctime()
    assert time.ctime().endswith("2031")
    assert time.gmtime(0).tm_year == 1970
    assert time.ctime(0) == time.asctime(time.localtime(0))


def test_utcnow_is_naive_and_in_utc(clock: VirtualClock) -> None:
    """The old way to ask for UTC has no zone, as ever."""
    clock.travel_to(MOMENT)
    assert datetime.utcnow() == MOMENT.replace(tzinfo=None)  # noqa: DTZ003  asked on purpose


def test_a_subclass_gets_values_of_its_own(clock: VirtualClock) -> None:
    """Libraries that have a datetime of their own get theirs."""

    class Own(datetime):
        """A datetime of a library."""

    clock.travel_to(MOMENT)
    now = Own.now(UTC)
    assert (type(now), now) == (Own, MOMENT)
    assert type(datetime.now(UTC)) is datetime


def test_a_wrong_zone_is_an_error_of_some_kind(clock: VirtualClock) -> None:
    """What is no time zone is never taken for none."""
    with pytest.raises((TypeError, SystemError)):
        datetime.now("UTC")  # type: ignore[arg-type]
    with pytest.raises((TypeError, SystemError)):
        datetime.now(UTC, UTC)  # type: ignore[call-arg]
    with pytest.raises((TypeError, SystemError)):
        datetime.now(zone=UTC)  # type: ignore[call-arg]  # noqa: DTZ005  the mistake itself


def test_other_clocks_stay_real(clock: VirtualClock) -> None:
    """Processor time is no waiting time, and a jump does not change it."""
    before = time.process_time()
    clock.advance(3600)
    assert time.process_time() - before < 3600
    assert time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) < before + 3600


def test_time_stands_still_while_the_test_works(clock: VirtualClock) -> None:
    """Two readings with work between them are equal: results do not depend on the machine."""
    first = (time.time_ns(), time.monotonic_ns())
    sum(range(10_000))
    assert (time.time_ns(), time.monotonic_ns()) == first


def test_random_is_left_alone(clock: VirtualClock) -> None:
    """The clock neither seeds nor draws."""
    state = random.getstate()
    clock.advance(5)
    imported_sleep(5)
    assert random.getstate() == state


def test_it_begins_at_the_present() -> None:
    """Without a date of its own, virtual time goes on from the machine's."""
    from tierwise.clock import VirtualClock  # noqa: PLC0415  after the real reading

    wall, forward = time.time(), time.monotonic()
    with VirtualClock() as clock:
        assert 0 <= clock.now.timestamp() - wall < 60
        assert 0 <= time.monotonic() - forward < 60
