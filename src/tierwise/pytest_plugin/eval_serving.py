"""A pytest session in a worker: it collects the driver's evals and carries out their trials."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import pytest

from tierwise.pytest_plugin.eval_choosing import RUN, EvalRun
from tierwise.pytest_plugin.eval_items import SESSION

if TYPE_CHECKING:
    from tierwise.evals.remote.fleet import WorkerSpec
    from tierwise.evals.remote.mailbox import Mailbox
    from tierwise.evals.remote.messages import News, Order
    from tierwise.pytest_plugin.eval_items import EvalItem
    from tierwise.pytest_plugin.eval_session import EvalSession
    from tierwise.pytest_plugin.state import State


@dataclass(slots=True, kw_only=True)
class Serving:
    """What a session needs that serves a driver instead of running its own queue."""

    spec: WorkerSpec
    inbox: Mailbox[Order]
    outbox: Mailbox[News]
    troubles: list[str] = field(default_factory=list)
    """What pytest had to say about items that could not be set up."""


SERVING = pytest.StashKey[Serving]()


def serve(spec: WorkerSpec, inbox: Mailbox[Order], outbox: Mailbox[News]) -> None:
    """Run the session to its end; this is what a worker calls, in a thread of its own."""
    from tierwise.evals.remote.messages import Ended  # noqa: PLC0415  few sessions serve
    from tierwise.evals.remote.own_folder import own_folder  # noqa: PLC0415
    from tierwise.pytest_plugin.eval_suite import ALREADY_IMPORTED, pick_output  # noqa: PLC0415

    plugin = _Plugin(Serving(spec=spec, inbox=inbox, outbox=outbox))
    output, errors = io.StringIO(), io.StringIO()
    with (
        own_folder(spec.folder_kind, spec.run) as own,
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
    ):
        arguments = [*spec.arguments, "-W", ALREADY_IMPORTED, *_own_files(spec, str(own))]
        code = int(pytest.main(arguments, plugins=[plugin]))
    if code == pytest.ExitCode.INTERRUPTED and plugin.is_served:
        code = int(pytest.ExitCode.TESTS_FAILED if plugin.n_failed else pytest.ExitCode.OK)
    said = pick_output(output.getvalue(), errors.getvalue()) if code else ""
    outbox.put(Ended(exit_code=code, output=said))


def _own_files(spec: WorkerSpec, folder: str) -> list[str]:
    """Return options by which no two sessions write the same files."""
    options = ["-o", f"cache_dir={folder}/cache"]
    if any(argument.startswith("--basetemp") for argument in spec.arguments):
        options.append(f"--basetemp={folder}/files")
    if any(argument.startswith("--junit") for argument in spec.arguments):
        options.append("--junitxml=")
    return options


class _Plugin:
    """Makes a session one that serves, and remembers what went wrong in it."""

    tierwise_asks_for_evals = True

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self.is_served = False
        """Did the session end because the driver needs it no more?"""
        self.n_failed = 0

    def pytest_load_initial_conftests(self, early_config: pytest.Config) -> None:
        """Ask for evals alone, before anybody's pytest_configure looks."""
        early_config.stash[RUN] = EvalRun()
        early_config.stash[SERVING] = self._serving

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Take the driver's evals, in its order, whatever shuffles them here."""
        places = {nodeid: place for place, nodeid in enumerate(self._serving.spec.evals)}
        session.items = sorted(
            (item for item in session.items if item.nodeid in places),
            key=lambda item: places[item.nodeid],
        )

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Remember whether anything failed besides, such as the tear-down of a fixture."""
        self.is_served = bool(session.shouldstop)
        self.n_failed = session.testsfailed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember why an eval could not be set up."""
        if report.outcome != "passed" and report.when == "setup":
            self._serving.troubles.append(f"{report.nodeid}: {report.longreprtext}")


def begin_serving(session: pytest.Session, state: State, items: list[EvalItem]) -> None:
    """Tell the driver that this session is ready, and let its items serve."""
    from tierwise.pytest_plugin.eval_worker import EvalWorker  # noqa: PLC0415  few sessions serve

    worker = EvalWorker(session, state, items, session.config.stash[SERVING])
    session.config.stash[SESSION] = cast("EvalSession", worker)  # items ask it the same
    worker.tell_ready()
