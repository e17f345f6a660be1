"""Gathers what an audit wants to know of a session; loaded by `tierwise audit` alone.

`-p tierwise.pytest_plugin.auditing --audit-events FILE`: nothing of it is part of a plain pytest.
"""

from __future__ import annotations

import atexit
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tierwise.pytest_plugin.auditing_calm import calm_early, calm_session
from tierwise.pytest_plugin.auditing_exit import find_plugin, list_threads, where_raised
from tierwise.pytest_plugin.auditing_items import (
    describe_item,
    describe_outcome,
    is_silent,
    shorten,
)
from tierwise.pytest_plugin.auditing_path import find_only_here
from tierwise.pytest_plugin.auditing_session import describe_session, read_setting
from tierwise.pytest_plugin.auditing_stream import EventStream
from tierwise.pytest_plugin.collection_errors import say_uncollected
from tierwise.pytest_plugin.placing import Places
from tierwise.pytest_plugin.state import STATE

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare where events go, and what is left out: it has run, or ended the session before."""
    group = parser.getgroup("tierwise-audit")
    group.addoption("--audit-events", dest="audit_events", default=None, metavar="FILE")
    group.addoption("--audit-leave-out", dest="audit_leave_out", default=None, metavar="FILE")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, object, object]:
    """Open the stream before the first line of the project runs."""
    options = early_config.known_args_namespace
    if options.audit_events is None:
        return (yield)
    calm_early(options)
    plugins, stream = early_config.pluginmanager, EventStream(Path(options.audit_events))
    stream.emit("loading", addopts=read_setting(early_config, "addopts"))
    gathering = Gathering(stream, options.audit_leave_out, plugins)
    plugins.register(gathering, "tierwise-gathering")
    try:
        return (yield)
    except BaseException as error:
        gathering.tell_end(error, "loading conftest.py")
        raise


class Gathering:
    """Each hook writes one event."""

    def __init__(
        self, stream: EventStream, leave_out: str | None, plugins: pytest.PytestPluginManager
    ) -> None:
        self._emit, self._plugins = stream.emit, plugins
        text = Path(leave_out).read_text(encoding="utf-8") if leave_out else "{}"
        left: dict[str, list[str]] = json.loads(text)
        self._done = frozenset(left.get("tests", ()))
        self._ignored = frozenset(left.get("files", ()))
        # The first one registered is the last one called: whatever ends late ends before it.
        atexit.register(self._emit, "exited")

    def tell_end(self, error: BaseException, what: str) -> None:
        """Say what ended the session where no test could be blamed."""
        self._emit("stopped", what=what, error=shorten(_say(error)), where=where_raised(error))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_cmdline_main(self, config: pytest.Config) -> Generator[None, object, object]:
        """Have all tests run, in this process, whatever else the project asks for."""
        changed = calm_session(config.option)
        self._emit("session", changed=changed, **describe_session(config))
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Let every touch be told, whatever the test's tier allows."""
        state = config.stash.get(STATE, None)
        if state is not None:
            state.places = Places(state.config, is_audit=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out files that ended a session before."""
        return True if str(collection_path) in self._ignored else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        """Say which file is being read: it may be the last thing that is heard."""
        if isinstance(collector, pytest.File | pytest.Directory):
            self._emit("collecting", path=str(collector.path))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Tell what could not be collected, or was skipped as a whole."""
        if report.outcome == "passed":
            return
        if report.outcome == "skipped":
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
            self._emit("module_skipped", id=report.nodeid, message=shorten(str(reason)))
            return
        self._emit("collect_error", id=report.nodeid, message=say_uncollected(report))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None, None, None]:
        """Tell of each test before anybody leaves it out; what has run does not run again."""
        is_strict, state = _is_strict(config), config.stash.get(STATE, None)
        for item in items:
            tier = state.tier_of_item(item) if state is not None else None
            name = tier.name if tier is not None else None
            self._emit("item", **describe_item(item, is_strict=is_strict, tier=name))
        try:
            yield
        except BaseException as error:
            self.tell_end(error, "choosing among the collected tests")
            raise
        if self._done:
            items[:] = [item for item in items if item.nodeid not in self._done]

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Tell which tests were left out."""
        self._emit("deselected", ids=[item.nodeid for item in items])

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Say how many tests are about to run, and what a bare pytest would not have found."""
        self._emit("collected", count=len(session.items), only_here=find_only_here(session))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Say which test begins: it may be the last thing that is heard."""
        self._emit("begin", id=nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell how a phase ended."""
        if not is_silent(report):
            self._emit("phase", **describe_outcome(report))

    @pytest.hookimpl(tryfirst=True)
    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Tell what broke pytest itself, and which plugin raised it."""
        self._emit(
            "internal_error",
            message=shorten(_say(excinfo.value)),
            where=where_raised(excinfo.value),
            plugin=find_plugin(excinfo.value, self._plugins),
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Say that the last test has ended."""
        self._emit("finished", exit_code=int(exitstatus))

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Say what is still alive when pytest has nothing left to do."""
        self._emit("leaving", threads=list_threads())


def _say(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _is_strict(config: pytest.Config) -> bool:
    try:
        return bool(config.getini("xfail_strict"))
    except (KeyError, ValueError):
        return False
