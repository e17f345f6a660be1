"""Virtual time, used as a test of retries would: type-checked, never run."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import assert_type

from tierwise.clock import VirtualClock
from tierwise.errors import ClockError


def test_clock(clock: VirtualClock) -> None:
    """Move time, and read what it is."""
    clock.advance(1.5)
    clock.advance(timedelta(days=1))
    clock.run_all()
    clock.travel_to(datetime(2030, 1, 1, tzinfo=UTC))
    clock.patience = 2.0
    assert_type(clock.patience, float)
    assert_type(clock.now, datetime)
    assert_type(clock.elapsed, float)


async def test_timers(clock: VirtualClock) -> None:
    """Run what the loop has planned."""
    await clock.run_timers()


def test_block() -> None:
    """Make time virtual without the fixture."""
    with VirtualClock(start=datetime(2030, 1, 1, tzinfo=UTC)) as clock:
        assert_type(clock, VirtualClock)
        try:
            clock.run_all()
        except ClockError as error:
            assert_type(error.slug, str)
