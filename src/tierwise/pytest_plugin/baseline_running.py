"""Run a project's tests in report mode and return what they touched, for its baseline."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tierwise.config.baseline import Observed
from tierwise.pytest_plugin.accepting import Patterns
from tierwise.pytest_plugin.ending import find_complete_tiers
from tierwise.pytest_plugin.eval_suite import ALREADY_IMPORTED
from tierwise.pytest_plugin.facts import violations_from_json
from tierwise.pytest_plugin.state import STATE
from tierwise.pytest_plugin.tally import Tally
from tierwise.pytest_plugin.terminal import add_report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.config.baseline import Baseline, Seen
    from tierwise.pytest_plugin.facts import Facts
    from tierwise.pytest_plugin.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """What a run in report mode told."""

    exit_code: int
    seen: frozenset[Seen] = frozenset()
    ended: dict[str, bool]
    """The tests that were run, and whether they passed."""
    whole: frozenset[str] = frozenset()
    """Those of tiers that were run whole."""
    is_whole: bool = False
    """Did every tier that is not deliberate run whole?"""

    def observe(self, baseline: Baseline) -> Observed:
        """Return what it tells of a baseline."""
        found = {seen: baseline.find(seen) for seen in self.seen}
        return Observed(
            used={entry for entry in found.values() if entry is not None},
            ended=self.ended,
            whole=self.whole,
            is_whole=self.is_whole,
            new={seen for seen, entry in found.items() if entry is None},
        )


def run_tests(arguments: Sequence[str], *, is_quiet: bool = False) -> Touched:
    """Run pytest with these arguments; nothing is blocked. `is_quiet` leaves stdout alone."""
    watcher = _Watcher()
    # By the entry point's name, so that it is loaded once, with or without autoloading.
    options = ["-p", "tierwise", "-W", ALREADY_IMPORTED, "--tierwise-mode", "report", *arguments]
    with contextlib.redirect_stdout(sys.stderr) if is_quiet else contextlib.nullcontext():
        code = int(pytest.main(options, plugins=[watcher]))
    return Touched(
        exit_code=code,
        seen=frozenset(watcher.seen),
        ended=watcher.ended,
        whole=frozenset(n for n in watcher.ended if watcher.tiers.get(n) in watcher.complete),
        is_whole=watcher.is_whole,
    )


class _Watcher:
    """A plugin of one session, whose tests see what `pytest` will show them: a home of its own."""

    tierwise_sees_as_enforced = True

    def __init__(self) -> None:
        self.seen: set[Seen] = set()
        self.ended: dict[str, bool] = {}
        self.tiers: dict[str, str | None] = {}
        self.complete: tuple[str, ...] = ()
        self.is_whole = False
        self._state: State | None = None
        self._patterns: Patterns | None = None
        self._tally = Tally()

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self._state = session.config.stash[STATE]
        self._patterns = Patterns(self._state.sandbox.world)
        self._tally = Tally(self._state.facts_of_nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._see(report.__dict__.get("tierwise", {}))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        passed = report.outcome == "passed" and not hasattr(report, "wasxfail")
        self.ended[report.nodeid] = self.ended.get(report.nodeid, True) and passed
        result = self._tally.result_of(report.nodeid)
        add_report(result, report)
        self.tiers[report.nodeid] = result.tier
        if report.when not in ("setup", "call"):
            self._tally.close(report.nodeid)
        self._see(report.__dict__.get("tierwise", {}))

    def _see(self, facts: Facts) -> None:
        if self._patterns is not None:
            found = violations_from_json(facts)
            self.seen |= {self._patterns.see(violation) for violation in found}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._state is None:
            return
        self.complete = find_complete_tiers(session, self._state, self._tally)
        usual = {tier.name for tier in self._state.config.tiers if not tier.deliberate}
        self.is_whole = usual <= set(self.complete)
