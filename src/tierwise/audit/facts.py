"""What was seen of a suite, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.sandbox.exit_report import Wait


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchFact:
    """Something that a test touched outside its own memory."""

    capability: str
    target: str
    subject: str = ""
    """The test, or the fixture that touched it in its place."""
    line: str = ""
    """The innermost line of the touch, as `path:line in function`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftFact:
    """A piece of process state that a test left changed."""

    owner: str
    before: str
    after: str
    subject: str = ""
    """The fixture that left it; "" is the test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipFact:
    """A mark that skips a test."""

    always: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestFact:
    """One collected test, and what became of it."""

    __test__ = False  # a name that begins with Test is no test

    nodeid: str
    path: str
    """The file that pytest has collected it from."""
    line: int = 0
    written: str = ""
    """The file that `line` is in, where it is another one: a test may be inherited, or made."""
    marks: tuple[str, ...] = ()
    tier: str = ""
    """The tier that the project itself places it in; "" when none does."""
    skips: tuple[SkipFact, ...] = ()
    is_expected_to_fail: bool = False
    is_strict: bool = False
    outcome: str = "not_run"
    """passed, failed, error, skipped, xfailed, xpassed, deselected, ended_session or not_run."""
    seconds: float = 0.0
    message: str = ""
    touches: tuple[TouchFact, ...] = ()
    left: tuple[LeftFact, ...] = ()
    """What it left changed in the process."""

    @property
    def place(self) -> str:
        """Where it is written, as `file:line`."""
        return f"{self.written or self.path}:{self.line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectFact:
    """A file or folder that was not collected, or not wholly."""

    path: str
    message: str
    is_error: bool = True
    """An error; else it skipped itself as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadFact:
    """A thread that was alive when pytest had nothing left to do."""

    name: str
    is_daemon: bool
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndFact:
    """How one process of the suite ended, when it did not end as it should."""

    kind: str
    """killed, hung, exited, internal_error, plugin, stopped, usage; or, once the tests are done,
    hung_at_exit, crashed_at_exit."""
    subject: str
    """The test, the file, or what was being done."""
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFact:
    """The pytest session around the tests."""

    rootdir: str = ""
    inifile: str = ""
    args: tuple[str, ...] = ()
    pytest: str = ""
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    keyword: str = ""
    marks: str = ""
    plugins: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Options of the project's own that the audit did without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """All that the processes of one audit told."""

    session: SessionFact = field(default_factory=SessionFact)
    tests: tuple[TestFact, ...] = ()
    not_collected: tuple[CollectFact, ...] = ()
    threads: tuple[ThreadFact, ...] = ()
    waits: tuple[Wait, ...] = ()
    ends: tuple[EndFact, ...] = ()
    notes: tuple[str, ...] = ()
    """What was done differently than a plain pytest would, to get this far."""
    wall_seconds: float = 0.0
    exit_seconds: float = 0.0
    """From the last hook of pytest to the end of threads and of what atexit calls."""
    is_complete: bool = False
    """Has every test that was collected ended, or its end been seen?"""
    is_run: bool = True
    """Were the tests run, and not only collected?"""
    is_recorded: bool = False
    """Are the results those of an earlier run, which told less?"""
    survival: tuple[str, ...] = ()
    """Options without which pytest does not get through this suite."""
