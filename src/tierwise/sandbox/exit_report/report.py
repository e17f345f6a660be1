"""The facts about the end of a session, as lines for a person and as JSON for a program."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = 1
"""Of the JSON; it grows when a field is taken away or means something else."""
Kind = Literal["thread", "executor", "atexit", "process"]
_MOST_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """One thing that a process waits for before it can end; texts are empty where unknown."""

    kind: Kind
    """`thread`: one that is no daemon. `executor`: a worker of a ThreadPoolExecutor that is busy.
    `atexit`: a function that was registered for the end. `process`: a child of multiprocessing."""
    name: str
    """The thread's or process's own name, or the function's."""
    owner: str = ""
    """`module.function` that runs there."""
    place: str = ""
    """`file:line` of it."""
    started_by: str = ""
    """`module.function` that started the thread."""
    started_at: str = ""
    """`file:line` of the nearest code of nobody's library that led to it."""
    test: str = ""
    """The test in which it was started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitReport:
    """What a session took and how its process ended."""

    wall_s: float
    """From the start of the session until pytest was done."""
    tests_s: float
    """All phases of all tests together; under xdist more than the wall can show."""
    after_tests_s: float
    """From the end of the last test until pytest was done."""
    exit_s: float | None = None
    """From there until the process ended; None while it has not, or when it was killed."""
    waits: tuple[Wait, ...] = ()
    """What it waited for longer than is patient; each once, in the order of being seen."""

    def to_json(self) -> str:
        """Return the facts as a program reads them."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=2)


def read_exit_report(path: Path) -> ExitReport:
    """Return what the session that was started with `--tierwise-exit-report PATH` left there.

    A session that was killed before pytest was done left nothing: FileNotFoundError. One that was
    killed while it hung has `exit_s` None, and `waits`. Raises MisuseError for another file.
    """
    text = path.read_text(encoding="utf-8")
    try:
        values = json.loads(text)
        if values.pop("format") != FORMAT:
            raise ValueError("its format is another one")  # noqa: TRY301  told below, with the path
        waits = tuple(Wait(**wait) for wait in values.pop("waits"))
        return ExitReport(**values, waits=waits)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise MisuseError(
            f"{path} is no exit report that this version of tierwise can read ({error}). "
            "Make it anew: pytest --tierwise-exit-report PATH."
        ) from error


def describe_waits(waits: tuple[Wait, ...], *, seconds: float) -> tuple[str, ...]:
    """Return at most three lines: what the process waits for, and who is behind it."""
    lines = [
        f"tierwise: pytest is done; for {seconds:.1f} s the process has waited for {_say(wait)}"
        for wait in waits[:_MOST_LINES]
    ]
    more = len(waits) - _MOST_LINES
    if more > 0:
        lines[-1] += f"; and for {more} more"
    return tuple(lines)


def describe_end(report: ExitReport) -> str:
    """Return the last line of a session that hung."""
    return (
        f"tierwise: the process ended {report.exit_s or 0.0:.1f} s after pytest, which took "
        f"{report.wall_s:.1f} s for {report.tests_s:.1f} s of tests"
    )


def _say(wait: Wait) -> str:
    what = {
        "thread": f"thread {wait.name!r}",
        "executor": f"thread {wait.name!r} of an executor that was not shut down",
        "atexit": f"{wait.owner or wait.name}, registered for the end",
        "process": f"child process {wait.name!r}",
    }[wait.kind]
    if wait.place:
        what += (
            f" ({wait.place})" if wait.kind == "atexit" else f", in {wait.owner} ({wait.place})"
        )
    if wait.kind == "atexit" and wait.name and wait.name != wait.owner:
        what += f", which waits for thread {wait.name!r}"
    if wait.started_by or wait.started_at:
        at = f" ({wait.started_at})" if wait.started_at else ""
        what += f"; started by {wait.started_by or 'unknown code'}{at}"
    return what + (f" in {wait.test}" if wait.test else "")
