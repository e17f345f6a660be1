"""Contracts, parity, interactions and Pact files as users write them: type-checked, never run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, assert_type

from tierwise import contracts
from tierwise.config import Config, ContractsConfig
from tierwise.contracts import (
    Contract,
    Difference,
    Implementation,
    InteractionReport,
    Matcher,
    Rule,
    ScenarioResult,
    parity,
    record_interactions,
    verify_interactions,
)
from tierwise.contracts.pact import (
    Pact,
    PactDouble,
    PactInteraction,
    PactRequest,
    PactResponse,
    ask_at,
    read_pact,
    verify_pact,
    write_pact,
)
from tierwise.domain import Outcome, Verdict
from tierwise.records import ClauseKey, DeclaredContract, DeclaredSide, KeptClause, RunStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

FILE = Path("interactions.json")


class Shelf:
    """A seam of the user's own."""

    def take(self) -> str:
        """Give a book."""
        return "book"


def shelf_on_disk(tmp_path: Path) -> Iterator[Shelf]:
    assert tmp_path.exists()
    yield Shelf()


async def shelf_far_away() -> AsyncIterator[Shelf]:
    yield Shelf()


def why_not() -> str | None:
    return None


class TestShelf(Contract):
    implementations: ClassVar[Sequence[Implementation]] = [
        Implementation("memory", Shelf, double_of="disk"),
        Implementation("disk", shelf_on_disk, real=True, needs=why_not, tier="live"),
        Implementation("far", shelf_far_away, real=True),
    ]

    async def test_it_gives(self, implementation: Shelf) -> None:
        """It gives something."""
        contracts.require(implementation.take(), "nothing came")


@parity(fake=Shelf, real=shelf_on_disk, needs=why_not, tier="live", name="shelves")
def test_both_give(backend: Shelf) -> None:
    assert_type(backend.take(), str)


def consume() -> None:
    by_type: Matcher = contracts.same_type()
    match = {
        "take": {"$": by_type, "$.id": contracts.matching(r"\d+"), "$.x": contracts.anything()}
    }
    with record_interactions(
        Shelf(), FILE, "it takes", given="a book is there", match=match, secrets={"key": "k"}
    ) as shelf:
        assert_type(shelf, Shelf)
    report = verify_interactions(FILE, Shelf, given={"a book is there": print}, secrets={})
    assert_type(report, InteractionReport)
    assert_type(report.verdict, Verdict)
    assert_type(report.render(), str)
    assert_type(report.results, tuple[ScenarioResult, ...])
    assert_type(report.results[0].outcome, Outcome)
    assert_type(report.results[0].differences, tuple[Difference, ...])


def agree() -> None:
    rules = {"body": {"$.id": Rule(matchers=(contracts.same_type(),))}}
    one = PactInteraction(
        description="a book is looked up",
        given={"book 7 is there": {"title": "Emma"}},
        request=PactRequest(path="/books/7", query={"lang": ("en",)}),
        response=PactResponse(body={"id": 7}, rules=rules),
    )
    write_pact(FILE, Pact(consumer="a", provider="b", interactions=(one,)), secrets={"key": "k"})
    pact = read_pact(FILE)
    assert_type(pact, Pact)
    double = PactDouble(pact)
    assert_type(double.answer(PactRequest()), PactResponse)
    assert_type(double.finish(), tuple[str, ...])
    report = verify_pact(pact, ask_at("http://127.0.0.1:8000"), given={"book 7 is there": print})
    assert_type(report, InteractionReport)


def remember(config: Config, store: RunStore) -> Any:
    assert_type(config.contracts, ContractsConfig)
    assert_type(config.contracts.max_age_days, int)
    side = DeclaredSide(name="disk", is_real=True)
    declared = DeclaredContract(
        contract="Shelf", declared_by="test_it.py", clauses=("test_it",), implementations=(side,)
    )
    store.add_contracts("run", [declared])
    assert_type(store.declared_contracts(), tuple[DeclaredContract, ...])
    kept = store.kept_clauses()
    assert_type(kept, tuple[KeptClause, ...])
    assert_type(kept[0].key, ClauseKey)
    return kept
