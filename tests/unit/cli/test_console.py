from __future__ import annotations

import pytest

from tierwise.cli.console import choose_width


@pytest.mark.parametrize(
    ("found", "is_terminal", "columns", "width"),
    [
        (80, True, "200", 80),
        (80, False, "", 140),
        (200, False, "", 200),
        (80, False, "100", 100),
        (80, False, "0", 140),
        (80, False, "wide", 140),
    ],
)
def test_a_pipe_is_wide_enough_for_a_table(
    found: int,
    is_terminal: bool,  # noqa: FBT001  a parameter of cases
    columns: str,
    width: int,
) -> None:
    """A terminal keeps its width; a pipe has what COLUMNS says, or at least 140."""
    assert choose_width(found, is_terminal=is_terminal, columns=columns) == width
