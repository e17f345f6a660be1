"""What tests left behind, told: with their reports, as a failure, at the foot of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.domain.watching import Change, LeftBehind, Watching
from tierwise.pytest_plugin.state_blind import blind_lines
from tierwise.pytest_plugin.violating import fail_report

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterable, Mapping, Sequence

    from tierwise.pytest_plugin.facts import Facts, LeftFacts
    from tierwise.pytest_plugin.tally import Tally

LEFT = pytest.StashKey[tuple[LeftBehind, ...]]()
_MOST_LINES = 5
_MOST_SHOWN = 10


class StateReporting:
    """Sends along what a test has left; registered at the first one that left anything."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Put it into the report of the tear-down."""
        report = yield
        left = item.stash.get(LEFT, ()) if call.when == "teardown" else ()
        if left:
            known: Facts = report.__dict__.get("tierwise", {})
            report.tierwise = known | {"left": left_to_json(left)}  # type: ignore[attr-defined]  # ours
            del item.stash[LEFT]
            failing = [found for found in left if found.action is Watching.FAIL]
            if failing and hasattr(report, "wasxfail"):
                # What a test is expected to fail for is its own, and not what it leaves others.
                fail_report(report, item, describe_left(item.nodeid, failing), replace=True)
        return report


def left_to_json(left: Iterable[LeftBehind]) -> list[LeftFacts]:
    """Return what was left as JSON."""
    return [
        {
            "watcher": found.change.watcher,
            "owner": found.change.owner,
            "before": found.change.before,
            "after": found.change.after,
            "action": str(found.action),
            "subject": found.subject,
        }
        for found in left
    ]


def left_from_json(facts: Mapping[str, object]) -> tuple[LeftBehind, ...]:
    """Return what a report says was left."""
    found = facts.get("left", [])
    return tuple(
        LeftBehind(
            change=Change(
                watcher=entry["watcher"],
                owner=entry["owner"],
                before=entry["before"],
                after=entry["after"],
            ),
            action=Watching(entry["action"]),
            subject=entry["subject"],
        )
        for entry in (found if isinstance(found, list) else [])
    )


def describe_left(nodeid: str, left: Sequence[LeftBehind]) -> str:
    """Return what a failure shows: whose doing, what it was and is, and the ways out."""
    by_subject: dict[str, list[LeftBehind]] = {}
    for found in left:
        by_subject.setdefault(found.subject, []).append(found)
    parts = []
    for subject, own in by_subject.items():
        shown = [f"    {say_change(found.change)}" for found in own[:_MOST_SHOWN]]
        if len(own) > len(shown):
            shown.append(f"    ... and {len(own) - len(shown)} more")
        names = sorted({found.change.watcher for found in own})
        head = f"{subject or nodeid} left process state changed ({', '.join(names)}):"
        parts.append("\n".join([head, *shown, _ways_out(names[0])]))
    return "\n\n".join(parts)


def say_change(change: Change) -> str:
    """Return a change in one line."""
    return f"{change.owner}: {change.before} -> {change.after}"


def _ways_out(watcher: str) -> str:
    from tierwise.domain.watching import UNRESTORABLE  # noqa: PLC0415

    ways = [
        "Change it by monkeypatch or in a fixture that puts it back, or end what was begun",
        "have it reset after each test: tierwise.reset_each_test(...)",
    ]
    if watcher not in UNRESTORABLE:
        ways.append(f'have it put back: {watcher} = "restore" in [tool.tierwise.state]')
    ways.append(f'allow it: @pytest.mark.leaves_behind("{watcher}", reason="...")')
    return "; ".join(ways) + ". docs: process-state"


class TellingState:
    """A few lines at the foot of the terminal."""

    def __init__(self, tally: Tally, watchers: Collection[str]) -> None:
        self._tally, self._watchers = tally, watchers

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell who left what; nothing under -q, and nothing of what was put back."""
        if terminalreporter.config.get_verbosity() < 0:
            return
        lines = left_lines(self._tally.left_behind)
        for line in (*lines, *blind_lines(self._watchers)):
            terminalreporter.write_line(line)


def left_lines(left: Sequence[tuple[str, LeftBehind]]) -> tuple[str, ...]:
    """Return a line about all, and one about each of the first few."""
    told = [(nodeid, found) for nodeid, found in left if found.action is Watching.REPORT]
    if not told:
        return ()
    by_owner: dict[tuple[str, str], list[tuple[str, LeftBehind]]] = {}
    for nodeid, found in told:
        by_owner.setdefault((found.change.watcher, found.change.owner), []).append((nodeid, found))
    tests = len({found.subject or nodeid for nodeid, found in told})
    names = ", ".join(sorted({found.change.watcher for _, found in told}))
    pieces = _count(len(by_owner), "piece")
    lines = [f"left behind: {pieces} of process state by {_count(tests, 'test')} ({names})"]
    for group in [*by_owner.values()][:_MOST_LINES]:
        nodeid, found = group[0]
        more = f" and {_count(len(group) - 1, 'other')}" if len(group) > 1 else ""
        lines.append(f"  {say_change(found.change)}  by {found.subject or nodeid}{more}")
    if len(by_owner) > _MOST_LINES:
        lines.append(f"  and {len(by_owner) - _MOST_LINES} more: tierwise report")
    return tuple(lines)


def _count(n: int, word: str) -> str:
    return f"{n} {word}{'' if n == 1 else 's'}"
