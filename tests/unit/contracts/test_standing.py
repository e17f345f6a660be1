"""Who is verified, who is not, and why."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from tierwise.contracts.cells import Side, fill_sides
from tierwise.contracts.standing import Standing, State, Terms, exit_code_of, judge_contract
from tierwise.domain import Outcome
from tierwise.errors import ExitCode
from tierwise.records import ClauseKey, DeclaredContract, DeclaredSide, KeptClause

TERMS = Terms(now=datetime(2026, 6, 30, tzinfo=UTC), max_age_days=30, code_hash="now")
PLACE = "tests/test_shelf.py::TestShelf"


def kept(implementation: str, clause: str, outcome: str = "passed", **more: Any) -> KeptClause:
    day = more.pop("day", 29)
    values = {
        "nodeid": f"{PLACE}::{clause}[{implementation}]",
        "reason": "",
        "run_id": f"run of {day}",
        "started_at": f"2026-06-{day:02}T10:00:00+00:00",
        "commit": f"commit of {day}",
        "code_hash": "now",
    }
    key = ClauseKey(
        contract="Shelf", declared_by=PLACE, clause=clause, implementation=implementation
    )
    return KeptClause(key=key, outcome=Outcome(outcome), **(values | more))


def declare(*sides: DeclaredSide, clauses: tuple[str, ...] = ("test_a", "test_b")) -> Any:
    return DeclaredContract(
        contract="Shelf", declared_by=PLACE, clauses=clauses, implementations=sides
    )


FAKE = DeclaredSide(name="fake")
REAL = DeclaredSide(name="real", is_real=True)


def judge(
    *rows: KeptClause, sides: tuple[DeclaredSide, ...] = (FAKE, REAL)
) -> dict[str, Standing]:
    found = fill_sides([declare(*sides)], rows)["Shelf"]
    return {standing.side.name: standing for standing in judge_contract(found, TERMS)}


FAKE_KEPT = (kept("fake", "test_a"), kept("fake", "test_b"))
REAL_KEPT = (kept("real", "test_a", day=10), kept("real", "test_b", day=10))


def test_a_double_is_verified_by_the_real_side() -> None:
    """All clauses kept on both: the double is verified, and says by whom and on how many."""
    found = judge(*FAKE_KEPT, *REAL_KEPT)
    assert found["fake"].state is State.VERIFIED
    assert found["fake"].reason == "by real: 2 of 2 kept clauses"
    assert found["fake"].n_proven == 2
    assert found["real"].state is State.VERIFIED
    assert found["real"].proven_at == "2026-06-10T10:00:00+00:00"
    assert found["real"].commit == "commit of 10"
    assert exit_code_of(found.values()) is ExitCode.OK


def test_a_real_side_that_never_ran_is_said() -> None:
    """The double kept everything, and is unverified all the same."""
    found = judge(*FAKE_KEPT)
    assert found["real"].reason == "the real side never ran"
    assert found["fake"].state is State.UNVERIFIED
    assert found["fake"].reason == "the real side is unproven: real: the real side never ran"
    assert exit_code_of(found.values()) is ExitCode.NOTHING_OBSERVED


def test_no_real_side_at_all_is_said() -> None:
    """A contract of doubles alone proves that they agree with each other, and nothing more."""
    found = judge(*FAKE_KEPT, sides=(FAKE,))
    assert found["fake"].state is State.UNVERIFIED
    assert found["fake"].reason == "no real side is among the implementations"
    assert found["fake"].code is ExitCode.NOTHING_OBSERVED


def test_a_double_of_one_real_side_is_not_verified_by_another() -> None:
    """What stands for one vendor is measured by that vendor."""
    double = DeclaredSide(name="fake", double_of="other")
    found = judge(*FAKE_KEPT, *REAL_KEPT, sides=(double, REAL))
    assert found["fake"].reason == "no real side 'other' is among the implementations"
    other = DeclaredSide(name="other", is_real=True)
    found = judge(*FAKE_KEPT, *REAL_KEPT, sides=(double, REAL, other))
    assert found["fake"].reason == "the real side is unproven: other: the real side never ran"


def test_a_proof_grows_old() -> None:
    """The oldest clause counts: beyond the limit, real side and double are stale."""
    found = judge(*FAKE_KEPT, kept("real", "test_a", day=29), kept("real", "test_b"))
    assert found["fake"].state is State.VERIFIED
    old = kept("real", "test_b", started_at="2026-05-30T10:00:00+00:00")
    found = judge(*FAKE_KEPT, kept("real", "test_a", day=29), old)
    assert found["real"].reason == "its proof of 2026-05-30 is 30 days old, older than 30"
    assert found["fake"].code is found["real"].code is ExitCode.STALE
    assert exit_code_of(found.values()) is ExitCode.STALE


def test_a_double_is_stale_when_the_code_has_changed_and_the_real_side_is_not() -> None:
    """Doubles cost nothing to run again; a real side stands until its proof is too old."""
    rows = [kept("real", name, code_hash="then") for name in ("test_a", "test_b")]
    found = judge(*FAKE_KEPT, *rows)
    assert found["fake"].state is State.VERIFIED
    found = judge(kept("fake", "test_a", code_hash="then"), kept("fake", "test_b"), *rows)
    assert found["fake"].reason == "the code has changed since it was tried: run `pytest`"
    assert found["fake"].code is ExitCode.STALE


def test_a_broken_clause_is_named() -> None:
    """Broken comes before all else, for the double and for what it is measured by."""
    broken = kept("real", "test_b", "failed", reason="it forgot")
    found = judge(*FAKE_KEPT, kept("real", "test_a"), broken)
    assert found["real"].state is State.BROKEN
    assert found["real"].reason == "it breaks 'b' (it forgot)"
    assert found["fake"].state is State.UNVERIFIED
    assert found["fake"].code is ExitCode.FAILED
    assert exit_code_of(found.values()) is ExitCode.FAILED


def test_an_error_is_no_proof() -> None:
    """A clause that blew up says nothing about the implementation."""
    found = judge(kept("fake", "test_a"), kept("fake", "test_b", "error"), *REAL_KEPT)
    assert found["fake"].state is State.UNVERIFIED
    assert found["fake"].reason == "could not be told of 'b'"
    assert found["fake"].code is ExitCode.FAILED


def test_a_clause_that_never_ran_is_named() -> None:
    """Half a suite proves no implementation."""
    found = judge(kept("fake", "test_a"), *REAL_KEPT)
    assert found["fake"].reason == "not run: 'b' (it never ran)"
    assert found["fake"].code is ExitCode.NOTHING_OBSERVED


def test_unobservable_is_neither_kept_nor_broken() -> None:
    """A real side without its key is unobservable; some clauses may be so on a proven one."""
    rows = [kept("real", n, "unobservable", reason="KEY is not set") for n in ("test_a", "test_b")]
    found = judge(*FAKE_KEPT, *rows)
    assert found["real"].reason == "unobservable: KEY is not set"
    assert found["real"].code is ExitCode.NOTHING_OBSERVED
    found = judge(*FAKE_KEPT, kept("real", "test_a"), rows[1])
    assert found["real"].reason == "unobservable: 'b'"
    assert found["fake"].reason == ("by real: 1 of 2 kept clauses; never proven there: 'b'")


def test_a_double_with_nothing_in_common_with_the_real_side_is_unverified() -> None:
    """The real side kept what the double can't do, and the other way round."""
    found = judge(
        kept("fake", "test_a"),
        kept("fake", "test_b", "unobservable"),
        kept("real", "test_a", "unobservable"),
        kept("real", "test_b"),
    )
    assert found["fake"].reason == "no clause that it keeps was proven on real"
    assert found["fake"].state is State.UNVERIFIED


