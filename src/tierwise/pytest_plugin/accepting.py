"""A project's baseline in a session: accepted violations go on, and stale entries fail."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.config.baseline import (
    NAME,
    Observed,
    Seen,
    find_stale,
    load_baseline,
    say_moved,
)
from tierwise.domain import Capability
from tierwise.errors import ExitCode
from tierwise.pytest_plugin.ending import find_complete_tiers
from tierwise.pytest_plugin.facts import violations_from_json
from tierwise.sandbox.patterns import pattern_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.config.baseline import Baseline, Stale
    from tierwise.domain import Violation
    from tierwise.pytest_plugin.facts import Facts
    from tierwise.pytest_plugin.state import State
    from tierwise.pytest_plugin.tally import Tally
    from tierwise.sandbox.world import World

_ACCEPTED = "tierwise_accepted"
_MOST_SHOWN = 10


class Patterns:
    """Turns violations into what stays of them from run to run."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._home = find_home()

    def see(self, violation: Violation) -> Seen:
        """Return the violation without what changes."""
        target = pattern_of(violation.capability, violation.target, self._world, self._home)
        return Seen(violation.subject, violation.capability, target)


def find_home() -> str:
    """Return the user's own folder, also where tests are given another by HOME."""
    try:
        import pwd  # noqa: PLC0415  not there on Windows

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return os.path.expanduser("~")  # noqa: PTH111  text


class Accepting:
    """The side that runs tests: it lets accepted violations be, and remembers them."""

    def __init__(self, state: State, baseline: Baseline) -> None:
        self.baseline = baseline
        self._patterns = Patterns(state.sandbox.world)
        self.accepted: set[Seen] = set()
        state.sandbox.accept(self._accepts)

    def register(self, config: pytest.Config, state: State, tally: Tally) -> None:
        """Take part in the session; where it is no worker's, report on the baseline, too."""
        config.pluginmanager.register(self, "tierwise-accepting")
        if not state.is_worker:
            report = BaselineReport(state, tally, self)
            config.pluginmanager.register(report, "tierwise-baseline")

    def _accepts(self, violation: Violation) -> bool:
        seen = self._patterns.see(violation)
        if seen in self.accepted:
            return True
        is_accepted = self.baseline.find(seen) is not None
        if is_accepted:
            self.accepted.add(seen)
        return is_accepted

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand what was accepted to the controller, where there is one."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[_ACCEPTED] = [[s, str(c), target] for s, c, target in sorted(self.accepted)]


class BaselineReport:
    """The side that tells: how many were accepted, which entries are stale."""

    def __init__(self, state: State, tally: Tally, accepting: Accepting) -> None:
        self._state, self._tally, self._baseline = state, tally, accepting.baseline
        self._patterns = Patterns(state.sandbox.world)
        self._accepted = accepting.accepted
        self._ended: dict[str, bool] = {}
        self._tiers: dict[str, str | None] = {}
        self._new: set[Seen] = set()
        self._lines: tuple[str, ...] = ()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:  # noqa: ANN401  xdist's own type
        """Take what a worker has accepted."""
        output = getattr(node, "workeroutput", None) or {}
        self._accepted.update(
            Seen(subject, Capability(capability), target)
            for subject, capability, target in output.get(_ACCEPTED, ())
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember which tests ran to their end, and what is new."""
        passed = report.outcome == "passed" and not hasattr(report, "wasxfail")
        self._ended[report.nodeid] = self._ended.get(report.nodeid, True) and passed
        facts: Facts = report.__dict__.get("tierwise", {})
        if report.when == "setup":
            placed = facts if "tier" in facts else self._state.facts_of_nodeid(report.nodeid)
            self._tiers[report.nodeid] = (placed or {}).get("tier")
        if facts.get("violations"):
            self._new |= {self._patterns.see(each) for each in violations_from_json(facts)}

    # Before the run is recorded: its exit code is part of the record.
    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the session when entries accept what no longer occurs."""
        whole = find_complete_tiers(session, self._state, self._tally)
        observed = self._observe(whole)
        stale = find_stale(self._baseline, observed)
        self._lines = (*self._say(stale), *_say_moved(self._baseline, observed))
        if stale and session.exitstatus == ExitCode.OK:
            session.exitstatus = ExitCode.STALE

    def _observe(self, whole: Sequence[str]) -> Observed:
        found = (self._baseline.find(seen) for seen in self._accepted)
        usual = {tier.name for tier in self._state.config.tiers if not tier.deliberate}
        return Observed(
            used={entry for entry in found if entry is not None},
            ended=self._ended,
            whole={nodeid for nodeid in self._ended if self._tiers.get(nodeid) in whole},
            is_whole=usual <= set(whole),
            new=self._new,
        )

    def _say(self, stale: Sequence[Stale]) -> list[str]:
        n, left = len(self._accepted), len(self._baseline.entries)
        lines = [f"baseline: accepted touches: {n}; entries left in {NAME}: {left}"]
        if stale:
            shown = [f"    {each}" for each in stale[:_MOST_SHOWN]]
            more = len(stale) - _MOST_SHOWN
            lines += [
                f"baseline: stale entries: {len(stale)}; tierwise baseline --prune drops them",
                *shown,
                *([f"    ... and {more} more"] if more > 0 else []),
            ]
        return lines

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say it under the tiers; stale entries under -q, too."""
        if terminalreporter.config.get_verbosity() < 0 and len(self._lines) == 1:
            return
        terminalreporter.ensure_newline()
        for line in self._lines:
            terminalreporter.write_line(line)


def _say_moved(baseline: Baseline, observed: Observed) -> list[str]:
    moved = say_moved(baseline, observed)
    return [
        f"{seen.subject} does what is accepted of {entry.test}: if it was moved or renamed, "
        f"change its name in {NAME}"
        for seen, entry in sorted(moved.items())[:_MOST_SHOWN]
    ]


def begin_accepting(state: State) -> Accepting | None:
    """Let accepted violations be from now on; None where a project has no baseline."""
    baseline = load_baseline(state.config.baseline_path)
    return None if baseline is None else Accepting(state, baseline)
