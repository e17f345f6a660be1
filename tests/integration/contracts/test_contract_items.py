"""Contracts and parity suites as pytest items, and what of them reaches the run store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.records import KeptClause, RunStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHELF = """
    import asyncio, os
    import pytest
    from tierwise.contracts import Contract, Implementation, require, unobservable

    class Shelf:
        def __init__(self): self.books = []
        def put(self, book): self.books.append(book)
        def take(self): return self.books.pop()

    def on_disk(tmp_path):
        (tmp_path / "made").touch()
        yield Shelf()
        (tmp_path / "made").unlink()

    class TestShelf(Contract):
        implementations = [
            Implementation("memory", Shelf),
            Implementation(
                "disk", on_disk, real=True, tier="live",
                needs=lambda: None if "DISK" in os.environ else "DISK is not set",
            ),
        ]

        def test_it_gives_what_it_got(self, implementation, capsys):
            print("heard")
            assert capsys.readouterr().out == "heard\\n"
            implementation.put("a")
            require(implementation.take() == "a", "another book came")

        @pytest.mark.parametrize("n", [1, 2])
        async def test_it_waits(self, implementation, n):
            await asyncio.sleep(0)
            require(not implementation.books, "it is not empty")
            implementation.put("b")
"""


def read(root: Path) -> tuple[Any, dict[str, KeptClause]]:
    store = RunStore.open_existing(root / ".tierwise" / "records.db")
    assert store is not None
    with store:
        declared, kept = store.declared_contracts(), store.kept_clauses()
    return declared, {row.nodeid.rpartition("::")[2]: row for row in kept}


def test_clauses_are_items_with_fixtures_and_coroutines(
    write: Callable[..., Path], run: Callable[..., pytest.RunResult]
) -> None:
    """Each clause runs on each implementation of its tier, fresh, with fixtures of the user's."""
    root = write({"tests/contract/test_shelf.py": SHELF})
    result = run("-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines_random(
        ["*::TestShelf::test_it_gives_what_it_got?memory? PASSED*", "*live *3 left out*"]
    )
    declared, kept = read(root)
    (contract,) = declared
    assert contract.contract.endswith("test_shelf.TestShelf")
    assert contract.declared_by == "tests/contract/test_shelf.py::TestShelf"
    assert contract.clauses == ("test_it_gives_what_it_got", "test_it_waits")
    assert [(s.name, s.is_real) for s in contract.implementations] == [
        ("memory", False),
        ("disk", True),
    ]
    assert {(row.key.clause, row.key.implementation) for row in kept.values()} == {
        ("test_it_gives_what_it_got", "memory"),
        ("test_it_waits", "memory"),
    }
    assert len(kept) == 3


