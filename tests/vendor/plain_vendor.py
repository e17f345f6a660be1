"""A vendor without a wire: it answers as told, one reply after the other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tierwise.domain import Message, Usage
from tierwise.evals.calling import Called, Caller
from tierwise.providers import Answer, Failure, FailureKind, Request

if TYPE_CHECKING:
    from collections.abc import Callable

ASK: Request[Any] = Request(messages=(Message(role="user", content="hi"),))
USAGE = Usage(input_tokens=10, output_tokens=5)
FINE: Answer[Any] = Answer(text="fine", usage=USAGE, model="m")
BUSY = Failure(kind=FailureKind.BUSY, message="slow down")


class Vendor:
    """Answers with what it was given, one after the other, each after so many seconds."""

    name, real, model = "vendor", True, "m"

    def __init__(self, *replies: Any, takes_s: float = 0.0) -> None:
        self.replies = list(replies)
        self.takes_s = takes_s
        self.requests: list[Request[Any]] = []
        self.times: list[float] = []

    async def generate(self, request: Request[Any]) -> Any:
        """Give the next reply, raise it, or hang."""
        self.requests.append(request)
        self.times.append(asyncio.get_running_loop().time())
        reply = self.replies.pop(0)
        if reply == "hang":
            await asyncio.Event().wait()
        if self.takes_s:
            await tick(self.takes_s)
        if isinstance(reply, BaseException):
            raise reply
        return reply


async def tick(seconds: float) -> None:
    """Let time pass without sleeping."""
    loop = asyncio.get_running_loop()
    over = loop.create_future()
    loop.call_later(seconds, over.set_result, None)
    await over


def call(run: Any, vendor: Vendor, **options: Any) -> Called[Any]:
    """Make one call in jumping time."""

    async def scenario(clock: Callable[[], float]) -> Called[Any]:
        caller = Caller(vendor, clock=clock, chance=lambda: 0.0, **options)
        return await caller.call(ASK, eval_id="e", index=0)

    found: Called[Any] = run(scenario)
    return found
