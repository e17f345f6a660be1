"""Walk the candidates of a live test until one can be used, and say what the others were."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping  # noqa: TC003  readers resolve it at run time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from tierwise.errors import MisuseError
from tierwise.live.observing import observe_error
from tierwise.live.standing import Standing
from tierwise.live.stepping import Steps, rotate

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tierwise.live.table import VendorVerdict, VerdictTable

R = TypeVar("R")
A = TypeVar("A")


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkLimits:
    """How far a walk goes before it gives up."""

    candidates: int = 8
    """How many are tried at most."""
    seconds: float = 240.0
    """For all of them together; the time of one request is the client's own to bound."""
    retries: int = 1
    """How often one that could not be reached is tried again."""
    pause_s: float = 1.0
    """How long it waits before it does."""

    def __post_init__(self) -> None:
        """Refuse limits under which nothing would be tried."""
        if self.candidates < 1 or self.retries < 0 or not self.seconds > 0 or self.pause_s < 0:
            raise MisuseError(
                f"{self} would try nothing. Expected 1 candidate or more, seconds above 0, and "
                "retries and pause_s of 0 or more."
            )


# No slots: generic dataclasses with them cannot be subscripted and called (Python 3.11).
@dataclass(frozen=True, kw_only=True)
class Walk(Generic[R, A]):
    """A walk that found a candidate to use."""

    key: str
    subject: R
    answer: A
    """What the probe got from it."""
    verdicts: Mapping[str, VendorVerdict] = field(default_factory=dict)
    """By key: what each candidate that was tried came to, in that order."""

    def __str__(self) -> str:
        """Return one line: `used b; walked past a (retired)`."""
        past = [f"{key} ({v.standing})" for key, v in self.verdicts.items() if key != self.key]
        return f"used {self.key}" + (f"; walked past {', '.join(past)}" if past else "")


def walk(
    candidates: Mapping[str, R],
    probe: Callable[[R], A],
    *,
    rotation: int = 0,
    limits: WalkLimits | None = None,
    table: VerdictTable | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Walk[R, A]:
    """Probe one candidate after another and return the first that is usable.

    What is retired, closed or busy is remembered and walked past; a fault of ours, or an answer
    that nobody understands, raises `LiveFaultError` at once. When none is left the test is
    `unobservable` and shows all verdicts, but for candidates that could not be reached: these
    fail it. `rotation` says at which candidate to begin, so that it need not always be the first.
    """
    __tracebackhide__ = True
    limits = limits or WalkLimits()
    steps = Steps(n_known=len(candidates), limits=limits, table=table, clock=clock)
    for key, subject in rotate(candidates, rotation):
        if steps.must_stop():
            break
        for attempt in range(limits.retries + 1):
            if attempt:
                sleep(limits.pause_s)
            answer = _try(lambda: probe(subject))  # noqa: B023  called before the next turn
            if steps.take(key, answer) is not Standing.UNREACHABLE or steps.is_late():
                break
        if steps.is_usable(key):
            return Walk(key=key, subject=subject, answer=cast("A", answer), verdicts=steps.taken)
    return steps.give_up()


async def walk_async(
    candidates: Mapping[str, R],
    probe: Callable[[R], Awaitable[A]],
    *,
    rotation: int = 0,
    limits: WalkLimits | None = None,
    table: VerdictTable | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Walk[R, A]:
    """Do as `walk` does, with a probe that is awaited."""
    __tracebackhide__ = True
    limits = limits or WalkLimits()
    steps = Steps(n_known=len(candidates), limits=limits, table=table, clock=clock)
    for key, subject in rotate(candidates, rotation):
        if steps.must_stop():
            break
        for attempt in range(limits.retries + 1):
            if attempt:
                await sleep(limits.pause_s)
            answer = await _try_async(probe, subject)
            if steps.take(key, answer) is not Standing.UNREACHABLE or steps.is_late():
                break
        if steps.is_usable(key):
            return Walk(key=key, subject=subject, answer=cast("A", answer), verdicts=steps.taken)
    return steps.give_up()


def _try(probe: Callable[[], Any]) -> object:
    """Return the answer, or the error that tells of one; a mistake of the probe is raised."""
    try:
        return probe()
    except Exception as error:
        if observe_error(error) is None:
            raise
        return error


async def _try_async(probe: Callable[[R], Awaitable[A]], subject: R) -> object:
    try:
        return await probe(subject)
    except Exception as error:
        if observe_error(error) is None:
            raise
        return error
