"""A trial is shown with all that was said in it, and nothing in it can speak to the terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.cli.eval_show import Wanted, find_trials
from tierwise.cli.eval_show_lines import escape_controls, shorten, shown_lines
from tierwise.cli.eval_view import say_how_to_look
from tierwise.domain import (
    Attempt,
    EvalSummary,
    Exchange,
    Message,
    Outcome,
    ToolCall,
    Verdict,
)
from tierwise.evals import never
from tierwise.evals.against import speaks_against
from tierwise.evals.counting import Counts
from tierwise.evals.judging import judge
from tierwise.records import TrialRow

if TYPE_CHECKING:
    from tierwise.domain.judgement import Unit


def trial(outcome: Outcome = Outcome.PASSED, **more: Any) -> TrialRow:
    return TrialRow(
        **{"run_id": "r1", "plan_hash": "p", "eval_id": "e", "case_id": "c", "index": 4, **more},
        key="k",
        seed=1,
        outcome=outcome,
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, \u00e4 \u6f22\u3000\U0001f642", "plain, \u00e4 \u6f22\u3000\U0001f642"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\x9b2J\x7f\x07", r"\x9b2J\x7f\x07"),
        ("a\rb\tc", r"a\rb\tc"),
        ("\u202eevil\u2028", r"\u202eevil\u2028"),
        ("\ud800", r"\ud800"),
    ],
)
def test_what_a_terminal_obeys_is_written_out(text: str, shown: str) -> None:
    """Escape sequences, C1, bidirectional marks, lone surrogates; letters of any script stay."""
    assert escape_controls(text) == shown


def test_a_long_prompt_is_shortened_and_says_so() -> None:
    """Its beginning, and its length."""
    assert shorten("abc", 3) == "abc"
    assert shorten("abcd", 3) == "abc ... (4 characters)"


def test_a_trial_is_shown_with_all_that_was_said_in_it() -> None:
    """Outcome, scores, message, notes; of a call the last user turn, reply, failure, attempts."""
    said = Exchange(
        prompt=(
            Message(role="system", content="Guard it."),
            Message(role="user", content="first"),
            Message(role="user", content="second"),
            Message(role="assistant", content="no"),
        ),
        reply="one\ntwo\x1b[31m",
        purpose="talk",
        provider="simulated",
        model="m",
        attempts=(Attempt(failure="timeout", message="slow"), Attempt()),
        tool_calls=(ToolCall(name="open", arguments={"door": 1}),),
    )
    broken = Exchange(prompt=(), reply="", failure="refused", source="cache")
    row = trial(
        Outcome.FAILED,
        scores={"leak": True},
        message="assert\x1b",
        notes=("n",),
        exchanges=(said, broken),
    )
    assert shown_lines("r1", [row]) == [
        "run r1",
        "",
        "e  case c, trial 4: FAILED",
        "  scores: leak=True",
        r"  message: assert\x1b",
        "  note: n",
        "  call 1 (talk) to simulated m",
        "     asked:",
        "     | second",
        "     replied:",
        "     | one",
        r"     | two\x1b[31m",
        '     tool call: open({"door": 1})',
        "     attempt 1: timeout: slow",
        "     attempt 2: answered",
        "  call 2 to ?, from the cache",
        "     asked:",
        "     | (nothing)",
        "     failure: refused",
    ]


def test_a_trial_says_where_it_comes_from() -> None:
    """One of a control, one of an earlier run, and one that called nobody."""
    lines = shown_lines("r2", [trial(arm="control")])
    assert lines[2] == "e  case c, trial 4, of the control, taken over from run r1: PASSED"
    assert lines[3] == "  no call of a provider is recorded"


@pytest.mark.parametrize(
    ("outcome", "scores", "metric", "expected"),
    [
        (Outcome.PASSED, {"leak": True}, None, True),
        (Outcome.PASSED, {"leak": False, "ok": True, "style": "kind"}, None, False),
        (Outcome.PASSED, {"ok": False}, None, True),
        (Outcome.PASSED, {"style": "rude"}, None, True),
        (Outcome.PASSED, {"words": 90.0, "other": True}, None, False),
        (Outcome.FAILED, {}, None, True),
        (Outcome.ERROR, {}, None, True),
        (Outcome.UNOBSERVABLE, {}, None, True),
        (Outcome.FAILED, {"leak": False}, "leak", False),
        (Outcome.PASSED, {"leak": True, "ok": True}, "ok", False),
        (Outcome.ERROR, {"leak": True}, "leak", True),
        (Outcome.PASSED, {"style": "rude"}, "style", True),
    ],
)
def test_what_speaks_against_a_promise(
    outcome: Outcome, scores: dict[str, bool | float | str], metric: str | None, *, expected: bool
) -> None:
    """An outcome other than passed, or a score on the wrong side; by a metric only the latter."""
    better = {"leak": "lower", "ok": "higher", "style=rude": "lower", "words": "lower"}
    assert speaks_against(trial(outcome, scores=scores), better, metric) is expected


def test_a_control_speaks_against_nothing() -> None:
    """Its subject is meant to be bad."""
    wanted = Wanted(is_failed=True, directions={"e": {"leak": "lower"}})
    rows = [trial(arm="control", scores={"leak": True}), trial(scores={"leak": True})]
    assert find_trials(rows, wanted, 5).trials == rows[1:]


def test_no_more_trials_are_read_than_are_shown_and_one() -> None:
    """A million rows are never held: the reading ends once it is known that more follow."""
    rows = iter([trial(index=index) for index in range(9)])
    found = find_trials(rows, Wanted(), 2)
    assert [row.index for row in found.trials] == [0, 1]
    assert found.is_more
    assert next(rows).index == 3


def judged(verdict: Verdict, unit: Unit = "rate") -> EvalSummary:
    seen = judge(never("leak", below=0.05), Counts(per_case=((1, 1),), missing=(0,)))
    entry = replace(seen, verdict=verdict, unit=unit)
    return EvalSummary(eval_id="t.py::a b", tier=None, provider="p", judgements=(entry,))


def test_a_refuted_verdict_names_the_command_that_shows_its_trials() -> None:
    """Ready for a shell; without --failed where only numbers were judged."""
    look = "see the trials: tierwise eval show r1 --eval 't.py::a b'"
    assert say_how_to_look(judged(Verdict.REFUTED), "r1") == f"{look} --failed"
    assert say_how_to_look(judged(Verdict.REFUTED, "mean"), "r1") == look
    assert say_how_to_look(judged(Verdict.PROVEN), "r1") == ""
