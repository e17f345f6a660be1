"""Run a suite to its end, whatever ends it on the way, and return what was told."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from tierwise.audit.attempts import MOST_ATTEMPTS, Attempt, decide
from tierwise.audit.child import run_child
from tierwise.audit.events import Reading, read_events
from tierwise.audit.facts import EndFact, RunFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tierwise.audit.child import ChildEnd
    from tierwise.audit.events import Progress
    from tierwise.sandbox.exit_report import Wait

_PLUGINS = ("-p", "tierwise", "-p", "tierwise.pytest_plugin.auditing")
_OVER = frozenset({"deselected"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the caller wants to be run."""

    arguments: tuple[str, ...] = ()
    """Paths, and options for pytest."""
    is_run: bool = True
    """Run the tests, and not only collect them."""
    timeout_s: float = 300.0
    """A test of which nothing is heard for so long is taken to hang."""


@dataclass(slots=True, kw_only=True)
class _Told:
    """What has been told so far, over all processes."""

    reading: Reading = field(default_factory=Reading)
    ends: list[EndFact] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    exit_seconds: float = 0.0
    waits: list[Wait] = field(default_factory=list)
    is_complete: bool = False


def run_suite(
    asked: Asked, environ: Mapping[str, str], listen: Callable[[Progress], None]
) -> RunFacts:
    """Run pytest in child processes until each collected test has ended or ended its process."""
    told, attempt, begun = _Told(), Attempt(), monotonic()
    with tempfile.TemporaryDirectory(prefix="tierwise-audit-") as name:
        folder = Path(name)
        environment = make_environment(environ, folder)
        for number in range(1, MOST_ATTEMPTS + 1):
            end = run_child(
                _arguments(asked, attempt, told, folder),
                folder=folder,
                number=number,
                environment=environment,
                timeout_s=asked.timeout_s,
                listen=listen,
            )
            following = _take(told, attempt, end, is_run=asked.is_run)
            if following is None:
                break
            attempt = following
    told.seconds = monotonic() - begun
    return _facts_of(told, attempt, is_run=asked.is_run)


def make_environment(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the environment of the child: it leaves nothing behind in the project."""
    return {
        **environ,
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
        "COVERAGE_FILE": str(folder / "coverage"),
    }


def _arguments(asked: Asked, attempt: Attempt, told: _Told, folder: Path) -> list[str]:
    left = folder / "left-out.json"
    left.write_text(
        json.dumps(
            {"tests": [*told.reading.ended, *attempt.enders], "files": list(attempt.ignored)}
        ),
        encoding="utf-8",
    )
    # With `=`, or pytest takes the file for a test and its folder for the root.
    found = [
        *_PLUGINS,
        "--tierwise-mode=report",
        "--tierwise-state=report",
        f"--audit-leave-out={left}",
    ]
    found += [f"--override-ini=cache_dir={folder / 'cache'}"]
    found += survival_of(attempt)
    if not asked.is_run:
        found.append("--collect-only")
    return [*found, *asked.arguments]


def survival_of(attempt: Attempt) -> list[str]:
    """Return the options without which pytest does not even start on this suite."""
    found = [f"-pno:{plugin}" for plugin in attempt.without]
    if attempt.addopts is not None:
        found.append(f"--override-ini=addopts={shlex.join(attempt.addopts)}")
    return found


def _take(told: _Told, attempt: Attempt, end: ChildEnd, *, is_run: bool) -> Attempt | None:
    """Add what a process told; return how to go on, None when there is nothing left to do."""
    n_before = len(told.reading.ended) + len(attempt.enders) + len(attempt.ignored)
    read_events(told.reading, end.events)
    n_left = len(_left(told.reading, attempt.enders)) if is_run else 0
    decision = decide(attempt, end, n_left=n_left)
    told.ends += decision.ends
    told.exit_seconds = max(told.exit_seconds, end.exit_seconds)
    told.waits += end.waits
    told.is_complete = decision.is_complete
    if decision.note:
        told.notes.append(decision.note)
    again = decision.again
    if again is None:
        return None
    n_after = len(told.reading.ended) + len(again.enders) + len(again.ignored)
    changes_start = (again.without, again.addopts) != (attempt.without, attempt.addopts)
    return again if n_after > n_before or changes_start else None


def _left(reading: Reading, enders: Iterable[str]) -> set[str]:
    """Return the tests that were collected and of which no end has been seen."""
    over = {nodeid for nodeid, test in reading.tests.items() if test.outcome in _OVER}
    return set(reading.tests) - reading.ended - set(enders) - over


def _facts_of(told: _Told, attempt: Attempt, *, is_run: bool) -> RunFacts:
    tests = dict(told.reading.tests)
    details = {end.subject: end.detail for end in told.ends}
    for nodeid in attempt.enders:
        if nodeid in tests:
            tests[nodeid] = replace(
                tests[nodeid], outcome="ended_session", message=details.get(nodeid, "")
            )
    return RunFacts(
        session=told.reading.session,
        tests=tuple(tests.values()),
        not_collected=tuple(told.reading.not_collected),
        threads=tuple(told.reading.threads),
        ends=tuple(_below_root(end, told.reading.session.rootdir) for end in told.ends),
        notes=(*told.notes, *_say_only_here(told.reading.only_here)),
        wall_seconds=told.seconds,
        exit_seconds=told.exit_seconds,
        is_complete=told.is_complete,
        is_run=is_run,
        waits=tuple(told.waits),
        survival=(
            *survival_of(attempt),
            *(f"--ignore={path}" for path in attempt.ignored),
            *(f"--deselect={nodeid}" for nodeid in attempt.enders),
        ),
    )


def _say_only_here(modules: tuple[str, ...]) -> tuple[str, ...]:
    if not modules:
        return ()
    note = f"run as `python -m pytest`, which finds {', '.join(modules[:3])} in its folder"
    return (f'{note}: a bare pytest does not; pythonpath = ["."] in its table lets it',)


def _below_root(end: EndFact, root: str) -> EndFact:
    """Return an end with its paths as pytest names files: relative to the root."""
    if not root:
        return end
    return replace(
        end,
        subject=end.subject.removeprefix(f"{root}{os.sep}"),
        detail=end.detail.replace(f"{root}{os.sep}", ""),
    )
