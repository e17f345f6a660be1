"""What a test holds in its hands: the time, and how to move it."""

from __future__ import annotations

import asyncio
import math
import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from tierwise.errors import ClockError
from tierwise.sandbox.clock import blocking, loops, polling, processes, sockets
from tierwise.sandbox.clock.builtin import ReplacedBuiltin, builtin_below, copied
from tierwise.sandbox.clock.dates import ReplacedDates, at
from tierwise.sandbox.clock.engine import BILLION, Engine
from tierwise.sandbox.clock.functions import virtual_functions
from tierwise.sandbox.clock.reality import Reality, pause
from tierwise.sandbox.slot import SLOT

if TYPE_CHECKING:
    from types import TracebackType

__tracebackhide__ = True  # a failing test shows lines of its own

_STEPS = 100_000


class VirtualClock:
    """Virtual time for a `with` block: every clock of Python agrees, and waits take no time.

    Time stands still while anybody works and jumps when everybody waits. `start` is the date that
    it begins at, with a time zone; by default it is the present. Inside another clock this one
    shares its time: only the date is its own, and goes back at the end.
    """

    def __init__(self, start: datetime | None = None) -> None:
        self._start = None if start is None else _epoch_ns(start)
        self._stack = ExitStack()
        self._engine_here: Engine | None = None

    def __enter__(self) -> Self:
        if self._engine_here is not None:
            raise ClockError("this clock runs already. Make another one: VirtualClock().")
        outer = SLOT.clock
        with ExitStack() as stack:
            if isinstance(outer, Engine):
                self._engine_here = outer
                before = outer.wall_ns - outer.passed_ns
                stack.callback(lambda: outer.set_wall(before + outer.passed_ns))
            else:
                self._engine_here = _installed(stack)
            stack.callback(self._forget)
            if self._start is not None:
                self._engine_here.set_wall(self._start)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    @property
    def now(self) -> datetime:
        """The present moment, in UTC."""
        return at(self._engine.wall_ns, datetime, UTC)

    @property
    def elapsed(self) -> float:
        """Seconds of virtual time that have passed since the outermost clock began."""
        return self._engine.passed_ns / BILLION

    @property
    def patience(self) -> float:
        """Real seconds to wait for another process's answer before time jumps; 0.25 by default."""
        return self._engine.patience_ns / BILLION

    @patience.setter
    def patience(self, seconds: float) -> None:
        """Wait so long; zero means never."""
        length = _length_of(seconds)
        if length < 0:
            raise ClockError(f"patience is {length:g} s; expected zero or more.")
        self._engine.patience_ns = blocking.nanoseconds(length)

    def advance(self, seconds: float | timedelta) -> None:
        """Let so much time pass, and let other threads wake at their moments on the way.

        Timers of an event loop in this thread run when the loop does: after the next `await`.
        """
        length = _length_of(seconds)
        if length < 0:
            raise ClockError(
                f"time cannot go back by {-length:g} s."
                " Say what date it is: clock.travel_to(moment)."
            )
        engine = self._engine
        target = engine.passed_ns + blocking.nanoseconds(length)
        while self._next(target) is not None:
            self._jump_to_next()
        engine.jump(target)
        self._let_others_run()

    def run_all(self) -> None:
        """Let time pass until no other thread waits for it."""
        if asyncio._get_running_loop() is not None:  # noqa: SLF001  get_running_loop raises where there is none
            raise ClockError(
                "run_all() was called in a coroutine, whose event loop cannot run meanwhile. Await"
                " the tasks themselves, or `await clock.run_timers()`: waiting lets time pass."
            )
        self._let_others_run()
        for _ in range(_STEPS):
            if self._next(None) is None:
                return
            self._jump_to_next()
        raise ClockError(
            f"after {_STEPS:,} steps there are still waits for time: something waits again and"
            " again. Say how long: clock.advance(seconds)."
        )

    async def run_timers(self) -> None:
        """Let time pass until the running event loop has nothing planned any more."""
        loop: Any = asyncio.get_running_loop()
        while planned := [each.when() for each in loop._scheduled if not each.cancelled()]:  # noqa: SLF001  no public list
            await asyncio.sleep(max(0.0, min(planned) - loop.time()))
            await asyncio.sleep(0)

    def travel_to(self, moment: datetime) -> None:
        """Say what date it is, with a time zone; going back is allowed, and nobody wakes."""
        self._engine.set_wall(_epoch_ns(moment))

    @property
    def _engine(self) -> Engine:
        if self._engine_here is None:
            raise ClockError(
                "this clock does not run. Use it in its block: `with VirtualClock() as clock:`"
            )
        return self._engine_here

    def _forget(self) -> None:
        self._engine_here = None

    def _next(self, target: int | None) -> int | None:
        deadline = self._engine.next_deadline()
        is_wanted = deadline is not None and (target is None or deadline <= target)
        return deadline if is_wanted else None

    def _jump_to_next(self) -> None:
        deadline = self._engine.next_deadline()
        if deadline is not None:
            self._engine.jump(deadline)
        self._let_others_run()

    def _let_others_run(self) -> None:
        """Wait really until every other thread waits again."""
        while not self._engine.others_wait():
            pause(0.0005)


def _installed(stack: ExitStack) -> Engine:
    """Make time virtual, and leave on the stack how to make it real again, in reverse."""
    loops.refuse_unreachable(asyncio._get_running_loop())  # noqa: SLF001  get_running_loop raises where there is none
    reality = Reality()
    engine = Engine(reality)
    reality.give()
    stack.callback(reality.take_back)
    for name, stand_in in virtual_functions(engine).items():
        _replace(stack, getattr(time, name, None), stand_in)
    _replace(stack, time.sleep, blocking.virtual_sleep(engine))
    running = builtin_below(asyncio._set_running_loop)  # noqa: SLF001  where every loop passes by
    _replace(stack, running, loops.checking_loops(copied(running)))
    dates = ReplacedDates(lambda: engine.wall_ns)
    dates.put_in()
    stack.callback(dates.put_back)
    for room in (blocking, polling, sockets, processes, loops):
        for patch in room.install(engine):
            if patch is not None:
                stack.callback(patch.undo)
    SLOT.clock = engine
    stack.callback(_end, engine)
    return engine


def _replace(stack: ExitStack, function: object, stand_in: Any) -> None:  # noqa: ANN401  a function like it
    if function is None:
        return
    replaced = ReplacedBuiltin(builtin_below(function), stand_in)
    replaced.put_in()
    stack.callback(replaced.put_back)


def _end(engine: Engine) -> None:
    SLOT.clock = None
    engine.end()


def _length_of(seconds: object) -> float:
    """Return a length of time in seconds; raises ClockError for what is none."""
    if isinstance(seconds, timedelta):
        return seconds.total_seconds()
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise ClockError(
            f"a length of time is a number of seconds or a timedelta; found {seconds!r}"
            f" ({type(seconds).__name__})."
        )
    if not math.isfinite(seconds):
        raise ClockError(f"a length of time has an end; found {seconds}.")
    return seconds


def _epoch_ns(moment: object) -> int:
    if not isinstance(moment, datetime):
        raise ClockError(
            f"a moment is a datetime with a time zone; found {moment!r} ({type(moment).__name__})."
            " Write it as datetime(2031, 5, 6, tzinfo=UTC)."
        )
    if moment.tzinfo is None:
        raise ClockError(
            f"{moment.isoformat()} has no time zone, so it is no moment. Add one:"
            f" datetime({moment.year}, {moment.month}, {moment.day}, tzinfo=UTC)."
        )
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) * 1000