@pytest.mark.parametrize(("name", "expected"), [("real", "passed"), ("fake", "unobservable")])
def test_what_was_seen_of_the_real_side_stands(name: str, expected: str) -> None:
    """A later run without the key does not take the proof away; a double's last run counts."""
    rows = [kept(name, "test_a", day=10), kept(name, "test_a", "unobservable", day=20)]
    sides = fill_sides([declare(FAKE, REAL, clauses=("test_a",))], rows)["Shelf"]
    (side,) = (side for side in sides if side.name == name)
    assert side.cells[0].outcome == expected


def test_the_worst_of_several_tests_of_a_clause_counts_in_its_last_run() -> None:
    """A clause that is parametrized is kept when all of its tests are; older runs are over."""
    rows = [
        kept("fake", "test_a", "failed", nodeid="1", day=1),
        kept("fake", "test_a", nodeid="2", day=20),
        kept("fake", "test_a", "failed", nodeid="3", day=20, reason="of 3"),
    ]
    assert cell(rows).outcome is Outcome.FAILED
    assert cell(rows).reason == "of 3"
    assert cell(rows[:2]).outcome is Outcome.PASSED


def cell(rows: list[KeptClause]) -> Any:
    (side,) = fill_sides([declare(FAKE, clauses=("test_a",))], rows)["Shelf"]
    return side.cells[0]


def test_places_of_one_contract_are_put_together() -> None:
    """Doubles here and the real thing elsewhere are sides of one contract."""
    here = declare(FAKE)
    there = DeclaredContract(
        contract="Shelf", declared_by="other", clauses=("test_a",), implementations=(REAL,)
    )
    sides: tuple[Side, ...] = fill_sides([here, there], FAKE_KEPT)["Shelf"]
    assert [side.name for side in sides] == ["fake", "real"]
    assert sides[1].cells[0].outcome is Outcome.NOT_RUN


def test_nothing_recorded_is_nothing_observed() -> None:
    """A check of nothing does not pass."""
    assert exit_code_of([]) is ExitCode.NOTHING_OBSERVED


def test_one_side_of_two_places_is_one() -> None:
    """A fake that two modules try is verified when it kept all that both ask: the worse counts."""
    elsewhere = DeclaredContract(
        contract="Shelf",
        declared_by="other",
        clauses=("test_a", "test_c"),
        implementations=(FAKE,),
    )
    bad = kept("fake", "test_a", "failed")
    key = ClauseKey(contract="Shelf", declared_by="other", clause="test_a", implementation="fake")
    rows = [*FAKE_KEPT, replace(bad, key=key)]
    for places in ([declare(FAKE), elsewhere], [elsewhere, declare(FAKE)]):
        (side,) = fill_sides(places, rows)["Shelf"]
        assert {cell.clause: cell.outcome.value for cell in side.cells} == {
            "test_a": "failed",
            "test_b": "passed",
            "test_c": "not_run",
        }


def test_the_worst_code_decides() -> None:
    """Broken before unobserved before stale before fine, in whatever order they come."""
    found = judge(*FAKE_KEPT, *REAL_KEPT)["fake"]
    codes = [ExitCode.OK, ExitCode.STALE, ExitCode.NOTHING_OBSERVED, ExitCode.FAILED]
    for n in range(1, len(codes) + 1):
        for order in (codes[:n], codes[:n][::-1]):
            assert exit_code_of(replace(found, code=code) for code in order) is codes[n - 1]
