from __future__ import annotations

import pytest

from tierwise.errors import ExitCode
from tierwise.pytest_plugin.eval_exit import Endings, decide_exit


def endings(*states: str | None) -> Endings:
    found = Endings()
    for state in states:
        found.count(state)
    return found


@pytest.mark.parametrize(
    ("states", "code"),
    [
        (("undecided",), ExitCode.UNDECIDED),
        (("nothing",), ExitCode.NOTHING_OBSERVED),
        (("undecided", "nothing"), ExitCode.NOTHING_OBSERVED),
        (("undecided", "nothing", "budget"), ExitCode.STOPPED_BY_BUDGET),
        (("misuse", "undecided", "nothing", "budget"), ExitCode.USAGE),
        (("budget", "refuted"), ExitCode.FAILED),
        (("refuted",), ExitCode.FAILED),
        (("dry",), ExitCode.FAILED),
        ((None,), ExitCode.FAILED),
        (("undecided", "misuse", None), ExitCode.FAILED),
        ((), ExitCode.FAILED),
    ],
)
def test_the_worst_ending_decides(states: tuple[str | None, ...], code: ExitCode) -> None:
    """Failed, then misuse, then a budget, then nothing observed, then undecided."""
    assert decide_exit(ExitCode.FAILED, endings(*states)) == code


@pytest.mark.parametrize("code", [0, 2, 3, 4, 5, 42])
def test_other_exit_codes_stay(code: int) -> None:
    """An interrupted run is interrupted, whatever was undecided before."""
    assert decide_exit(code, endings("undecided")) == code
