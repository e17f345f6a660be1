from __future__ import annotations

import pytest
from zen import Plane, load_catalogue, read_payload, read_row

from tierwise.live import assert_divergent

CATALOGUE = load_catalogue()
ON_BOTH = sorted(
    row.id
    for row in CATALOGUE.rows
    if row.plane is Plane.GO
    and any(o.id == row.id and o.plane is Plane.ZEN for o in CATALOGUE.rows)
)
PAID_ON_BOTH = [name for name in ON_BOTH if not CATALOGUE.find(Plane.GO, name).is_free]


def test_a_model_without_a_price_is_paid() -> None:
    """What is not known to be free is not free: else each row of a test would be."""
    row = read_row({"id": "x", "plane": "go", "protocol": "chat"})
    assert not row.is_free
    half = read_row({"id": "x", "plane": "go", "protocol": "chat", "cost": {"input": 0}})
    assert not half.is_free


def test_a_model_is_free_by_its_price_alone() -> None:
    """The flag is derived, so that it cannot disagree with the price."""
    cost = {"input": 0, "output": 0}
    assert read_row({"id": "x", "plane": "zen", "protocol": "chat", "cost": cost}).is_free


@pytest.mark.parametrize("name", PAID_ON_BOTH)
def test_the_planes_disagree_on_prices_and_agree_on_what_is_free(name: str) -> None:
    """With the real catalogue a wrong plane shows in the price and never in the free flag.

    That is why other rows are built for the flag; the day the vendor changes it, this says so.
    """
    assert_divergent(
        CATALOGUE.find(Plane.GO, name),
        CATALOGUE.find(Plane.ZEN, name),
        ["input_price", "output_price"],
        agree=["is_free", "protocol"],
        names=(f"go/{name}", f"zen/{name}"),
    )


def test_there_are_models_on_both_planes() -> None:
    """The test above is about something."""
    assert len(PAID_ON_BOTH) >= 3


def test_a_model_is_found_on_its_own_plane_alone() -> None:
    """A model of one plane is not silently taken from the other."""
    assert CATALOGUE.find(Plane.ZEN, "elm-pro").plane is Plane.ZEN
    with pytest.raises(KeyError, match="go/elm-pro is not in the catalogue"):
        CATALOGUE.find(Plane.GO, "elm-pro")


def test_a_payload_is_read_plane_by_plane() -> None:
    """One model twice is two rows."""
    model = {"protocol": "messages", "cost": {"input": 1, "output": 2}}
    catalogue = read_payload({"go": {"m": model}, "zen": {"m": model}})
    assert [row.key for row in catalogue.rows] == ["go/m", "zen/m"]
