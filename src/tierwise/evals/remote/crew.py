"""The workers of a run: started, listened to, replaced when they die, and ended with it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from typing import TYPE_CHECKING

from tierwise.errors import WorkerError
from tierwise.evals.interrupting import Interrupts
from tierwise.evals.remote.fleet import WorkerLost
from tierwise.evals.remote.mailbox import Mailbox
from tierwise.evals.remote.messages import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tierwise.evals.remote.fleet import Fleet, Link
    from tierwise.evals.remote.messages import News, Order

_ENDING_S = 5.0
"""For how long workers may take to tear their fixtures down."""


class Crew:
    """Keeps a number of workers alive, each with a box of orders.

    `take` gets what a worker says and returns whether that was its last word; `forget` is called
    when it is gone; `fail` when no worker can go on.
    """

    def __init__(
        self,
        fleet: Fleet,
        *,
        most_lost: int,
        take: Callable[[int, News], bool],
        forget: Callable[[int], None],
        fail: Callable[[BaseException], None],
    ) -> None:
        self.n_lost = 0
        self.is_stopping = False
        self._fleet, self._most_lost = fleet, most_lost
        self._take, self._forget, self._fail = take, forget, fail
        self._ids = itertools.count(1)
        self._boxes: dict[int, Mailbox[Order]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def is_open(self) -> bool:
        """Have workers been started?"""
        return bool(self._tasks)

    @property
    def workers(self) -> Iterable[int]:
        """Those that orders can be given to now."""
        return tuple(self._boxes)

    def start(self, n_workers: int) -> None:
        """Start so many workers."""
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._keep_alive()) for _ in range(n_workers)]

    def tell(self, worker: int | None, order: Order) -> None:
        """Give an order to a worker, or to all of them for None."""
        for each in self._boxes if worker is None else (worker,):
            if each in self._boxes:
                self._boxes[each].put(order)

    async def close(self, *, at_once: bool) -> None:
        """End the workers: in order, or without asking them.

        Ctrl-C ends the wait for those that take their time.
        """
        self.is_stopping = True
        loop, hurried = asyncio.get_running_loop(), asyncio.Event()
        with Interrupts(lambda: _set_soon(loop, hurried)):
            if self._tasks and not at_once:
                self.tell(None, Stop())
                await self._let_end(hurried)
            for task in self._tasks:
                task.cancel()
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=_ENDING_S)
            self._fleet.close()

    async def _let_end(self, hurried: asyncio.Event) -> None:
        hurrying = asyncio.ensure_future(hurried.wait())
        ending = asyncio.ensure_future(asyncio.wait(self._tasks))
        await asyncio.wait(
            {hurrying, ending}, timeout=_ENDING_S, return_when=asyncio.FIRST_COMPLETED
        )
        hurrying.cancel()
        ending.cancel()

    async def _keep_alive(self) -> None:
        """Have one worker at any time, until the run ends or too many have died."""
        while True:
            worker = next(self._ids)
            try:
                await self._attend(worker)
            except WorkerLost as lost:
                if self.is_stopping:
                    return
                self.n_lost += 1
                if self.n_lost > self._most_lost:
                    self._fail(_too_many(self.n_lost, lost))
                    return
            except Exception as error:  # noqa: BLE001  of ours or of the fleet's: nobody else looks
                self._fail(error)
                return
            else:
                return
            finally:
                self._boxes.pop(worker, None)
                self._forget(worker)

    async def _attend(self, worker: int) -> None:
        link = await self._fleet.start(worker)
        box: Mailbox[Order] = Mailbox()
        self._boxes[worker] = box
        sending = asyncio.get_running_loop().create_task(_send_all(link, box))
        try:
            is_over = False
            while not is_over:
                for news in await link.receive():
                    is_over = self._take(worker, news) or is_over
        finally:
            sending.cancel()
            with contextlib.suppress(Exception):
                link.kill()


def _set_soon(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    loop.call_soon_threadsafe(event.set)


async def _send_all(link: Link, box: Mailbox[Order]) -> None:
    # What is left in the box of a worker that is lost is handed out anew when it is forgotten.
    with contextlib.suppress(WorkerLost):
        while orders := await box.take():
            await link.send(orders)


def _too_many(n_lost: int, last: WorkerLost) -> WorkerError:
    return WorkerError(
        f"{n_lost} workers died in this run, the last one so: {last}. What ended before is kept; "
        "the same command goes on from there. Look for trials that end their process, or that "
        "need more memory than the machine has."
    )
