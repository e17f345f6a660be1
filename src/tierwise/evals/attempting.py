"""One attempt of a call: a place in flight, money, an answer in time, and a line about it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tierwise.domain import Attempt
from tierwise.evals.waiting import pause
from tierwise.providers import Answer, Failure, FailureKind
from tierwise.providers.log import name_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.evals.calling import Course
    from tierwise.evals.holding import HeldCalls
    from tierwise.evals.limiting import Limiter, Slot
    from tierwise.evals.paying import Payer
    from tierwise.providers import Provider, Request
    from tierwise.providers.protocol import T


class Attempter:
    """Makes attempts, each with a place in flight and with money reserved for it.

    The place comes first: what is reserved for a call that still waits for one would keep others
    from calling. Both are given back whatever happens.
    """

    def __init__(
        self,
        provider: Provider,
        *,
        limiter: Limiter | None,
        payer: Payer,
        call_timeout_s: float | None,
        total_wait_s: float,
        clock: Callable[[], float],
        held: HeldCalls,
    ) -> None:
        self._provider = provider
        self._held = held
        self._limiter = limiter
        self._payer = payer
        self._call_timeout_s = call_timeout_s
        self._total_wait_s = total_wait_s
        self._clock = clock

    @property
    def silence(self) -> str:
        """Say that the vendor has answered nobody for longer than a call is held back.

        Nobody waits for it any longer then: a thousand trials would wait one after the other.
        """
        if self._limiter is None or self._limiter.silent_for_s() <= self._total_wait_s:
            return ""
        return f"the vendor has answered no call for more than {self._total_wait_s:g} s"

    async def attempt(
        self, request: Request[T], course: Course, *, began: float
    ) -> Answer[T] | Failure:
        """Make one attempt; `began` is when the call was first held back for it."""
        limiter = self._limiter
        if limiter is None:
            return await self._pay(request, course, began)
        slot = limiter.try_enter()
        if slot is None:
            with course.waiting.counted():
                slot = await limiter.enter()
        reply: Answer[T] | Failure | None = None
        try:
            closed = await self._wait_for_gate(limiter, course) if limiter.closed_for_s() else None
            if closed is not None:
                return closed
            reply = await self._pay(request, course, began)
        finally:
            _leave(limiter, slot, reply)
        return reply

    async def _wait_for_gate(self, limiter: Limiter, course: Course) -> Failure | None:
        with course.waiting.counted():
            while (rest_s := limiter.closed_for_s()) > 0:
                wait_s = rest_s + limiter.spread_s()
                if course.held_s + rest_s > self._total_wait_s or self.silence:
                    return self._refuse(rest_s)
                course.held_s += wait_s
                with self._held.holding(wait_s, "the vendor asked to be left alone"):
                    await pause(wait_s)
        return None

    def _refuse(self, rest_s: float) -> Failure:
        asked = (
            "the vendor asked to be left alone, for longer than the "
            f"{self._total_wait_s:g} s for which one call is held back"
        )
        message = self.silence or asked
        return Failure(kind=FailureKind.BUSY, message=message, retry_after_s=rest_s)

    async def _pay(self, request: Request[T], course: Course, began: float) -> Answer[T] | Failure:
        payer = self._payer
        if not payer.has_purse:
            return await self._ask(request, course, began)
        lease = await payer.reserve(request, course)
        reply: Answer[T] | Failure | None = None
        try:
            reply = await self._ask(request, course, began)
        finally:
            payer.settle(lease, request, reply)
        return reply

    async def _ask(self, request: Request[T], course: Course, began: float) -> Answer[T] | Failure:
        asked = self._clock()
        waited_s = round(asked - began, 3)  # what is below a millisecond is no waiting
        try:
            reply = await self._generate(request)
        except BaseException as error:
            latency_s = self._clock() - asked
            course.attempts.append(
                Attempt(
                    failure=name_error(error),
                    message=str(error),
                    latency_s=latency_s,
                    waited_s=waited_s,
                )
            )
            self._payer.add_cost(course, None)
            raise
        latency_s = reply.latency_s or self._clock() - asked
        course.attempts.append(_describe(reply, latency_s=latency_s, waited_s=waited_s))
        self._payer.add_cost(course, reply)
        return reply

    async def _generate(self, request: Request[T]) -> Answer[T] | Failure:
        if self._call_timeout_s is None:
            return await self._provider.generate(request)
        try:
            async with asyncio.timeout(self._call_timeout_s) as limit:
                return await self._provider.generate(request)
        except TimeoutError:
            if not limit.expired():  # the provider's own
                raise
        return Failure(
            kind=FailureKind.TIMEOUT,
            message=f"no answer within the {self._call_timeout_s:g} s that one call may take",
        )


def _describe(reply: Answer[T] | Failure, *, latency_s: float, waited_s: float) -> Attempt:
    if isinstance(reply, Answer):
        return Attempt(latency_s=latency_s, waited_s=waited_s)
    return Attempt(
        failure=reply.kind.value,
        message=reply.message,
        latency_s=latency_s,
        retry_after_s=reply.retry_after_s,
        waited_s=waited_s,
    )


def _leave(limiter: Limiter, slot: Slot, reply: Answer[T] | Failure | None) -> None:
    if reply is None:
        limiter.leave(slot)
    elif isinstance(reply, Answer):
        limiter.leave(slot, answered=True)
    else:
        limiter.leave(
            slot,
            answered=reply.kind.is_scored,
            busy=reply.kind is FailureKind.BUSY,
            failed=reply.kind.is_retried,
            retry_after_s=reply.retry_after_s,
        )
