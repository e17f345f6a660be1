"""What all live tests of a session came to: lines for the terminal, and the floor."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Outcome
from tierwise.errors import ExitCode
from tierwise.pytest_plugin.tally import UNOBSERVABLE_REASON, outcome_of_phase
from tierwise.pytest_plugin.terminal import message_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.live import Watched
    from tierwise.pytest_plugin.facts import Facts, LiveFacts
    from tierwise.pytest_plugin.state import State

_PREFIX = UNOBSERVABLE_REASON.removeprefix("Skipped: ")
_SEEN = frozenset({Outcome.PASSED, Outcome.FAILED})


@dataclass(slots=True)
class Looked:
    """One test that is under way."""

    tier: str | None = None
    subject: str | None = None
    floor: float | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    is_gap: bool = False
    """Did it fail as an xfail mark announced? Then it saw its subject."""
    line: str = ""

    @property
    def has_seen(self) -> bool:
        """Did it see its subject? What could not be told has not."""
        return self.is_gap or (bool(self.outcomes) and set(self.outcomes) <= _SEEN)


@dataclass(slots=True)
class Group:
    """The tests of a tier or a subject so far."""

    floor: float
    counts: Counter[bool] = field(default_factory=Counter)


class LiveReports:
    """Adds reports up, in the process that has them all."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._open: dict[str, Looked] = {}
        self._lines: list[tuple[str, str]] = []
        self._tiers: dict[str, Group] = {}
        self._subjects: dict[str, Group] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take one phase; a test is done with its tear-down, or with its worker's death."""
        looked = self._open.setdefault(report.nodeid, Looked())
        self._take(looked, report)
        if report.when not in ("setup", "call"):
            del self._open[report.nodeid]
            self._close(report.nodeid, looked)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Exit as "nothing observed" where a run passed in which too little was seen."""
        is_short = not all(watched.is_enough for watched in self._watched())
        if is_short and session.exitstatus == ExitCode.OK:
            session.exitstatus = ExitCode.NOTHING_OBSERVED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was used, what could not be seen and why, and whether it was enough."""
        watched = self._watched()
        short = [one for one in watched if not one.is_enough]
        is_quiet = terminalreporter.config.get_verbosity() < 0
        if (is_quiet and not short) or not (self._lines or watched):
            return
        terminalreporter.write_sep("=", "live")
        for nodeid, line in sorted(self._lines):
            terminalreporter.write_line(f"{nodeid}  {line}")
        for one in watched:
            terminalreporter.write_line(str(one), red=not one.is_enough)

    def _take(self, looked: Looked, report: pytest.TestReport) -> None:
        facts: Facts = report.__dict__.get("tierwise", {})
        about: LiveFacts = facts.get("live", {})
        looked.subject = about.get("subject", looked.subject)
        looked.floor = about.get("floor", looked.floor)
        if report.when == "setup":
            place = facts if "tier" in facts else self._state.facts_of_nodeid(report.nodeid)
            looked.tier = place.get("tier") if place else None
        is_expected = hasattr(report, "wasxfail")
        looked.is_gap |= is_expected and report.when == "call"
        message = "" if report.outcome == "passed" else message_of(report)
        outcome = outcome_of_phase(
            report.when, report.outcome, expected=is_expected, reason=message
        )
        looked.outcomes.append(outcome)
        if outcome is Outcome.UNOBSERVABLE:
            looked.line = message.removeprefix("Skipped: ")
        elif notes := about.get("notes"):
            looked.line = "; ".join(notes)

    def _close(self, nodeid: str, looked: Looked) -> None:
        usual, tiers = self._state.config.live.floor, self._state.config.live.tiers
        is_live = looked.tier in tiers or looked.subject is not None
        # Clauses of contracts can be unobservable too, and are told with their matrix.
        if looked.line and (is_live or not looked.line.startswith(_PREFIX)):
            self._lines.append((nodeid, looked.line))
        if looked.tier is not None and looked.tier in tiers:
            group = self._tiers.setdefault(looked.tier, Group(usual))
            group.counts[looked.has_seen] += 1
        if looked.subject is not None:
            group = self._subjects.setdefault(looked.subject, Group(usual))
            group.counts[looked.has_seen] += 1
            group.floor = max(group.floor, looked.floor or 0.0)

    def _watched(self) -> tuple[Watched, ...]:
        if not (self._tiers or self._subjects):
            return ()
        return (*_name("tier", self._tiers), *_name("subject", self._subjects))


def _name(kind: str, groups: Mapping[str, Group]) -> tuple[Watched, ...]:
    from tierwise.live import Watched  # noqa: PLC0415  not for start-up

    return tuple(
        Watched(
            name=f"{kind} {name}",
            n_seen=group.counts[True],
            n_tests=group.counts.total(),
            floor=group.floor,
        )
        for name, group in sorted(groups.items())
    )
