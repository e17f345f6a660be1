"""Which implementation a parameter of a clause is."""

from __future__ import annotations

from tierwise.contracts import Implementation
from tierwise.pytest_plugin.contract_items import Suite, choose_side


def suite(*names: str, values: tuple[object, ...]) -> Suite:
    return Suite(
        contract="c",
        declared_by="d",
        clause="test_it",
        clauses=("test_it",),
        argument="implementation",
        sides=tuple(Implementation(name, list) for name in names),
        values=values,
    )


def test_a_side_is_known_by_its_value() -> None:
    """Whatever else the clause is parametrized with."""
    found = suite("a", "b", values=([], {}))
    for side, value in zip(found.sides, found.values, strict=True):
        assert choose_side(found, value, "x-2") is side


def test_equal_values_are_told_apart_by_the_id() -> None:
    """Two names for one thing; the longer name wins where one is part of the other."""
    found = suite("a", "a-b", values=(1, 1))
    assert choose_side(found, 1, "a") is found.sides[0]
    assert choose_side(found, 1, "2-a") is found.sides[0]
    assert choose_side(found, 1, "a-b-2") is found.sides[1]
    assert choose_side(found, 1, "c") is None
