"""Which tests are clauses of which contract, and on what each of them is tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.contracts import Contract, Implementation, list_clauses
from tierwise.contracts.contract import name_contract
from tierwise.contracts.implementation import list_implementations
from tierwise.contracts.parity_suite import parity_of
from tierwise.errors import MisuseError
from tierwise.pytest_plugin.contract_facts import remember

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.pytest_plugin.facts import ClauseFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """What one test function is a clause of."""

    contract: str
    declared_by: str
    clause: str
    clauses: tuple[str, ...]
    """All clauses of the contract; of a parity suite, those that are known by this test."""
    argument: str
    sides: tuple[Implementation, ...]
    values: tuple[Any, ...]
    """What the argument is given, by side: an `Implementation` is made when its turn comes."""


def give_sides(metafunc: pytest.Metafunc) -> None:
    """Run the test once for each implementation, if it is a clause."""
    parent = metafunc.definition.parent
    place = parent.nodeid if parent is not None else ""
    try:
        suite = find_suite(metafunc.function, metafunc.cls, place)
        if suite is None:
            return
        _check(suite, metafunc)
    except MisuseError as error:
        raise pytest.UsageError(str(error)) from None
    remember(metafunc.config, suite)
    metafunc.parametrize(
        suite.argument,
        [
            pytest.param(value, id=side.name, marks=[pytest.mark.tier(side.tier)])
            if side.tier
            else pytest.param(value, id=side.name)
            for side, value in zip(suite.sides, suite.values, strict=True)
        ],
    )


def find_suite(function: Callable[..., Any], cls: type | None, place: str) -> Suite | None:
    """Return what a test function is a clause of; None for any other test."""
    marked = parity_of(function) or parity_of(cls)
    if marked is not None:
        clause = function.__name__ if cls is None else f"{cls.__name__}.{function.__name__}"
        return Suite(
            contract=marked.name,
            declared_by=place.partition("::")[0],
            clause=clause,
            clauses=(clause,),
            argument="backend",
            sides=marked.sides,
            values=marked.sides,
        )
    if not (isinstance(cls, type) and issubclass(cls, Contract)):
        return None
    given = cls.implementations
    sides = list_implementations(given, cls.__name__)
    return Suite(
        contract=name_contract(cls),
        declared_by=place,
        clause=function.__name__,
        clauses=list_clauses(cls),
        argument="implementation",
        sides=sides,
        values=tuple(given.values()) if isinstance(given, Mapping) else sides,
    )


def find_side(item: pytest.Item) -> tuple[Suite, Implementation] | None:
    """Return the clause that an item tries, and on what; None for any other test."""
    callspec = getattr(item, "callspec", None)
    if callspec is None or not isinstance(item, pytest.Function) or item.parent is None:
        return None
    suite = find_suite(item.function, item.cls, item.parent.nodeid)
    if suite is None or suite.argument not in callspec.params:
        return None
    side = choose_side(suite, callspec.params[suite.argument], callspec.id)
    return None if side is None else (suite, side)


def choose_side(suite: Suite, value: object, param_id: str) -> Implementation | None:
    """Return the side that a parameter is; its id decides where several are one and the same."""
    both = zip(suite.sides, suite.values, strict=True)
    same = [side for side, given in both if given is value]
    if len(same) == 1:
        return same[0]
    named = [side for side in same or suite.sides if f"-{side.name}-" in f"-{param_id}-"]
    return max(named, key=lambda side: len(side.name), default=None)


def facts_of_clause(suite: Suite, side: Implementation) -> ClauseFacts:
    """Return what travels with the report of a clause."""
    return {
        "contract": suite.contract,
        "declared_by": suite.declared_by,
        "clause": suite.clause,
        "implementation": side.name,
    }


def _check(suite: Suite, metafunc: pytest.Metafunc) -> None:
    if not suite.sides:
        raise MisuseError(
            f"{suite.contract} is a contract without implementations: nothing would be "
            "checked. Name them in the class: implementations = {'mine': ...}."
        )
    if suite.argument not in metafunc.fixturenames:
        raise MisuseError(
            f"{suite.declared_by}: {suite.clause} takes no argument `{suite.argument}`, so it "
            f"checks nothing on {', '.join(side.name for side in suite.sides)}. Add the "
            "argument, or move the test out."
        )
