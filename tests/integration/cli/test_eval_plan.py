"""`tierwise eval plan` with a question about numbers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
import pytest

from tierwise.cli.eval_plan import command
from tierwise.errors import EvalUsageError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

    Call = Callable[..., Any]


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ("--never", "0.01", "--cases", "20"),
            ("for these cases: 299 trials: 20 cases of 15 trials", "299 are needed"),
        ),
        (("--never", "0.01", "--sensitivity", "0.9"), ("332 trials",)),
        (
            ("--at-least", "0.9", "--expect-rate", "0.95"),
            (
                "at least 90 %",
                "for these cases: 179 trials in all",
                "assumes: the true rate is 95 %",
            ),
        ),
        (
            ("--at-most", "0.1", "--expect-rate", "0.05", "--power", "0.9"),
            ("at most 10 %", "90 %"),
        ),
        (("--see-drop", "0.95", "0.9"), ("435 trials on each side", "note: if 95 % were known")),
        (("--see-drop", "0.95", "0.9", "--paired"), ("155 cases if no case gets better",)),
        (("--see-drop", "0.95", "0.9", "--discordant", "0.06"), ("218 cases",)),
        (("--difference", "0.03", "--mean-sd", "0.3333"), ("969 cases",)),
        (
            ("--difference", "0.1", "--trial-sd", "0.5", "--trials", "5", "--icc", "0.2"),
            ("cases of 5 trials on each side",),
        ),
        (("--never", "0.01", "--confidence", "0.99"), ("459 trials",)),
    ],
)
def test_a_question_is_answered_for_both_populations(
    call: Call, arguments: tuple[str, ...], lines: tuple[str, ...]
) -> None:
    """With what it assumes; nothing is run and no store is needed."""
    result = call(command, *arguments)
    assert result.return_value == ExitCode.OK
    assert "for these cases: " in result.output
    assert "for cases like these: " in result.output
    assert "assumes: " in result.output
    for line in lines:
        assert line in result.output


def test_an_answer_as_json(call: Call) -> None:
    """The numbers apart from the sentences."""
    data = json.loads(call(command, "--never", "0.05", "--json").output)
    assert [(size["population"], size["n_trials"]) for size in data["sizes"]] == [
        ("these_cases", 59),
        ("cases_like_these", 59),
    ]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--never", "0.1", "--at-least", "0.9"), "--never and --at-least are several questions"),
        (("--at-least", "0.9"), "--at-least needs --expect-rate R"),
        (("--difference", "0.1"), "--difference needs --mean-sd"),
        (("--never", "0.1", "tests/evals"), "tests/evals names evals: ask one of the two"),
        (("--icc", "0.3"), "--icc says more about a question, and none is asked"),
        (("--see-drop", "0.9", "0.95"), "the rate before and a lower one after"),
    ],
)
def test_a_question_that_is_none_is_explained(
    call: Call, arguments: tuple[str, ...], complaint: str
) -> None:
    """What was asked, what is missing, and how it is asked."""
    with pytest.raises(EvalUsageError, match=complaint):
        call(command, *arguments)


def test_a_rate_in_per_cent_is_refused(call: Call) -> None:
    """5 is no share."""
    with pytest.raises(click.BadParameter, match="not in the range 0<x<1"):
        call(command, "--never", "5")
