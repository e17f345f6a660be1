"""A session that collects, runs nothing itself, and hands what it collected over."""

from __future__ import annotations

import gc
import threading
from typing import TYPE_CHECKING

import pytest

from tierwise.domain.watching import Watching
from tierwise.pytest_plugin.collection_errors import say_uncollected
from tierwise.pytest_plugin.state import STATE

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

_QUIET: Mapping[str, object] = {
    # Workers, coverage and debuggers have nothing to do in a process that runs no test.
    "numprocesses": None,
    "dist": "no",
    "distload": False,
    "tx": [],
    "cov_source": [],
    "usepdb": False,
    "trace": False,
    # Reports of a session without tests would overwrite those of the last real one.
    "xmlpath": None,
    "htmlpath": None,
    "report_log": None,
    "json_report": False,
    "pastebin": None,
    # Tracebacks are what a failing test costs most, and nobody reads them here.
    "tbstyle": "line",
    "showlocals": False,
    "randomly_reorganize": False,
}
_MOST_NOTED = 3
_ONLY_TOLD = frozenset({Watching.OFF, Watching.REPORT})


class HeldSession:
    """A plugin of one session: `work` is called with it in place of the loop over the tests."""

    def __init__(self, work: Callable[[HeldSession, pytest.Session], None]) -> None:
        self._work = work
        self._uncollected: dict[str, str] = {}
        self.has_worked = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(
        self, early_config: pytest.Config
    ) -> Generator[None, object, object]:
        """Silence what would start before the session does."""
        make_quiet(early_config.known_args_namespace)
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_cmdline_main(self, config: pytest.Config) -> Generator[None, object, object]:
        """Silence what starts with the session."""
        make_quiet(config.option)
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Record nothing, and shuffle by no seed but the one that was asked for."""
        state = session.config.stash[STATE]
        state.recording = None
        if session.config.getoption("tierwise_order_seed") is None:
            state.order_seed = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep which files could not be collected, and why."""
        if report.outcome == "failed":
            self._uncollected.setdefault(report.nodeid, say_uncollected(report))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Hand the session over; nothing of it is run in this process."""
        self.has_worked = True
        _stop_watching(session.config)
        gc.collect()
        gc.freeze()  # what is there now is shared with all children, and never looked at again
        self._work(self, session)
        return True

    def notes(self) -> tuple[str, ...]:
        """Return what a reader has to know of how the tests were collected."""
        notes = []
        if self._uncollected:
            why = [f"{name} ({reason})" for name, reason in self._uncollected.items()]
            notes.append(f"could not be collected, and was left out: {_few(why)}")
        alive = [one.name for one in threading.enumerate() if one is not threading.main_thread()]
        if alive:
            notes.append(
                f"collecting started {_count(len(alive), 'thread')} ({_few(alive)}), which no "
                "forked child has: tests that need them behave otherwise here"
            )
        return tuple(notes)


def make_quiet(options: object) -> None:
    """Switch off what must not act in this session; options that are not there stay away."""
    for name, value in _QUIET.items():
        if hasattr(options, name):
            setattr(options, name, value)


def _stop_watching(config: pytest.Config) -> None:
    """Have no child look at process state where that is only told: it costs more than a test."""
    words = set(config.stash[STATE].config.state.words.values())
    asked = config.getoption("tierwise_state", None)
    watching = config.pluginmanager.get_plugin("tierwise-statewatching")
    if watching is not None and (words if asked is None else {asked}) <= _ONLY_TOLD:
        config.pluginmanager.unregister(watching)


def _few(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NOTED} more" if len(names) > _MOST_NOTED else ""
    return f"{', '.join(names[:_MOST_NOTED])}{more}"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"
