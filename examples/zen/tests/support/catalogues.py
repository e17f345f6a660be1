"""Rows and payloads that the vendor has not produced, for what real ones cannot show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zen import Plane, Row, read_row

from tierwise.live import divergent

if TYPE_CHECKING:
    from collections.abc import Mapping

FREE = {"input": 0, "output": 0}


def diverging_rows(name: str, **costs: Mapping[str, float]) -> dict[Plane, Row]:
    """Return one model on both planes at different prices, read by the real parser."""

    def build(**fields: Any) -> Row:  # noqa: ANN401  a payload's own values
        return read_row({"id": name, "protocol": "chat", **fields})

    sides = {plane: {"plane": plane, "cost": cost} for plane, cost in costs.items()}
    rows = divergent(build, {}, differ=("plane", "is_free"), **sides)
    return {Plane(plane): row for plane, row in rows.items()}
