from __future__ import annotations

import io
from dataclasses import replace

from tierwise.cli.eval_progress import LineMeter, Progress, say_progress
from tierwise.domain import (
    EvalStarted,
    Exchange,
    Outcome,
    RunHeldUp,
    StopRequested,
    TrialEnded,
    Usage,
)


class Shown:
    """A meter that remembers."""

    def __init__(self) -> None:
        self.last: tuple[str, int, int] | None = None
        self.said: list[str] = []

    def show(self, text: str, done: int, total: int) -> None:
        """Remember."""
        self.last = (text, done, total)

    def say(self, text: str) -> None:
        """Remember."""
        self.said.append(text)

    def close(self) -> None:
        """Do nothing."""


def test_trials_are_counted_over_all_evals() -> None:
    """The total is known before the first trial; those without a score are named."""
    shown = Shown()
    progress = Progress(shown)
    progress(EvalStarted(eval_id="a", planned=3))
    progress(EvalStarted(eval_id="b", planned=2))
    assert shown.last == ("0 of 5 trials", 0, 5)
    for outcome in (Outcome.PASSED, Outcome.FAILED, Outcome.ERROR):
        progress(TrialEnded(eval_id="a", case_id="c", index=0, outcome=outcome))
    assert shown.last == ("3 of 5 trials, 1 without a score", 3, 5)


def test_what_is_spent_is_shown_as_it_is_spent() -> None:
    """Tokens and money, over all evals; free and silent trials add no words."""
    shown = Shown()
    progress = Progress(shown)
    progress(EvalStarted(eval_id="a", planned=9, reused=6))
    said = Exchange(
        prompt=(), reply="", usage=Usage(input_tokens=1000, output_tokens=234), cost_usd=0.0125
    )
    for exchanges in ((said,), (said, replace(said, source="cache")), ()):
        progress(
            TrialEnded(
                eval_id="a", case_id="c", index=0, outcome=Outcome.PASSED, exchanges=exchanges
            )
        )
    assert shown.last == ("3 of 3 trials, 2,468 tokens, 0.025 USD", 3, 3)


def test_a_stop_is_told_at_once() -> None:
    """Who pressed Ctrl-C knows what happens next, whatever the interval of lines."""
    shown = Shown()
    Progress(shown)(StopRequested(n_in_flight=1))
    assert shown.said == ["stopping: 1 trial in flight may end; Ctrl-C again stops at once"]
    stream = io.StringIO()
    Progress(LineMeter(stream, clock=lambda: 0.0))(StopRequested(n_in_flight=3))
    assert stream.getvalue() == (
        "evals: stopping: 3 trials in flight may end; Ctrl-C again stops at once\n"
    )


def test_lines_come_at_most_every_two_seconds_and_once_at_the_end() -> None:
    """A log of a long run stays short, and the last state is in it."""
    now = 0.0
    stream = io.StringIO()
    meter = LineMeter(stream, clock=lambda: now)
    for step in range(50):
        now = step * 0.1
        meter.show(f"{step}", step, 50)
    meter.close()
    meter.close()
    assert stream.getvalue().splitlines() == ["evals: 20", "evals: 40", "evals: 49"]


def test_a_run_without_trials_says_nothing() -> None:
    """No line for nothing."""
    stream = io.StringIO()
    LineMeter(stream).close()
    assert stream.getvalue() == ""
    assert say_progress(1, 2, 0) == "1 of 2 trials"


def test_what_holds_a_run_up_is_a_line_of_its_own() -> None:
    """Also in a pipe, where no bar stands still."""
    stream = io.StringIO()
    Progress(LineMeter(stream))(RunHeldUp(text="waiting: 12 calls"))
    assert stream.getvalue() == "evals: waiting: 12 calls\n"
