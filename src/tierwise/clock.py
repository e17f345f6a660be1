"""Virtual time for a block of code; the fixture `clock` is this for one test."""

from tierwise.sandbox.clock.virtual_clock import VirtualClock

__all__ = ["VirtualClock"]
