from __future__ import annotations

from typing import ClassVar

import pytest

from tierwise.contracts import Contract, list_clauses, require, run_contract, unobservable
from tierwise.domain import Outcome, Verdict
from tierwise.errors import MisuseError


class Shelf(Contract):
    implementations: ClassVar = {"list": [], "tuple": ()}

    def test_it_is_empty(self, implementation: object) -> None:
        """New shelves are empty."""
        require(not implementation, "it is not empty")

    def test_it_grows(self, implementation: object) -> None:
        """Shelves take a book, where they can be tried."""
        if isinstance(implementation, tuple):
            unobservable("tuples can't grow")
        require(hasattr(implementation, "append"), "it has no append")


class Longer(Shelf):
    def test_it_shrinks(self, implementation: object) -> None:
        """Shelves give a book."""
        require(hasattr(implementation, "pop"), "no pop")


def test_clauses_are_listed_in_the_order_written() -> None:
    """A derived contract has the clauses of its base first, then its own."""
    assert list_clauses(Longer) == ("test_it_is_empty", "test_it_grows", "test_it_shrinks")


def test_the_matrix_has_every_cell() -> None:
    """Each clause is tried on each implementation, and each cell has an outcome."""
    report = run_contract(Longer)
    assert len(report.results) == 6
    assert report.outcome_of("test_it_grows", "list") is Outcome.PASSED
    assert report.outcome_of("test_it_grows", "tuple") is Outcome.UNOBSERVABLE
    assert report.outcome_of("test_it_shrinks", "tuple") is Outcome.FAILED
    assert report.outcome_of("test_it_shrinks", "deque") is Outcome.NOT_RUN


def test_verdicts_of_implementations() -> None:
    """A broken clause refutes; kept ones prove; none kept, or an error, leaves it undecided."""
    report = run_contract(Longer)
    assert report.verdict_of("list") is Verdict.PROVEN
    assert report.verdict_of("tuple") is Verdict.REFUTED
    assert report.verdict_of("deque") is Verdict.UNDECIDED


def test_an_exception_is_an_error_and_never_a_pass() -> None:
    """A clause that blows up says nothing about the implementation, and is shown."""

    class Buggy(Contract):
        def test_it(self, implementation: object) -> None:
            raise KeyError(implementation)

        def test_that(self, implementation: object) -> None:
            pass

    report = run_contract(Buggy, {"any": 1})
    (result,) = report.select(Outcome.ERROR)
    assert result.message == "KeyError: 1"
    assert report.verdict_of("any") is Verdict.UNDECIDED


def test_nothing_to_run_is_misuse() -> None:
    """A contract without implementations or without clauses is refused, not passed."""

    class Blank(Contract):
        pass

    with pytest.raises(MisuseError, match="no implementations"):
        run_contract(Shelf, {})
    with pytest.raises(MisuseError, match="no clauses"):
        run_contract(Blank, {"any": 1})


def test_the_text_shows_the_matrix_and_the_reasons() -> None:
    """The rendered matrix has a line for each clause and says why a cell is not kept."""
    assert run_contract(Longer).render().splitlines() == [
        "Longer       list     tuple",
        "it is empty  kept     kept",
        "it grows     kept     -",
        "it shrinks   kept     BROKEN",
        "- tuple, it grows: tuples can't grow",
        "BROKEN tuple, it shrinks: no pop",
    ]
