"""`tierwise contracts` on projects whose tests have just run."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from tierwise.cli.contracts import command
from tierwise.cli.map import command as draw_map
from tierwise.errors import ExitCode, MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = {
    "conftest.py": """
        import pathlib, sys
        sys.path.insert(0, str(pathlib.Path(__file__).parent))
    """,
    "shelves.py": """
        from tierwise.contracts import Contract, require, unobservable

        class ShelfContract(Contract):
            def test_it_is_there(self, implementation):
                if implementation == "away":
                    unobservable("it is away")
                require(implementation != "", "nothing is there")
    """,
    "tests/contract/test_double.py": """
        from shelves import ShelfContract

        class TestDouble(ShelfContract):
            implementations = {"double": "a shelf"}
    """,
    "tests/live/test_real.py": """
        import os
        from shelves import ShelfContract
        from tierwise.contracts import Implementation

        class TestReal(ShelfContract):
            implementations = [
                Implementation("real", lambda: os.environ.get("REAL", "a shelf"), real=True)
            ]
    """,
}


@pytest.fixture
def shelves(write: Callable[..., Path], run: Callable[..., Any]) -> Path:
    """Write a contract with a double, and a real side in a tier of its own; run the doubles."""
    root = write(FILES)
    run().assert_outcomes(passed=1)
    return root


def call(*args: str) -> Result:
    return CliRunner().invoke(command, list(args), standalone_mode=False, catch_exceptions=False)


def sides(*args: str) -> dict[str, Any]:
    (contract,) = json.loads(call("--json", *args).output)
    return {side["name"]: side for side in contract["implementations"]}


def make_older(root: Path, days: int) -> None:
    """Let every run have begun that many days earlier."""
    with closing(sqlite3.connect(root / ".tierwise" / "records.db")) as store, store:
        store.execute(
            "UPDATE runs SET started_at = strftime('%Y-%m-%dT%H:%M:%S+00:00', started_at, ?)",
            (f"-{days} days",),
        )


def test_a_double_is_unverified_until_the_real_side_ran(
    shelves: Path, run: Callable[..., Any]
) -> None:
    """One contract from two files: 11 and the reason before the real side ran, 0 after."""
    result = call("--check")
    assert result.return_value == ExitCode.NOTHING_OBSERVED
    assert "the real side never ran" in " ".join(result.output.split())
    assert call().return_value == ExitCode.OK
    run("--tier", "live").assert_outcomes(passed=1)
    result = call("--check")
    assert result.return_value == ExitCode.OK
    assert "2 implementations: 2 verified" in result.output
    found = sides()
    assert (found["double"]["state"], found["double"]["n_proven"]) == ("verified", 1)
    assert found["double"]["reason"] == "by real: 1 of 1 kept clauses"
    (clause,) = found["real"]["clauses"]
    assert clause["outcome"] == "passed"
    assert clause["run"].startswith("20")


def test_broken_stale_and_unobservable_real_sides(
    shelves: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """1 when the real side breaks a clause, 11 when it can't be seen, 12 when it is too old."""
    monkeypatch.setenv("REAL", "away")
    run("--tier", "live").assert_outcomes(skipped=1)
    assert call("--check").return_value == ExitCode.NOTHING_OBSERVED
    assert sides()["real"]["reason"] == "unobservable: it is away"
    monkeypatch.setenv("REAL", "")
    run("--tier", "live").assert_outcomes(failed=1)
    assert call("--check").return_value == ExitCode.FAILED
    assert sides()["real"]["state"] == "broken"
    assert sides()["double"]["state"] == "unverified"
    monkeypatch.delenv("REAL")
    run("--tier", "live").assert_outcomes(passed=1)
    make_older(shelves, 31)
    assert call("--check").return_value == ExitCode.STALE
    assert "is 31 days old, older than 30" in sides()["real"]["reason"]
    table = (shelves / "pyproject.toml").read_text()
    limit = "[tool.tierwise.contracts]\nmax_age_days = 40\n"
    (shelves / "pyproject.toml").write_text(table + limit)
    assert sides()["real"]["state"] == "verified"


def test_a_changed_double_has_to_run_again(shelves: Path, run: Callable[..., Any]) -> None:
    """After an edit the double is stale until its tests ran; the real side stands."""
    run("--tier", "live").assert_outcomes(passed=1)
    (shelves / "shelves.py").write_text((shelves / "shelves.py").read_text() + "# edited\n")
    assert call("--check").return_value == ExitCode.STALE
    assert sides()["double"]["reason"].startswith("the code has changed")
    assert sides()["real"]["state"] == "verified"
    run().assert_outcomes(passed=1)
    assert call("--check").return_value == ExitCode.OK


def test_a_run_that_can_not_reach_the_real_side_leaves_its_proof(
    shelves: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Proven once, then unobservable: it stands, with the date on which it was proven."""
    run("--tier", "live").assert_outcomes(passed=1)
    make_older(shelves, 3)
    proven_at = sides()["real"]["proven_at"]
    monkeypatch.setenv("REAL", "away")
    run("--tier", "live").assert_outcomes(skipped=1)
    found = sides()["real"]
    assert (found["state"], found["proven_at"]) == ("verified", proven_at)


def test_what_is_gone_from_the_project_is_gone_from_the_matrix(
    shelves: Path, run: Callable[..., Any]
) -> None:
    """A removed file takes its side along, whatever it had proven."""
    run("--tier", "live").assert_outcomes(passed=1)
    (shelves / "tests/live/test_real.py").unlink()
    run().assert_outcomes(passed=1)
    found = sides()
    assert set(found) == {"double"}
    assert found["double"]["reason"] == "no real side is among the implementations"


def test_the_map_says_how_many_are_verified(shelves: Path, run: Callable[..., Any]) -> None:
    """A map of green tests does not hide that a double was never held to the real thing."""

    def draw() -> str:
        return CliRunner().invoke(draw_map, [], catch_exceptions=False).output

    told = "contracts: 0 of 2 implementations verified; the others, and why: `tierwise contracts`"
    assert told in draw()
    run("--tier", "live").assert_outcomes(passed=1)
    assert "contracts: 2 of 2 implementations verified\n" in draw()


def test_by_name_each_clause_is_shown(shelves: Path) -> None:
    """A part of the name will do; an unknown one is refused with the closest."""
    output = call("Shelf").output
    assert "it is there" in output
    assert "kept" in output
    assert "not run real, it is there: it never ran" in output
    with pytest.raises(MisuseError, match="Did you mean 'ShelfContract'"):
        call("ShelfContrat")


def test_nothing_recorded_says_what_to_do(write: Callable[..., Path]) -> None:
    """An empty store is no success: `--check` exits with 11."""
    root = write({})
    result = call("--check")
    assert result.return_value == ExitCode.NOTHING_OBSERVED
    assert "No contract is recorded yet. Run `pytest`" in result.output
    assert not (root / ".tierwise").exists()
    (root / "pyproject.toml").unlink()
    assert "no [tool.tierwise] table" in call().output
