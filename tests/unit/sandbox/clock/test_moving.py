"""What a test can tell the clock to do."""

from __future__ import annotations

import asyncio
import threading
import time
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from tierwise.clock import VirtualClock
from tierwise.errors import ClockError

MOMENT = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)


def ticking(clock: VirtualClock, times: int, into: list[float]) -> threading.Thread:
    def tick() -> None:
        for _ in range(times):
            time.sleep(1)
            into.append(clock.elapsed)

    thread = threading.Thread(target=tick)
    thread.start()
    return thread


def test_advancing_moves_every_clock(clock: VirtualClock) -> None:
    """Seconds and timedeltas are both a length of time."""
    start = clock.now
    clock.advance(1.5)
    clock.advance(timedelta(hours=1))
    assert clock.now - start == timedelta(hours=1, seconds=1.5)
    assert clock.elapsed == 3601.5


def test_time_never_goes_back(clock: VirtualClock) -> None:
    """A negative length is refused, with what to do instead."""
    with pytest.raises(ClockError, match=r"cannot go back by 3 s.*travel_to"):
        clock.advance(-3)


@pytest.mark.parametrize(
    ("length", "message"),
    [
        ("x", r"seconds or a timedelta; found 'x' \(str\)"),
        (None, r"found None \(NoneType\)"),
        (True, r"found True \(bool\)"),
        (float("nan"), r"has an end; found nan"),
        (float("inf"), r"has an end; found inf"),
    ],
    ids=str,
)
def test_what_is_no_length_of_time_is_refused(
    clock: VirtualClock, length: Any, message: str
) -> None:
    """It is said what was found, for a move and for patience, and no time passes."""
    for move in (clock.advance, lambda length: setattr(clock, "patience", length)):
        with pytest.raises(ClockError, match=message):
            move(length)
    assert (clock.elapsed, clock.patience) == (0, 0.25)


@pytest.mark.parametrize("moment", ["2031-05-06", 0, MOMENT.date()], ids=str)
def test_what_is_no_moment_is_refused(clock: VirtualClock, moment: Any) -> None:
    """It is said what was found, and what a moment looks like."""
    for refused in (clock.travel_to, VirtualClock):
        with pytest.raises(ClockError, match=rf"found .*\({type(moment).__name__}\).*tzinfo=UTC"):
            refused(moment)


def test_threads_wake_at_their_own_moments(clock: VirtualClock) -> None:
    """Advancing stops at each deadline on the way until the thread has done its work."""
    ticks: list[float] = []
    thread = ticking(clock, 5, ticks)
    clock.advance(3.5)
    assert ticks == [1, 2, 3]
    clock.run_all()
    thread.join()
    assert ticks == [1, 2, 3, 4, 5]
    assert clock.elapsed == 5


def test_running_all_waits_for_those_who_work_first(clock: VirtualClock) -> None:
    """A thread that has something to do before it waits is not forgotten."""
    ticks: list[float] = []

    def work() -> None:
        sum(range(500_000))
        time.sleep(1)
        ticks.append(clock.elapsed)

    thread = threading.Thread(target=work)
    thread.start()
    clock.run_all()
    assert ticks == [1]
    thread.join()


def test_running_all_ends_where_nobody_waits(clock: VirtualClock) -> None:
    """Without anybody who waits for time, none passes."""
    clock.run_all()
    assert clock.elapsed == 0


