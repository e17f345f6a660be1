"""What takes the place of a session's own scheduler in a worker."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

from tierwise.evals.remote.agreeing import hash_modules, read_versions
from tierwise.evals.remote.leases import Leases
from tierwise.evals.remote.messages import Ready
from tierwise.evals.remote.serving import Server
from tierwise.pytest_plugin.eval_jobs import JobMaker, shared_fixtures
from tierwise.pytest_plugin.eval_options import read_options
from tierwise.pytest_plugin.eval_providers import Providers

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

    from tierwise.domain import EvalSummary, Violation
    from tierwise.evals.job import Job
    from tierwise.pytest_plugin.eval_items import EvalItem
    from tierwise.pytest_plugin.eval_serving import Serving
    from tierwise.pytest_plugin.state import State


class EvalWorker:
    """Carries out the trials that a driver asks for, each in the turn of its own eval.

    As in the driver, the first eval takes all those with it that need no more than session
    fixtures. A trial of another one ends the turn, so that pytest sets up what that needs.
    """

    is_dry = False
    n_dry = 0

    def __init__(
        self, session: pytest.Session, state: State, items: list[EvalItem], serving: Serving
    ) -> None:
        self.summaries: list[EvalSummary] = []
        self._session, self._state, self._serving = session, state, serving
        options = read_options(session.config, state.config.evals)
        leases = Leases(serving.outbox)
        self._providers = Providers(items, state.config, options, leases)
        self._maker = JobMaker(state, options, self._providers.all)
        self._waiting = {item.nodeid: item for item in items}
        self._server = Server(
            serving.inbox,
            serving.outbox,
            limiters=leases.limiters,
            purse=leases.purse,
            take_violations=self._take_violations,
        )

    def tell_ready(self) -> None:
        """Say which evals there are, and of what code."""
        ready = Ready(
            place=f"{socket.gethostname()} (process {os.getpid()})",
            versions=read_versions(),
            evals=frozenset(self._waiting),
            modules=hash_modules(self._state.config.root),
        )
        self._serving.outbox.put(ready)

    def conclude(self, item: EvalItem) -> None:
        """Serve until a trial comes that needs another item's fixtures, or the run ends."""
        with self._state.sandbox.suspended():
            self._server.add(self._make_jobs([item, *self._waiting.values()]))
            if self._server.serve() is None:
                self._session.shouldstop = "the driver needs no further trials"

    def tell_error(self, item: EvalItem, error: str) -> None:
        """Say nothing: the driver is told when a trial of this eval comes."""

    def duration_of(self, item: pytest.Item) -> float | None:
        """Return None: the driver measures."""
        del item
        return None

    def close(self) -> str:
        """Refuse what cannot be carried out, end the loop and close the providers."""
        troubles = "\n".join(self._serving.troubles) or "it was not reached"
        with self._state.sandbox.suspended():
            self._server.refuse_held(f"A worker could not set an eval up:\n{troubles}")
            self._server.close()
        return self._providers.close()

    def _make_jobs(self, items: Iterable[EvalItem]) -> list[Job]:
        first, *others = dict.fromkeys(items)
        made: list[Job] = []
        for item in (first, *(other for other in others if other.is_ready_early())):
            shared = shared_fixtures(item, running=first)
            if shared is not None and self._waiting.pop(item.nodeid, None) is not None:
                made += self._maker.make(item, shared, running=first)
        return made

    def _take_violations(self, nodeid: str) -> tuple[Violation, ...]:
        return () if self._state.sandbox.is_clean else self._state.sandbox.take(nodeid)
