"""What tests leave changed, seen in forked children, and taken back in others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tierwise.domain.watching import Change
from tierwise.pollution.findings import Leak
from tierwise.pytest_plugin.pollution_child import ENDS, NOTED, Child, listen
from tierwise.pytest_plugin.pollution_project import take_whole_snapshot
from tierwise.sandbox.state import changes_between, retake
from tierwise.sandbox.state.single import restore_change

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection
    from pathlib import Path

    from tierwise.pollution.endings import Ended
    from tierwise.pytest_plugin.pollution_running import ForkedRunner
    from tierwise.sandbox.state import Snapshot

    Between = Callable[[Snapshot, Connection], None]


class ForkedWitness:
    """Implements `pollution.naming.Witness` with the tests of a runner."""

    def __init__(self, runner: ForkedRunner, root: Path) -> None:
        self._runner, self._root = runner, root

    def leaks_of(self, tests: Sequence[str], test: str) -> Sequence[Leak]:
        """Return what is different behind `tests`, once what is theirs alone was torn down."""
        _, leaks = self._run(tests, test, _send_changes)
        return leaks

    def run_restored(self, tests: Sequence[str], test: str, leak: Leak) -> Ended | None:
        """Return how `test` ends once a change is taken back, None where it cannot be."""
        change = Change(
            watcher=leak.watcher, owner=leak.owner, before=leak.before, after=leak.after
        )
        ended, restored = self._run(tests, test, partial(_restore, change))
        return ended if restored else None

    def _run(
        self, tests: Sequence[str], test: str, between: Between
    ) -> tuple[Ended, Sequence[Leak]]:
        """Run the culprits and the test, and between them what is to be done there."""
        noted: list[Leak] = []

        def body(outgoing: Connection) -> None:
            self._runner.begin()
            before = take_whole_snapshot(self._root)
            played = self._runner.play([*tests, test], outgoing)
            for _, (name, ended) in zip(tests, played, strict=False):
                outgoing.send((ENDS, name, ended))
            between(before, outgoing)
            for name, ended in played:
                outgoing.send((ENDS, name, ended))
            self._runner.tear_down()

        child = Child(body, closed=self._runner.closed)
        endings = listen(
            child, [*tests, test], timeout_s=self._runner.timeout_s, note=noted.extend
        )
        return endings[test], noted


def _send_changes(before: Snapshot, outgoing: Connection) -> None:
    found = [
        Leak(owner=one.owner, watcher=one.watcher, before=one.before, after=one.after)
        for one in changes_between(before, retake(before))
    ]
    outgoing.send((NOTED, found))


def _restore(change: Change, before: Snapshot, outgoing: Connection) -> None:
    if restore_change(before, change):
        leak = Leak(owner=change.owner, watcher=change.watcher, before="", after="")
        outgoing.send((NOTED, [leak]))
