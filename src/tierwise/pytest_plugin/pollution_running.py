"""Collected tests, run in a forked child in any order."""

from __future__ import annotations

import copy
import random
import time
from typing import TYPE_CHECKING

import pytest

from tierwise.pollution.endings import Ended, Ending
from tierwise.pytest_plugin.pollution_child import BEGINS, ENDS, Child, draw_anew, listen
from tierwise.pytest_plugin.terminal import message_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from multiprocessing.connection import Connection


class Reports:
    """The reports of the test that is running."""

    def __init__(self) -> None:
        self._taken: list[pytest.TestReport] = []

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep one."""
        self._taken.append(report)

    def take(self) -> list[pytest.TestReport]:
        """Return those since the last time."""
        taken, self._taken = self._taken, []
        return taken


class ForkedRunner:
    """Runs tests of a session that has collected them and run none."""

    def __init__(
        self,
        session: pytest.Session,
        *,
        timeout_s: float,
        deadline: float | None = None,
        closed: Sequence[Connection] = (),
    ) -> None:
        self._session, self.timeout_s, self.closed = session, timeout_s, closed
        self._deadline, self._chance = deadline, random.getstate()
        self._items: dict[str, pytest.Item] = {}
        for item in session.items:
            self._items.setdefault(item.nodeid, item)
        self.reports = Reports()
        session.config.pluginmanager.register(self.reports, "tierwise-pollution-reports")

    @property
    def tests(self) -> tuple[str, ...]:
        """All tests, in the order of the session."""
        return tuple(self._items)

    def run(self, tests: Sequence[str], *, by_chance: bool = False) -> Mapping[str, Ended]:
        """Run them in a child of their own and return how each ended."""

        def body(outgoing: Connection) -> None:
            self.begin(by_chance=by_chance)
            for test, ended in self.play(tests, outgoing):
                outgoing.send((ENDS, test, ended))
            self.tear_down()

        child = Child(body, closed=self.closed)
        return listen(child, tests, timeout_s=self.timeout_s, deadline=self._deadline)

    def play(self, tests: Sequence[str], outgoing: Connection) -> Iterator[tuple[str, Ended]]:
        """Run tests in this process, which is a child; what ends it is seen from outside."""
        items = [self._items[test] for test in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            outgoing.send((BEGINS, item.nodeid))
            yield item.nodeid, self._run_item(item, following)

    def tear_down(self) -> None:
        """Take down what outlives its tests: files, servers and their like are outside of us."""
        self._session._setupstate.teardown_exact(None)  # noqa: SLF001  no public way

    def begin(self, *, by_chance: bool = False) -> None:
        """Have the random numbers that the session would have had, or others, in a child."""
        if not by_chance:
            random.setstate(self._chance)  # Python seeds each fork anew
            return
        draw_anew()
        option = self._session.config.option
        if hasattr(option, "randomly_seed"):
            option.randomly_seed = time.time_ns() % 2**31

    def _run_item(self, item: pytest.Item, following: pytest.Item | None) -> Ended:
        start = time.perf_counter()
        # A copy stands in the same module and class: what these own is torn down later, and not
        # blamed on the test that happens to be the last one.
        item.config.hook.pytest_runtest_protocol(
            item=item, nextitem=following if following is not None else copy.copy(item)
        )
        return end_of(self.reports.take(), time.perf_counter() - start)


def end_of(reports: Sequence[pytest.TestReport], seconds: float) -> Ended:
    """Return what the reports of one test come to."""
    failed = [report for report in reports if report.outcome == "failed"]
    if failed:
        where = "" if failed[0].when == "call" else f"{failed[0].when}: "
        return Ended(
            ending=Ending.FAILED, message=f"{where}{message_of(failed[0])}", seconds=seconds
        )
    skipped = [report for report in reports if report.outcome == "skipped"]
    if skipped and not hasattr(skipped[0], "wasxfail"):
        return Ended(ending=Ending.SKIPPED, message=message_of(skipped[0]), seconds=seconds)
    if not reports:
        return Ended(ending=Ending.CRASHED, message="pytest said nothing of it", seconds=seconds)
    return Ended(ending=Ending.PASSED, seconds=seconds)
