"""`tierwise eval show` on a run store whose trials are known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.cli.eval_show import command as show
from tierwise.domain import Exchange, Message
from tierwise.errors import EvalUsageError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

    Record = Callable[..., str]
    Call = Callable[..., Any]

EVAL = "tests/evals/test_npc.py::test_mira"
SAID = Exchange(
    prompt=(Message(role="user", content="Where is it?"),),
    reply="Here\x1b]0;owned\x07 and\n  there",
    provider="simulated",
)
LEAKS = {"c": [{"leak": index == 3} for index in range(5)], "d": [None]}
NEVER = {"better": {"leak": "lower"}, "exchanges": (SAID,)}


def test_the_first_trials_of_the_last_run_are_shown(record: Record, call: Call) -> None:
    """Three of six, with what was said; and how to see more."""
    record({"old": [{"leak": True}]}, **NEVER)
    run_id = record(LEAKS, **NEVER)
    result = call(show)
    lines = result.output.splitlines()
    assert lines[0] == f"run {run_id}"
    assert [line for line in lines if line.startswith(EVAL)] == [
        f"{EVAL}  case c, trial {index}: PASSED" for index in range(3)
    ]
    assert lines[-1] == "3 shown, and there are more: -n 30 shows up to 30"
    assert result.return_value == ExitCode.OK


def test_a_reply_cannot_speak_to_the_terminal(record: Record, call: Call) -> None:
    """Its escape sequences are written out, and each of its lines has a margin."""
    record(LEAKS, **NEVER)
    for arguments in ((), ("--json",)):
        output = call(show, *arguments).output
        assert "\x1b" not in output
        assert "\x07" not in output
    assert "     | Here\\x1b]0;owned\\x07 and\n     |   there\n" in call(show).output


def test_failed_trials_are_those_that_speak_against_the_promise(
    record: Record, call: Call
) -> None:
    """A `never` that was seen, and an error; by the metric alone only the former."""
    record(LEAKS, **NEVER)
    shown = call(show, "--failed").output
    assert "case c, trial 3: PASSED\n  scores: leak=True\n" in shown
    assert "case d, trial 0: ERROR\n  message: ValueError: broken\n" in shown
    assert shown.count(EVAL) == 2
    assert call(show, "last", "--failed", "--metric", "leak").output.count(EVAL) == 1


def test_an_eval_and_a_run_are_chosen(record: Record, call: Call) -> None:
    """By a part of an id and by what `compare` takes; another eval's trials are left out."""
    first = record(LEAKS, **NEVER)
    record({"x": [{"ok": True}]}, run_id=first, eval_id="tests/evals/test_o.py::test_other")
    record({"y": [{"ok": True}]})
    for name in ("last~1", first):
        shown = call(show, name, "--eval", "other").output
        assert [line for line in shown.splitlines() if "case" in line] == [
            "tests/evals/test_o.py::test_other  case x, trial 0: PASSED"
        ]
    with pytest.raises(EvalUsageError, match=rf"Run {first} has no eval 'mirra'"):
        call(show, "last~1", "--eval", "mirra")


def test_trials_as_json(record: Record, call: Call) -> None:
    """Whole, with each call."""
    run_id = record(LEAKS, **NEVER)
    data = json.loads(call(show, "--failed", "-n", "1", "--json").output)
    assert (data["run"], data["note"], data["is_more"]) == (run_id, "", True)
    assert [entry["index"] for entry in data["trials"]] == [3]
    assert data["trials"][0]["exchanges"][0]["reply"] == SAID.reply


def test_nothing_to_show_is_said(record: Record, call: Call) -> None:
    """No trial, none that scored it, none against the promise: each has its own words."""
    run_id = record({"c": [{"leak": False}] * 2}, **NEVER)
    fine = call(show, "--failed")
    assert f"None of the 2 trials in run {run_id} speaks against its promise" in fine.output
    assert fine.return_value == ExitCode.OK
    one = call(show, "--failed", "--metric", "leak").output
    assert "speaks against its promise by 'leak'." in one
    absent = call(show, "--metric", "lek")
    assert f"None of the 2 trials in run {run_id} scored 'lek'. Did you mean 'leak'?" in (
        absent.output
    )
    assert absent.return_value == ExitCode.NOTHING_COLLECTED
    assert "scored 'lek'" in json.loads(call(show, "--metric", "lek", "--json").output)["note"]
    record({"c": []}, **NEVER)
    empty = call(show, "--failed")
    assert "holds no trial: it ended before the first one did." in empty.output
    assert empty.return_value == ExitCode.NOTHING_COLLECTED


def test_a_metric_without_a_direction_speaks_against_nothing(record: Record, call: Call) -> None:
    """Refused, with what has a direction: to show none would look like good news."""
    record(LEAKS, **NEVER)
    with pytest.raises(EvalUsageError, match=r"which way it is better.*'leak'"):
        call(show, "--failed", "--metric", "lek")
    record({"c": [{"ok": True}]})
    with pytest.raises(EvalUsageError, match=r"speak against it\. Leave out --failed"):
        call(show, "--failed", "--metric", "ok")
