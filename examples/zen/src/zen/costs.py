"""What a turn costs, by the row of the plane that it was bought on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zen.catalogue import Row
    from zen.protocols import Usage

_MILLION = 1_000_000


def cost_of_turn(row: Row, usage: Usage) -> float:
    """Return USD for the tokens of one turn."""
    read = usage.input_tokens * row.input_price
    written = usage.output_tokens * row.output_price
    return (read + written) / _MILLION
