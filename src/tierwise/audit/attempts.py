"""What to do when a process of the suite has ended: go on, go on without something, or stop."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tierwise.audit.facts import EndFact
from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from tierwise.audit.child import ChildEnd

MOST_ATTEMPTS = 25
_UNKNOWN = re.compile(r"unrecognized arguments?: (.+)")
_COMPLAINT = re.compile(r"^\S+: error: (.+)", re.MULTILINE)
_ERROR = re.compile(r"^(?:ERROR|E|INTERNALERROR>)\s*:?\s+(\S.*)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """How the next process is started."""

    addopts: tuple[str, ...] | None = None
    """What the project's `addopts` are replaced with; None leaves them."""
    without: tuple[str, ...] = ()
    """Plugins that are left out."""
    ignored: tuple[str, ...] = ()
    """Files that ended a session while they were read."""
    enders: tuple[str, ...] = ()
    """Tests that ended a session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What follows: another attempt, or none, and what is told of this one."""

    again: Attempt | None = None
    ends: tuple[EndFact, ...] = ()
    note: str = ""
    is_complete: bool = False


def decide(attempt: Attempt, end: ChildEnd, *, n_left: int) -> Decision:
    """Return what to do after a process; `n_left` tests were collected and have not ended."""
    progress = end.progress
    if progress.internal_error and progress.plugin and not progress.n_begun:
        return _without_plugin(attempt, end)
    if progress.running:
        return _without_test(attempt, end)
    if progress.stopped is not None:
        return _stop("stopped", progress.stopped[0], progress.stopped[1])
    if not progress.is_collected and progress.exit_code is None:
        return _before_collected(attempt, end)
    return _after_tests(attempt, end, n_left=n_left)


def _after_tests(attempt: Attempt, end: ChildEnd, *, n_left: int) -> Decision:
    progress = end.progress
    if progress.internal_error:
        return _stop("internal_error", "pytest or a plugin of it", progress.internal_error)
    if progress.exit_code == ExitCode.USAGE:
        return _usage(attempt, end)
    if progress.exit_code is None and n_left:
        return _stop("killed", "between two tests", say_end(end))
    if n_left and progress.is_collected:
        return _stop("stopped", "after the last test that ran", say_end(end))
    return Decision(is_complete=True, ends=_ends_at_exit(end))


def _without_plugin(attempt: Attempt, end: ChildEnd) -> Decision:
    plugin = end.progress.plugin
    if plugin in attempt.without:
        return _stop("internal_error", f"the plugin {plugin}", end.progress.internal_error)
    return Decision(
        again=replace(attempt, without=(*attempt.without, plugin)),
        ends=(
            EndFact(
                kind="plugin",
                subject=f"the plugin {plugin}",
                detail=end.progress.internal_error,
            ),
        ),
        note=f"run without the plugin {plugin} (-p no:{plugin}): with it, pytest does not start",
    )


def _without_test(attempt: Attempt, end: ChildEnd) -> Decision:
    progress = end.progress
    kind, detail = _kind_of(end), say_end(end)
    if progress.internal_error:
        kind, detail = "internal_error", progress.internal_error
    fact = EndFact(kind=kind, subject=progress.running, detail=detail)
    return Decision(
        again=replace(attempt, enders=(*attempt.enders, progress.running)), ends=(fact,)
    )


def _before_collected(attempt: Attempt, end: ChildEnd) -> Decision:
    progress = end.progress
    if not progress.has_session:
        return _usage(attempt, end)
    if progress.internal_error:
        return _stop("internal_error", "pytest or a plugin of it", progress.internal_error)
    path = progress.collecting
    if not path or path in attempt.ignored:
        return _stop(_kind_of(end), "collecting", say_end(end))
    return Decision(
        again=replace(attempt, ignored=(*attempt.ignored, path)),
        ends=(EndFact(kind=_kind_of(end), subject=path, detail=say_end(end)),),
    )


def _usage(attempt: Attempt, end: ChildEnd) -> Decision:
    unknown = _UNKNOWN.search(end.output)
    if unknown and attempt.addopts is None:
        return _without_options(attempt, end, tuple(unknown.group(1).split()))
    if attempt.addopts and (unknown or "addopts" in end.output):
        return Decision(
            again=replace(attempt, addopts=()),
            note="run without addopts: with them, pytest does not start",
        )
    if not end.progress.last or end.code == ExitCode.USAGE:
        return _stop("usage", "pytest", say_output(end))
    return _stop(_kind_of(end), "loading conftest.py", say_end(end))


def _without_options(attempt: Attempt, end: ChildEnd, names: tuple[str, ...]) -> Decision:
    kept = tuple(option for option in end.progress.addopts if option not in names)
    if kept == end.progress.addopts:
        return _stop("usage", "pytest", say_output(end))  # the caller's own: nothing to guess
    subject = f"addopts: {' '.join(names)}"
    return Decision(
        again=replace(attempt, addopts=kept),
        ends=(EndFact(kind="usage", subject=subject, detail=say_output(end)),),
        note=f"run without {' '.join(names)} of addopts: no installed plugin knows it",
    )


def _stop(kind: str, subject: str, detail: str) -> Decision:
    return Decision(ends=(EndFact(kind=kind, subject=subject, detail=detail),))


def _ends_at_exit(end: ChildEnd) -> tuple[EndFact, ...]:
    if end.is_hung:
        detail = f"the process went on for {end.exit_seconds:.0f} s and was killed"
        return (EndFact(kind="hung_at_exit", subject="after the last test", detail=detail),)
    if end.code < 0:
        return (
            EndFact(kind="crashed_at_exit", subject="after the last test", detail=say_end(end)),
        )
    return ()


def _kind_of(end: ChildEnd) -> str:
    if end.is_hung:
        return "hung"
    return "killed" if end.code < 0 else "exited"


def say_end(end: ChildEnd) -> str:
    """Return how a process ended, in words."""
    if end.is_hung:
        return "nothing was heard of it for too long, and it was killed"
    if end.code < 0:
        return f"the process was killed by signal {_name_signal(-end.code)}"
    return f"the process ended with exit code {end.code}"


def _name_signal(number: int) -> str:
    import signal  # noqa: PLC0415  for a name, seldom

    try:
        return f"{number} ({signal.Signals(number).name})"
    except ValueError:
        return str(number)


def say_output(end: ChildEnd) -> str:
    """Return the line of the output that says what was wrong."""
    found = _COMPLAINT.findall(end.output) or _ERROR.findall(end.output)
    lines = [line for line in end.output.strip().splitlines() if line.strip()]
    return str(found[-1] if found else lines[-1] if lines else say_end(end)).strip()