def test_the_real_side_runs_in_its_tier_or_says_why_not(
    write: Callable[..., Path],
    run: Callable[..., pytest.RunResult],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its maker has fixtures and cleans up; without what it needs it is unobservable."""
    root = write({"tests/contract/test_shelf.py": SHELF})
    result = run("--tier", "live", "-rs")
    result.assert_outcomes(skipped=3)
    result.stdout.fnmatch_lines(["*unobservable: DISK is not set*"])
    _, kept = read(root)
    assert {(row.outcome, row.reason) for row in kept.values()} == {
        ("unobservable", "DISK is not set")
    }
    monkeypatch.setenv("DISK", "1")
    run("--tier", "live").assert_outcomes(passed=3)
    _, kept = read(root)
    assert {row.outcome for row in kept.values()} == {"passed"}
    assert {row.key.implementation for row in kept.values()} == {"disk"}


def test_what_went_wrong_is_kept_with_its_reason(
    write: Callable[..., Path], run: Callable[..., pytest.RunResult]
) -> None:
    """Broken, blown up, and unobservable from within a clause: each as itself."""
    root = write(
        {
            "tests/contract/test_it.py": """
            import pytest
            from tierwise.contracts import Contract, require, unobservable

            class TestIt(Contract):
                implementations = {"one": 1}
                def test_broken(self, implementation): require(False, "as planted")
                def test_unobservable(self, implementation): unobservable("no way")
                def test_skipped(self, implementation): pytest.skip("not today")
                @pytest.fixture
                def broken(self): raise ValueError("in set-up")
                def test_error(self, implementation, broken): pass
                async def test_later(self, implementation): unobservable("no way, later")
            """
        }
    )
    run().assert_outcomes(failed=1, errors=1, skipped=3)
    _, kept = read(root)
    assert {name: (row.outcome.value, row.reason) for name, row in kept.items()} == {
        "test_broken[one]": (
            "failed",
            "tierwise.contracts.contract.BrokenClauseError: as planted",
        ),
        "test_unobservable[one]": ("unobservable", "no way"),
        "test_skipped[one]": ("not_run", "not today"),
        "test_error[one]": ("error", "ValueError: in set-up"),
        "test_later[one]": ("unobservable", "no way, later"),
    }


def test_workers_send_what_the_controller_keeps(
    write: Callable[..., Path],
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With xdist the store holds the same: results by report, declarations at each one's end."""
    monkeypatch.setenv("DISK", "1")
    root = write({"tests/contract/test_shelf.py": SHELF, "tests/contract/test_two.py": PARITY})
    result = pytester.runpytest_subprocess(
        "-p", "tierwise.pytest_plugin", "-p", "xdist", "-n", "2"
    )
    result.assert_outcomes(passed=5)
    declared, kept = read(root)
    assert sorted(one.contract.rpartition(".")[2] for one in declared) == ["TestShelf", "pairs"]
    assert len(kept) == 5
    store = RunStore.open_existing(root / ".tierwise" / "records.db")
    assert store is not None
    with store:
        assert set(store.latest_tests_by_tier()) == {"contract"}
    assert {row.outcome for row in kept.values()} == {"passed"}


PARITY = """
    from tierwise.contracts import parity

    class Store(dict):
        pass

    both = parity(fake=Store, real=lambda tmp_path: Store(), tier="live", name="pairs")

    @both
    def test_it_keeps(backend):
        backend["a"] = 1
        assert backend["a"] == 1

    @both
    class TestMore:
        async def test_it_is_empty(self, backend):
            assert not backend
"""


def test_parity_runs_one_test_on_both_backends(
    write: Callable[..., Path], run: Callable[..., pytest.RunResult]
) -> None:
    """`test[fake]` by default, `test[real]` in its own tier; one suite in the matrix."""
    root = write({"tests/contract/test_two.py": PARITY})
    result = run("-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines_random(
        ["*::test_it_keeps?fake? PASSED*", "*::TestMore::test_it_is_empty?fake? PASSED*"]
    )
    run("--tier", "live").assert_outcomes(passed=2)
    declared, kept = read(root)
    assert {one.contract for one in declared} == {"pairs"}
    assert {(row.key.clause, row.key.implementation) for row in kept.values()} == {
        (clause, side)
        for clause in ("test_it_keeps", "TestMore.test_it_is_empty")
        for side in ("fake", "real")
    }


def test_parity_without_a_name_is_of_its_module(
    write: Callable[..., Path], run: Callable[..., pytest.RunResult]
) -> None:
    """Tests of one module are one suite; a backend that differs fails on its side alone."""
    root = write(
        {
            "tests/contract/test_two.py": """
            from tierwise.contracts import parity

            @parity(fake=list, real=tuple)
            def test_it_grows(backend):
                assert hasattr(backend, "append")
            """
        }
    )
    result = run()
    result.assert_outcomes(passed=1, failed=1)
    declared, kept = read(root)
    assert declared[0].contract.startswith("parity in ")
    assert declared[0].contract.endswith("test_two")
    assert kept["test_it_grows[real]"].outcome == "failed"


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("def test_it(self): pass", "*test_it takes no argument `implementation`*checks nothing*"),
        (
            "def test_it(self, implementation): pass\n    implementations = [1]",
            "*implementations holds 1, expected Implementation*",
        ),
    ],
)
def test_a_contract_that_checks_nothing_is_refused(
    write: Callable[..., Path],
    run: Callable[..., pytest.RunResult],
    body: str,
    complaint: str,
) -> None:
    """A clause without its argument, and a list of something else, end in a usage error."""
    text = f"""
from tierwise.contracts import Contract
class TestIt(Contract):
    implementations = {{"one": 1}}
    {body}
"""
    write({"tests/contract/test_it.py": text})
    result = run()
    assert result.ret != pytest.ExitCode.OK
    result.stdout.fnmatch_lines([complaint])


def test_a_clause_without_a_loop_says_so(
    write: Callable[..., Path], run: Callable[..., pytest.RunResult]
) -> None:
    """What a coroutine makes needs a clause that is one; the message says how to write it."""
    write(
        {
            "tests/contract/test_it.py": """
            from tierwise.contracts import Contract, Implementation
            async def make(): return 1
            class TestIt(Contract):
                implementations = [Implementation("one", make)]
                def test_it(self, implementation): pass
                async def test_that(self, implementation): assert implementation == 1
            """
        }
    )
    result = run()
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["*Write it as a coroutine: async def test_it(...)*"])
