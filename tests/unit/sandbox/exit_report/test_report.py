from __future__ import annotations

import json
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, cast

import pytest

from tierwise.errors import MisuseError
from tierwise.sandbox.exit_report import ExitReport, Wait, adding, read_exit_report
from tierwise.sandbox.exit_report.report import describe_end, describe_waits

if TYPE_CHECKING:
    from pathlib import Path

THREAD = Wait(
    kind="thread",
    name="poller",
    owner="app.poller.run",
    place="src/app/poller.py:9",
    started_by="app.poller.start",
    started_at="src/app/poller.py:4",
    test="tests/unit/test_a.py::test_a",
)
EXPORTER = Wait(
    kind="atexit",
    name="exporter",
    owner="telemetry.Provider.shutdown",
    place="telemetry/provider.py:20",
)
REPORT = ExitReport(wall_s=64.2, tests_s=4.1, after_tests_s=0.5, exit_s=60.0, waits=(THREAD,))


class Text:
    """Reads as a file does."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read_text(self, encoding: str) -> str:
        """Give what the file would hold."""
        return self._text

    def __str__(self) -> str:
        return "exit.json"


def read(text: str) -> ExitReport:
    return read_exit_report(cast("Path", Text(text)))


def test_a_report_is_read_as_it_was_written() -> None:
    """Also that of a process which has not ended."""
    assert read(REPORT.to_json()) == REPORT
    unfinished = ExitReport(wall_s=1.0, tests_s=0.5, after_tests_s=0.1)
    assert read(unfinished.to_json()) == unfinished


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        json.dumps(json.loads(REPORT.to_json()) | {"format": 2}),
        json.dumps(json.loads(REPORT.to_json()) | {"more": 1}),
    ],
)
def test_another_file_is_refused_by_its_name(text: str) -> None:
    """A program is not left with half of it."""
    with pytest.raises(MisuseError, match=r"exit\.json is no exit report"):
        read(text)


def test_a_thread_is_told_with_its_work_its_owner_and_its_test() -> None:
    """One line has all that a reader needs to end it."""
    (line,) = describe_waits((THREAD,), seconds=1.0)
    assert line == (
        "tierwise: pytest is done; for 1.0 s the process has waited for thread 'poller', in "
        "app.poller.run (src/app/poller.py:9); started by app.poller.start "
        "(src/app/poller.py:4) in tests/unit/test_a.py::test_a"
    )


def test_a_function_at_the_end_is_told_with_what_it_waits_for() -> None:
    """As an exporter that tries again and again to get rid of its last batch."""
    (line,) = describe_waits((EXPORTER,), seconds=2.0)
    assert "telemetry.Provider.shutdown, registered for the end (telemetry/provider.py:20)" in line
    assert line.endswith("which waits for thread 'exporter'")


def test_an_executor_and_a_process_are_told_as_such() -> None:
    """Each is ended in another way."""
    waits = (Wait(kind="executor", name="pool_0"), Wait(kind="process", name="Process-1, pid 7"))
    executor, process = describe_waits(waits, seconds=1.0)
    assert executor.endswith("thread 'pool_0' of an executor that was not shut down")
    assert process.endswith("child process 'Process-1, pid 7'")


def test_more_than_three_are_counted() -> None:
    """A pool of a hundred threads is no hundred lines."""
    lines = describe_waits((THREAD,) * 7, seconds=1.0)
    assert len(lines) == 3
    assert lines[-1].endswith("; and for 4 more")


def test_what_is_waited_for_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes; what comes after it is told as well, and paths are short."""
    root = cast("Path", PurePosixPath("/project"))
    far = replace(THREAD, place="/project/src/app/poller.py:9")
    report = replace(REPORT, waits=())
    monkeypatch.setattr(adding, "find_waits", lambda: (far,))
    report, lines = adding.add_waits(report, root=root, seconds=1.0)
    assert (report.waits, len(lines)) == ((THREAD,), 1)
    monkeypatch.setattr(adding, "find_waits", lambda: (far, EXPORTER))
    report, lines = adding.add_waits(report, root=root, seconds=2.0)
    assert (report.waits, len(lines)) == ((THREAD, EXPORTER), 1)
    assert adding.add_waits(report, root=root, seconds=3.0) == (report, ())


def test_the_last_line_tells_what_was_tests_and_what_was_not() -> None:
    """Wall time against test time."""
    assert describe_end(REPORT) == (
        "tierwise: the process ended 60.0 s after pytest, which took 64.2 s for 4.1 s of tests"
    )
