"""What was asked for and not judged is not proven."""

from __future__ import annotations

import pytest

from tierwise.errors import ExitCode
from tierwise.pytest_plugin.eval_exit import settle_exit


@pytest.mark.parametrize(
    ("selected", "judged", "expected"),
    [
        (2, 2, ExitCode.OK),
        (2, 1, ExitCode.UNDECIDED),
        (2, 0, ExitCode.NOTHING_OBSERVED),
        (0, 0, ExitCode.OK),
    ],
)
def test_a_run_is_proven_only_when_all_were_judged(
    selected: int, judged: int, expected: int
) -> None:
    """A skip or an early end of the session is never a pass of what it left out."""
    assert settle_exit(ExitCode.OK, n_selected=selected, n_judged=judged) == expected


def test_any_other_exit_code_stands() -> None:
    """What pytest or a verdict says is not refined."""
    assert settle_exit(ExitCode.FAILED, n_selected=2, n_judged=0) == ExitCode.FAILED
