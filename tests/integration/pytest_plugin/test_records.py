from collections.abc import Callable
from pathlib import Path

import pytest

from tierwise.domain import Capability, Outcome
from tierwise.records import RunStore

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

SUITE = {
    "tests/unit/test_u.py": """
        import pytest
        def test_pass(): pass
        def test_fail(): assert 0, "no good"
        @pytest.mark.skip(reason="later")
        def test_skip(): pass
        @pytest.mark.xfail(reason="gap 7")
        def test_xfail(): assert 0
        @pytest.fixture
        def broken(): raise ValueError("broken")
        def test_error(broken): pass
        def test_violation(): open("x.txt", "w")
        @pytest.mark.allow("sleep", reason="measures waiting")
        def test_allowed(): pass
    """,
    "tests/other/test_o.py": "def test_it(): pass\n",
}


def store_of(pytester: pytest.Pytester) -> RunStore:
    store = RunStore.open_existing(pytester.path / ".tierwise" / "records.db")
    assert store is not None
    return store


def test_each_test_s_result_is_kept(project: Project, run: Run) -> None:
    """Outcome, tier, level, message, violations and own allowances reach the store."""
    pytester = project(SUITE)
    run()
    with store_of(pytester) as store:
        kept = store.latest_tests_by_tier()
    rows = {each.row.nodeid.split("::")[1]: each.row for each in kept["unit"]}
    assert {name: row.outcome for name, row in rows.items()} == {
        "test_pass": Outcome.PASSED,
        "test_fail": Outcome.FAILED,
        "test_skip": Outcome.NOT_RUN,
        "test_xfail": Outcome.NOT_RUN,
        "test_error": Outcome.ERROR,
        "test_violation": Outcome.FAILED,
        "test_allowed": Outcome.PASSED,
    }
    assert {row.level for row in rows.values()} == {"unit"}
    assert rows["test_fail"].message.startswith("AssertionError: no good")
    assert rows["test_skip"].message == "Skipped: later"
    assert rows["test_xfail"].message == "xfail: gap 7"
    assert [v.capability for v in rows["test_violation"].violations] == [Capability.WRITE]
    assert rows["test_allowed"].allowed == ("sleep (measures waiting)",)
    assert [each.row.outcome for each in kept[""]] == [Outcome.PASSED]


def test_a_run_is_kept_with_its_seed_and_end(project: Project, run: Run) -> None:
    """The run knows its command, seed, exit code, and which tiers it ran whole."""
    pytester = project(SUITE)
    run("--order-seed", "7")
    run("--order-seed", "8", "-k", "test_pass")
    with store_of(pytester) as store:
        whole, part = store.runs()
    assert (whole.info.order_seed, whole.exit_code) == (7, 1)
    assert "--order-seed 7" in whole.info.command
    assert set(whole.complete_tiers) == {"unit", "integration", "e2e"}
    assert (part.info.order_seed, part.exit_code, part.complete_tiers) == (8, 0, ())


@pytest.mark.parametrize("narrowing", [("tests/unit",), ("-m", "unit"), ("--lf",), ("-x",)])
def test_a_narrowed_run_claims_no_whole_tier(
    project: Project, run: Run, narrowing: tuple[str, ...]
) -> None:
    """A run that left tests out says nothing about the tests that it did not see."""
    pytester = project(SUITE)
    run(*narrowing)
    with store_of(pytester) as store:
        assert store.runs()[-1].complete_tiers == ()


def test_a_store_that_cannot_be_written_costs_a_line_not_the_run(
    project: Project, run: Run
) -> None:
    """The suite goes on and the foot says what was not kept, and why."""
    pytester = project({"tests/unit/test_u.py": "def test_it(): pass\n"})
    (pytester.path / ".tierwise").write_text("a file where the folder should be")
    result = run()
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["tierwise: results were not recorded: TW-STORE *.tierwise*"])


def test_a_run_that_is_killed_keeps_what_was_flushed(project: Project, run_apart: Run) -> None:
    """Rows are written at 200 of them, or sooner: a process that dies loses fewer than that."""
    pytester = project(
        {
            "tests/unit/test_u.py": """
                import os, pytest
                @pytest.mark.parametrize("n", range(450))
                def test_it(n):
                    if n == 420: os._exit(3)
            """
        },
        table='order = "defined"',
    )
    run_apart()
    with store_of(pytester) as store:
        (tests,) = store.latest_tests_by_tier().values()
        (run_row,) = store.runs()
    assert 220 < len(tests) <= 420
    assert run_row.exit_code is None


def test_an_empty_run_makes_no_store(project: Project, run: Run) -> None:
    """Collecting alone writes nothing."""
    pytester = project({"tests/unit/test_u.py": "def test_it(): pass\n"})
    run("--collect-only")
    assert not Path(pytester.path / ".tierwise").exists()


def test_a_run_of_a_named_tier_claims_that_tier(project: Project, run: Run) -> None:
    """`--tier` leaves nothing of the tiers that it names out."""
    pytester = project(SUITE)
    run("--tier", "unit")
    with store_of(pytester) as store:
        assert store.runs()[-1].complete_tiers == ("unit",)


def test_a_run_over_some_test_folders_claims_the_tiers_in_them(project: Project, run: Run) -> None:
    """`testpaths` may leave a tier's folder out, and then the tier was not run."""
    pytester = project(
        {**SUITE, "tests/e2e/test_e.py": "def test_it(): pass\n"},
        pytest_options='testpaths = ["tests/unit"]',
    )
    run()
    with store_of(pytester) as store:
        assert store.runs()[-1].complete_tiers == ("unit", "integration")


def test_a_run_that_a_test_ended_claims_no_whole_tier(project: Project, run: Run) -> None:
    """`pytest.exit` may give any exit code; tests that did not come to their turn count."""
    suite = "import pytest\ndef test_a(): pass\ndef test_b(): pytest.exit('enough', 1)\n"
    pytester = project({"tests/unit/test_u.py": suite}, table='order = "defined"')
    run()
    with store_of(pytester) as store:
        assert store.runs()[-1].complete_tiers == ()
