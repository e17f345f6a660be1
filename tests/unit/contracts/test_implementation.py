"""What a contract is run on: made afresh, cleaned up, refused where it makes no sense."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from tierwise.contracts import Contract, Implementation, list_clauses, require, run_contract
from tierwise.contracts.contract import name_contract
from tierwise.domain import Outcome
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


class Shelf(Contract):
    async def test_it_waits(self, implementation: list[str]) -> None:
        """A clause may wait."""
        await asyncio.sleep(0)
        require(not implementation, "it is not empty")
        implementation.append("x")

    async def test_it_waits_too(self, implementation: list[str]) -> None:
        """It is fresh each time."""
        require(not implementation, "it is not empty")
        implementation.append("x")


class Plain(Contract):
    def test_it_is_empty(self, implementation: list[str]) -> None:
        """Nothing is in it."""
        require(not implementation, "it is not empty")


def outcomes(contract: type[Contract], *given: Implementation) -> list[Outcome]:
    return [result.outcome for result in run_contract(contract, given).results]


def test_each_clause_gets_one_of_its_own() -> None:
    """What one clause did to it, the next one does not see; coroutines run without a plugin."""
    assert outcomes(Shelf, Implementation("list", list)) == [Outcome.PASSED, Outcome.PASSED]


def test_what_a_generator_makes_is_cleaned_up_after_a_broken_clause_too() -> None:
    """The part behind its `yield` runs however the clause ended."""
    said: list[str] = []

    def make() -> Iterator[list[str]]:
        yield ["full"]
        said.append("cleaned")

    async def make_in_loop() -> AsyncIterator[list[str]]:
        asyncio.get_running_loop()
        yield ["full"]
        said.append("cleaned in loop")

    assert outcomes(Plain, Implementation("made", make)) == [Outcome.FAILED]
    assert said == ["cleaned"]
    two = outcomes(Shelf, Implementation("made", make_in_loop))
    assert two == [Outcome.FAILED, Outcome.FAILED]
    assert said[1:] == ["cleaned in loop"] * 2


def test_a_coroutine_makes_it_in_the_loop_of_its_clause() -> None:
    """What belongs to a loop belongs to the one that the clause runs in."""
    loops: list[Any] = []

    async def make() -> list[str]:
        loops.append(asyncio.get_running_loop())
        return []

    class Same(Contract):
        async def test_it(self, implementation: list[str]) -> None:
            require(asyncio.get_running_loop() is loops[-1], "another loop")

    assert outcomes(Same, Implementation("made", make)) == [Outcome.PASSED]
    with pytest.raises(MisuseError, match="async def test_it_is_empty"):
        run_contract(Plain, [Implementation("made", make)])


def test_what_it_needs_is_asked_for_first() -> None:
    """A real side whose key is missing is unobservable, and is not made."""

    class Key:
        def why_missing(self) -> str | None:
            return "KEY is not set"

    def make() -> list[str]:
        raise AssertionError("it was made")

    given = [
        Implementation("by function", make, real=True, needs=lambda: "it rains"),
        Implementation("by key", make, real=True, needs=Key()),
        Implementation("there", list, real=True, needs=lambda: None),
    ]
    found = {r.implementation: (r.outcome, r.message) for r in run_contract(Plain, given).results}
    assert found == {
        "by function": (Outcome.UNOBSERVABLE, "it rains"),
        "by key": (Outcome.UNOBSERVABLE, "KEY is not set"),
        "there": (Outcome.PASSED, ""),
    }


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ([list], r"holds <class 'list'>, expected Implementation"),
        ([Implementation("a", list), Implementation("a", list)], "'a' is used twice"),
        ([Implementation(" ", list)], "' ' is no name"),
        ({"a": Implementation("a", list)}, "Put it into a list"),
        ([Implementation("a", lambda tmp_path: tmp_path)], "takes tmp_path, which only pytest"),
        ([], "no implementations"),
    ],
)
def test_what_makes_no_sense_is_refused(given: Any, complaint: str) -> None:
    """Each mistake is named, with what was expected."""
    with pytest.raises(MisuseError, match=complaint):
        run_contract(Plain, given)


def test_a_maker_that_yields_twice_is_refused() -> None:
    """One thing for one clause."""

    def make() -> Iterator[list[str]]:
        yield []
        yield []

    with pytest.raises(MisuseError, match="yields twice"):
        run_contract(Plain, [Implementation("twice", make)])


def test_a_contract_is_named_by_who_wrote_its_clauses() -> None:
    """Doubles here and the real thing there belong to one contract; more clauses are another."""

    class TestDoubles(Plain):
        implementations: ClassVar = {"list": []}

    class Longer(Plain):
        def test_more(self, implementation: list[str]) -> None:
            """One more."""

    assert name_contract(TestDoubles) == name_contract(Plain) == f"{__name__}.Plain"
    assert name_contract(Longer).endswith(".Longer")
    assert list_clauses(Longer) == ("test_it_is_empty", "test_more")
