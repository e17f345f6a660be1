"""What the reports of a test come to, and the plain decisions around forked runs."""

from __future__ import annotations

import signal
from types import SimpleNamespace
from typing import Literal

import pytest

from tierwise.errors import ExitCode
from tierwise.pollution.endings import Ending
from tierwise.pytest_plugin.pollution_child import say_death
from tierwise.pytest_plugin.pollution_host import say_why
from tierwise.pytest_plugin.pollution_running import end_of
from tierwise.pytest_plugin.pollution_session import make_quiet

Phase = Literal["setup", "call", "teardown"]


def report(
    when: Phase, outcome: Literal["passed", "failed", "skipped"], longrepr: str = ""
) -> pytest.TestReport:
    return pytest.TestReport(
        nodeid="t.py::test",
        location=("t.py", 0, "test"),
        keywords={},
        outcome=outcome,
        longrepr=longrepr or None,
        when=when,
    )


PASS = [report("setup", "passed"), report("call", "passed"), report("teardown", "passed")]


def test_all_phases_have_to_pass() -> None:
    """A test has passed when none of them failed or was skipped."""
    ended = end_of(PASS, 0.5)
    assert (ended.ending, ended.message, ended.seconds) == (Ending.PASSED, "", 0.5)


def test_a_failure_says_in_which_phase() -> None:
    """Setup and teardown are named, the call goes without saying."""
    assert end_of([report("call", "failed", "boom")], 0).message == "boom"
    failed = end_of([*PASS[:2], report("teardown", "failed", "boom")], 0)
    assert (failed.ending, failed.message) == (Ending.FAILED, "teardown: boom")


def test_a_skip_is_no_pass_and_an_expected_failure_is_one() -> None:
    """What xfail expected has happened."""
    skipped = report("call", "skipped", "no network")
    assert end_of([skipped], 0).ending is Ending.SKIPPED
    skipped.wasxfail = "known"
    assert end_of([PASS[0], skipped, PASS[2]], 0).ending is Ending.PASSED


def test_no_report_is_no_pass() -> None:
    """A test of which pytest says nothing has not passed."""
    assert end_of([], 0).ending is Ending.CRASHED


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (9 << 8, "its process left with exit code 9"),
        (int(signal.SIGSEGV), "its process was killed by SIGSEGV"),
        (None, ""),
    ],
)
def test_a_death_is_told_by_its_cause(status: int | None, said: str) -> None:
    """Exit codes and signals are told apart."""
    assert say_death(status) == said


def test_only_options_that_are_there_are_made_quiet() -> None:
    """A plugin that is not installed gets no options."""
    options = SimpleNamespace(numprocesses=4, dist="load", tx=["popen"], verbose=1)
    make_quiet(options)
    assert vars(options) == {"numprocesses": None, "dist": "no", "tx": [], "verbose": 1}


def test_why_pytest_did_not_start_is_its_own_word() -> None:
    """Usage errors whole, of an internal error its last lines, else its complaint or output."""
    assert say_why(ExitCode.USAGE, "much", "ERROR: usage\nerror: no such option\n") == (
        "ERROR: usage\nerror: no such option"
    )
    internal = (
        "INTERNALERROR> Traceback (most recent call last):\n"
        'INTERNALERROR>   File "x.py"\n'
        "INTERNALERROR> ValueError: bad\n"
    )
    assert say_why(ExitCode.INTERNAL_ERROR, internal, "") == "INTERNALERROR> ValueError: bad"
    assert say_why(ExitCode.INTERNAL_ERROR, "", "killed") == "killed"
    assert say_why(ExitCode.FAILED, "much", "ERROR: this") == "ERROR: this"
