"""Workers without processes: a fleet whose links are letter boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Outcome
from tierwise.evals import declaration_of, evaluate, never
from tierwise.evals.job import Job
from tierwise.evals.outcomes import Conclusion
from tierwise.evals.plan import make_plan
from tierwise.evals.planned_trials import trials_of
from tierwise.evals.remote.fleet import WorkerLost
from tierwise.evals.remote.mailbox import Mailbox
from tierwise.evals.remote.messages import Ended, Landed, News, Order, Ready, Stop, Ticket
from tierwise.evals.remote.returning import pack
from tierwise.evals.running import Body, Setting, TrialResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

HERE = Ready(place="here", versions={"Python": "3.11.0"}, evals=frozenset({"e"}))


async def body(trial: Any) -> None:
    """Never called by the driver."""


def no_folder() -> Path:
    """Give no folder."""
    raise NotImplementedError


@pytest.fixture
def make_job() -> Callable[..., Job]:
    """Make a job of so many trials of one case."""

    def make(trials: int = 6, source: str = "s", function: Any = body) -> Job:
        declare = evaluate(cases=["a"], trials=trials, expect=[never("leak", below=0.9)])
        declaration = declaration_of(declare(function))
        assert declaration is not None
        return Job(
            plan=make_plan(declaration, eval_id="e", tier=None, source=source, provider="p"),
            body=Body(function=function, wants=frozenset({"trial"})),
            setting=Setting(caller=None, eval_id="e", timeout_s=60, make_folder=no_folder),
        )

    return make


class FakeLink:
    """A worker that does what the test says with each trial."""

    def __init__(self, number: int, act: Callable[[FakeLink, Order], None]) -> None:
        self.number = number
        self.news: Mailbox[News | None] = Mailbox()
        self.taken: list[Ticket] = []
        self.orders: list[Order] = []
        self.is_dead = False
        self._act = act

    async def send(self, orders: Sequence[Order]) -> None:
        """Take orders."""
        if self.is_dead:
            raise WorkerLost("it is dead")
        for order in orders:
            self.orders.append(order)
            if isinstance(order, Ticket):
                self.taken.append(order)
            if isinstance(order, Stop):
                self.news.put(Ended(exit_code=0))
            else:
                self._act(self, order)

    async def receive(self) -> Sequence[News]:
        """Give news; None among them is a sudden death."""
        news = await self.news.take()
        if None in news:
            self.is_dead = True
            raise WorkerLost("it died")
        return [each for each in news if each is not None]

    def kill(self) -> None:
        """End."""
        self.is_dead = True

    def die(self) -> None:
        """Be gone without a word."""
        self.news.put(None)

    def land(self, ticket: Ticket, job: Job) -> None:
        """Send back a result."""
        planned = next(each for each in trials_of(job.plan) if each.index == ticket.index)
        conclusion = Conclusion(outcome=Outcome.PASSED, scores={"leak": False})
        result = TrialResult(planned=planned, conclusion=conclusion, notes=(f"{self.number}",))
        self.news.put(Landed(number=ticket.number, packed=pack(result)))


class FakeFleet:
    """Starts fake workers."""

    def __init__(
        self, act: Callable[[FakeLink, Order], None], *, n_workers: int, ready: Ready
    ) -> None:
        self.links: list[FakeLink] = []
        self.is_closed = False
        self._act, self._n_workers, self._ready = act, n_workers, ready

    def open(self) -> int:
        """Say how many there are to be."""
        return self._n_workers

    async def start(self, number: int) -> FakeLink:
        """Start one."""
        link = FakeLink(number, self._act)
        link.news.put(self._ready)
        self.links.append(link)
        return link

    def close(self) -> None:
        """End."""
        self.is_closed = True


@pytest.fixture
def make_fleet() -> Callable[..., FakeFleet]:
    """Make a fleet of two workers that see what the driver sees."""

    def make(
        act: Callable[[FakeLink, Order], None], *, n_workers: int = 2, ready: Ready = HERE
    ) -> FakeFleet:
        return FakeFleet(act, n_workers=n_workers, ready=ready)

    return make


@pytest.fixture
def here() -> Ready:
    """Return what the driver sees."""
    return HERE
