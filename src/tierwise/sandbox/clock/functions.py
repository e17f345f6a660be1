"""The functions of `time`, telling virtual time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.clock.builtin import builtin_below, copied
from tierwise.sandbox.clock.engine import BILLION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.sandbox.clock.engine import Engine

_WALL = frozenset({"CLOCK_REALTIME", "CLOCK_TAI"})
_MONOTONIC = frozenset(
    {
        "CLOCK_MONOTONIC",
        "CLOCK_MONOTONIC_RAW",
        "CLOCK_BOOTTIME",
        "CLOCK_UPTIME",
        "CLOCK_UPTIME_RAW",
    }
)


def virtual_functions(engine: Engine) -> Mapping[str, Callable[..., Any]]:
    """Return what stands in for each function of `time` that reads a clock."""
    return {**_clocks(engine), **_clocks_by_number(engine), **_calendar(engine)}


def _clocks(engine: Engine) -> dict[str, Callable[..., Any]]:
    def time() -> float:
        return engine.wall_ns / BILLION

    def time_ns() -> int:
        return engine.wall_ns

    def monotonic() -> float:
        return engine.monotonic_ns / BILLION

    def monotonic_ns() -> int:
        return engine.monotonic_ns

    return {
        "time": time,
        "time_ns": time_ns,
        "monotonic": monotonic,
        "monotonic_ns": monotonic_ns,
        "perf_counter": monotonic,
        "perf_counter_ns": monotonic_ns,
    }


def _clocks_by_number(engine: Engine) -> dict[str, Callable[..., Any]]:
    wall = {getattr(time, name) for name in _WALL if hasattr(time, name)}
    forward = {getattr(time, name) for name in _MONOTONIC if hasattr(time, name)}

    def clock_gettime_ns(clock: int, /) -> int:
        if clock in wall:
            return engine.wall_ns
        if clock in forward:
            return engine.monotonic_ns
        return engine.reality.clock_gettime_ns(clock)

    def clock_gettime(clock: int, /) -> float:
        if clock in wall or clock in forward:
            return clock_gettime_ns(clock) / BILLION
        return engine.reality.clock_gettime(clock)

    return {"clock_gettime": clock_gettime, "clock_gettime_ns": clock_gettime_ns}


def _calendar(engine: Engine) -> dict[str, Callable[..., Any]]:
    """Return the functions that take the present moment when they are given none."""
    real = {
        name: copied(builtin_below(getattr(time, name)))
        for name in ("localtime", "gmtime", "ctime", "asctime", "strftime")
    }

    def localtime(seconds: float | None = None, /) -> Any:  # noqa: ANN401  a struct_time
        return real["localtime"](engine.wall_ns / BILLION if seconds is None else seconds)

    def gmtime(seconds: float | None = None, /) -> Any:  # noqa: ANN401  a struct_time
        return real["gmtime"](engine.wall_ns / BILLION if seconds is None else seconds)

    def ctime(seconds: float | None = None, /) -> Any:  # noqa: ANN401  text
        return real["ctime"](engine.wall_ns / BILLION if seconds is None else seconds)

    def asctime(*moment: Any) -> Any:  # noqa: ANN401  text of a struct_time
        return real["asctime"](*(moment or (localtime(),)))

    def strftime(pattern: str, /, *moment: Any) -> Any:  # noqa: ANN401  text of a struct_time
        return real["strftime"](pattern, *(moment or (localtime(),)))

    return {
        "localtime": localtime,
        "gmtime": gmtime,
        "ctime": ctime,
        "asctime": asctime,
        "strftime": strftime,
    }
