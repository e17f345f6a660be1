"""From what a rule says to the response that arrives: one `Say` a choice, latency, faults."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, TypeVar

from tierwise.doubles.gateway.faults import NO_STATUS
from tierwise.doubles.gateway.saying import Refusal, Say
from tierwise.doubles.gateway.steps import Fixed
from tierwise.doubles.gateway.wire import Ending, HttpResponse

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.latency import Latency
    from tierwise.doubles.gateway.readings import Reading
    from tierwise.doubles.gateway.rule import Rule
    from tierwise.doubles.gateway.steps import Found, Step
    from tierwise.doubles.gateway.vendor import Moment


T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Pending:
    """A request whose rule was found, before its answer is there."""

    reading: Reading
    asked: Asked
    rule: Rule
    step: Step
    moment: Moment
    at_s: float


def form_response(
    pending: Pending, found: Found, *, latency: Latency | None, seed: int
) -> HttpResponse:
    """Return what arrives: the vendor's response, late and broken as the step says."""
    vendor, asked, moment = pending.reading.vendor, pending.asked, pending.moment
    is_refused = isinstance(found, Refusal)
    says = () if isinstance(found, Refusal) else fit(found, asked.n)
    if isinstance(found, Refusal):
        response = vendor.refuse(found, moment)
    elif isinstance(pending.step.source, Fixed):
        response = pending.reading.say(says, moment, whose=found)
    else:
        response = vendor.say(asked, says, moment)
    if latency is not None:
        rng = Random(f"{seed}/{moment.number}")  # noqa: S311  repeatable on purpose
        is_stream = asked.stream and not is_refused
        response = latency.apply(response, says, is_stream=is_stream, rng=rng)
    if _breaks_the_connection(pending.step):
        response = HttpResponse(status=NO_STATUS, before_s=response.before_s)
    for fault in pending.step.faults:
        response = fault.apply(response, asked, vendor, moment)
    return response


def fit(says: tuple[Say, ...], n: int) -> tuple[Say, ...]:
    """Return one `Say` a choice; the last one is said again where there are too few."""
    if len(says) == n:
        return says
    return (*says[:n], *[says[-1]] * (n - len(says)))


def _breaks_the_connection(step: Step) -> bool:
    """Tell whether a step without an answer breaks the connection in place of one."""
    if step.source is not None:
        return False
    return any(getattr(f, "ending", Ending.COMPLETE) is not Ending.COMPLETE for f in step.faults)


def wait_in_thread(found: Awaitable[T]) -> T:
    """Await in a thread of its own: a loop that runs in this one cannot be entered twice."""
    result: list[T] = []
    error: list[BaseException] = []

    async def wait() -> T:
        return await found

    def run() -> None:
        try:
            result.append(asyncio.run(wait()))
        except BaseException as caught:  # noqa: BLE001  raised again where it is waited for
            error.append(caught)

    thread = threading.Thread(target=run, name="tierwise-gateway-answer")
    thread.start()
    thread.join()
    if error:
        raise error[0]
    return result[0]