def test_running_all_gives_up_on_what_never_ends(
    clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that waits again and again is reported, not followed for ever."""
    monkeypatch.setattr("tierwise.sandbox.clock.virtual_clock._STEPS", 3)
    ticks: list[float] = []
    thread = ticking(clock, 5, ticks)
    with pytest.raises(ClockError, match="after 3 steps there are still waits"):
        clock.run_all()
    thread.join()


def test_running_all_inside_a_loop_is_refused(clock: VirtualClock) -> None:
    """A coroutine that runs everything would wait for itself."""

    async def main() -> None:
        clock.run_all()

    with pytest.raises(ClockError, match="run_timers"):
        asyncio.run(main())


def test_timers_of_a_loop_run_in_order(clock: VirtualClock) -> None:
    """What is planned by what is planned runs too, each at its moment."""
    seen: list[tuple[str, float]] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(20, lambda: seen.append(("late", clock.elapsed)))
        loop.call_later(
            5, lambda: loop.call_later(5, lambda: seen.append(("next", clock.elapsed)))
        )
        loop.call_later(1, seen.append, ("gone", 0.0)).cancel()
        await clock.run_timers()

    asyncio.run(main())
    assert [(name, round(at, 6)) for name, at in seen] == [("next", 10), ("late", 20)]


def test_advancing_inside_a_coroutine_fires_what_is_due(clock: VirtualClock) -> None:
    """The loop's timers run at the next await, and not before they are due."""

    async def main() -> None:
        task = asyncio.create_task(asyncio.sleep(60))
        await asyncio.sleep(0)
        clock.advance(59)
        await asyncio.sleep(0)
        assert not task.done()
        clock.advance(1)
        for _ in range(3):
            await asyncio.sleep(0)
        assert task.done()

    asyncio.run(main())
    assert clock.elapsed == 60


def test_travelling_changes_the_date_alone(clock: VirtualClock) -> None:
    """A date in any zone is the same moment; going back is allowed; no time passes."""
    clock.travel_to(MOMENT.astimezone(timezone(timedelta(hours=-7))))
    assert clock.now == MOMENT
    clock.travel_to(datetime(1999, 1, 1, tzinfo=UTC))
    assert clock.now.year == 1999
    assert clock.elapsed == 0


def test_a_moment_needs_a_zone(clock: VirtualClock) -> None:
    """A naive date is refused: it is a different moment on another machine."""
    with pytest.raises(ClockError, match=r"has no time zone.*datetime\(2031, 1, 2, tzinfo=UTC\)"):
        clock.travel_to(datetime(2031, 1, 2))  # noqa: DTZ001  the mistake itself


def test_a_start_can_be_given() -> None:
    """A block of virtual time begins at the date that it is given."""
    with VirtualClock(start=MOMENT) as clock:
        assert clock.now == MOMENT
        assert datetime.now(UTC) == MOMENT


def test_everything_is_put_back_at_the_end() -> None:
    """After the block, time is the machine's and every function the one from before."""
    parts = [threading.Condition.wait, threading.Thread.join]
    before = (time.time(), time.monotonic(), datetime.now(UTC))
    with VirtualClock(start=MOMENT):
        time.sleep(1e6)
    after = (time.time(), time.monotonic(), datetime.now(UTC))
    assert all(0 <= late - early < 60 for early, late in zip(before[:2], after[:2], strict=True))
    assert timedelta() <= after[2] - before[2] < timedelta(minutes=1)
    assert [threading.Condition.wait, threading.Thread.join] == parts


def test_an_error_inside_puts_everything_back() -> None:
    """A test that fails leaves real time to the next."""
    before = time.monotonic()

    def fail() -> None:
        with VirtualClock():
            time.sleep(1e6)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert time.monotonic() - before < 60


def test_a_clock_inside_a_clock_shares_its_time(clock: VirtualClock) -> None:
    """Waits inside count outside; only the date is the inner one's own, until it ends."""
    outside = clock.now
    with VirtualClock(start=MOMENT) as inner:
        time.sleep(10)
        assert inner.now == MOMENT + timedelta(seconds=10)
    assert clock.now == outside + timedelta(seconds=10)
    assert clock.elapsed == 10


def test_a_clock_that_does_not_run_says_so() -> None:
    """Before and after its block a clock has no time to tell, and it is not entered twice."""
    clock = VirtualClock()
    with pytest.raises(ClockError, match="does not run"):
        clock.advance(1)
    with clock, pytest.raises(ClockError, match="runs already"):
        clock.__enter__()
    with pytest.raises(ClockError, match="does not run"):
        _ = clock.now


def test_patience_is_a_length_of_time(clock: VirtualClock) -> None:
    """It can be read and set; a negative one is refused."""
    clock.patience = 2
    assert clock.patience == 2
    with pytest.raises(ClockError, match="expected zero or more"):
        clock.patience = -1
