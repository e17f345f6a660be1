"""What the vendor offers: one row for each model of each plane."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import TYPE_CHECKING, Any

from zen.protocols import Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

NOMINAL = 1.0
"""USD for a million tokens where no price is told: what is not known to be free is not free."""


class Plane(StrEnum):
    """Where a model is bought: under a flat plan, or by the token."""

    GO = "go"
    ZEN = "zen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One model on one plane; prices in USD for a million tokens."""

    id: str
    plane: Plane
    protocol: Protocol
    input_price: float = NOMINAL
    output_price: float = NOMINAL

    @property
    def is_free(self) -> bool:
        """True where neither reading nor writing costs anything."""
        return self.input_price == 0 and self.output_price == 0

    @property
    def key(self) -> str:
        """The one name of the row: a model may be on both planes."""
        return f"{self.plane}/{self.id}"


class Catalogue:
    """All rows; a model is looked up on the plane that it is bought on, and on no other."""

    def __init__(self, rows: Mapping[tuple[Plane, str], Row]) -> None:
        self._rows = dict(rows)

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, plane by plane."""
        return tuple(self._rows.values())

    def find(self, plane: Plane, model: str) -> Row:
        """Return the row of a model on a plane; KeyError names both."""
        try:
            return self._rows[plane, model]
        except KeyError:
            raise KeyError(f"{plane}/{model} is not in the catalogue") from None


def read_row(row: Mapping[str, Any]) -> Row:
    """Return one row as the vendor's payload writes it, with its plane and id."""
    cost = row.get("cost", {})
    return Row(
        id=str(row["id"]),
        plane=Plane(row["plane"]),
        protocol=Protocol(row["protocol"]),
        input_price=float(cost.get("input", NOMINAL)),
        output_price=float(cost.get("output", NOMINAL)),
    )


def flatten_payload(payload: Mapping[str, Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the rows of a payload, each with its plane, its id and its own name."""
    return tuple(
        {**model, "plane": plane, "id": name, "key": f"{plane}/{name}"}
        for plane, models in payload.items()
        for name, model in models.items()
    )


def read_payload(payload: Mapping[str, Mapping[str, Any]]) -> Catalogue:
    """Return the catalogue that a payload of the vendor's makes."""
    rows = map(read_row, flatten_payload(payload))
    return Catalogue({(row.plane, row.id): row for row in rows})


def load_payload() -> dict[str, dict[str, Any]]:
    """Return the payload that was current when this version was made."""
    text = (resources.files("zen") / "data" / "catalogue.json").read_text(encoding="utf-8")
    payload: dict[str, dict[str, Any]] = json.loads(text)
    return payload


def load_catalogue() -> Catalogue:
    """Return the catalogue that was current when this version was made."""
    return read_payload(load_payload())
