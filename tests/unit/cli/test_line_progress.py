"""Lines of progress on stderr."""

from __future__ import annotations

import io

from tierwise.cli.line_progress import LineProgress


def test_a_line_is_written_every_two_seconds_at_most() -> None:
    """A command that is done sooner writes none."""
    times = iter([0.0, 0.5, 1.9, 2.0, 3.9, 4.1])
    stream = io.StringIO()
    tell = LineProgress("bisect", stream=stream, clock=lambda: next(times))
    for runs in range(1, 6):
        tell("narrowing 8 tests down", runs)
    assert stream.getvalue() == (
        "bisect: narrowing 8 tests down (3 runs so far)\n"
        "bisect: narrowing 8 tests down (5 runs so far)\n"
    )


def test_one_run_is_one_run() -> None:
    """The word agrees with the number."""
    times = iter([0.0, 2.0])
    stream = io.StringIO()
    LineProgress("bisect", stream=stream, clock=lambda: next(times))("confirming", 1)
    assert stream.getvalue() == "bisect: confirming (1 run so far)\n"
