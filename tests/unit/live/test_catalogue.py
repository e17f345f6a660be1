from __future__ import annotations

from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from tierwise.errors import CatalogueError
from tierwise.live import Catalogue


class Model(BaseModel):
    id: str
    price: float


@dataclass(frozen=True)
class Plain:
    id: str
    price: float


ROWS = [{"id": "b", "price": 0}, {"id": "a", "price": 3}, {"id": "c", "price": 0}]


@pytest.mark.parametrize("row_type", [Model, Plain, lambda row: Plain(row["id"], row["price"])])
def test_rows_are_typed(row_type: type[Model]) -> None:
    """A pydantic class, another class and a function each make the rows."""
    catalogue = Catalogue.read(ROWS, row_type)
    assert [row.price for row in catalogue] == [0, 3, 0]
    assert (len(catalogue), catalogue["a"].price, "c" in catalogue, "x" in catalogue) == (
        3,
        3,
        True,
        False,
    )


def test_rows_may_be_fetched() -> None:
    """A function that gets the rows is called when the catalogue is read."""
    assert Catalogue.read(lambda: ROWS, Model).keys == ("b", "a", "c")


def test_subjects_are_picked_in_the_order_of_their_keys() -> None:
    """A vendor who lists rows in another order does not change what is tested."""
    backwards = Catalogue.read(reversed(ROWS), Model)
    picked = Catalogue.read(ROWS, Model).pick(lambda row: row.price == 0)
    assert list(picked) == list(backwards.pick(lambda row: row.price == 0)) == ["b", "c"]
    assert picked["c"].id == "c"


def test_a_predicate_that_nothing_fits_picks_nothing() -> None:
    """It is for the walk to say so."""
    assert Catalogue.read(ROWS, Model).pick(lambda row: row.price > 9) == {}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"id": "x", "price": "dear"}, r"row 1 \(x\): 1 validation error"),
        ({"id": "x"}, r"row 1 \(x\):.*Field required"),
        ({"price": 1}, "row 1: its 'id' is None, expected a name"),
        ({"id": " ", "price": 1}, "its 'id' is ' ', expected a name"),
        ({"id": "ok", "price": 1}, r"row 1 \(ok\): its 'id' is there twice"),
        ("ok", "row 1: it is str, expected a mapping"),
    ],
)
def test_a_row_that_cannot_be_read_refuses_the_catalogue(row: object, told: str) -> None:
    """What is left over would not show what the vendor changed, so that none of it is used."""
    with pytest.raises(CatalogueError, match=told) as caught:
        Catalogue.read([{"id": "ok", "price": 1}, row], Model, name="zen")  # type: ignore[list-item]
    assert "zen: 1 of 2 rows cannot be read" in str(caught.value)


def test_a_function_that_misses_a_field_refuses_the_catalogue() -> None:
    """A row type of one's own says what it misses by a KeyError."""
    with pytest.raises(CatalogueError, match="it has no 'cost'"):
        Catalogue.read([{"id": "a"}], lambda row: row["cost"])


def test_a_catalogue_without_rows_is_refused() -> None:
    """Nothing read is not the same as a vendor who offers nothing."""
    with pytest.raises(CatalogueError, match="no rows were read"):
        Catalogue.read([], Model)


def test_many_unreadable_rows_are_counted_and_five_are_shown() -> None:
    """A vendor who changed every row does not fill the terminal."""
    rows = [{"id": str(number)} for number in range(9)]
    with pytest.raises(CatalogueError, match="9 of 9 rows") as caught:
        Catalogue.read(rows, Model)
    assert str(caught.value).count("Field required") == 5
    assert "and 4 more" in str(caught.value)


def test_the_key_may_have_another_name() -> None:
    """Not every vendor calls it id."""
    rows = [{"name": "a", "id": "same", "price": 1}, {"name": "b", "id": "same", "price": 1}]
    assert Catalogue.read(rows, Model, key="name").keys == ("a", "b")


@pytest.mark.parametrize("price", [None, "cheap", [1.0]])
def test_a_field_of_another_type_is_refused_by_a_dataclass_too(price: object) -> None:
    """Else a price that the vendor no longer tells picks nothing, and that looks like his move."""

    @dataclass(frozen=True)
    class Priced:
        id: str
        price: float

    rows = [{"id": "a", "price": 0.0}, {"id": "b", "price": price}]
    with pytest.raises(CatalogueError, match=r"row 1 \(b\)"):
        Catalogue.read(rows, Priced)
