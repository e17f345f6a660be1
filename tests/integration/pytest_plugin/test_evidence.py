"""What the marks of tests say for the map reaches the store, from workers too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Outcome
from tierwise.records import KnownGap, RunStore

if TYPE_CHECKING:
    from collections.abc import Callable

    Project = Callable[..., pytest.Pytester]
    Run = Callable[..., pytest.RunResult]

SUITE = {
    "tests/unit/test_u.py": """
        import pytest

        @pytest.mark.xfail(strict=True, reason="ACL-7: grants are lost", raises=AssertionError)
        def test_open(): assert 0
        @pytest.mark.xfail(strict=True, reason="fixed since")
        def test_over(): pass
        @pytest.mark.xfail(reason="not strict")
        def test_loose(): assert 0
        @pytest.mark.xfail(False, strict=True, reason="does not hold")
        def test_elsewhere(): pass
        @pytest.mark.xfail(strict=True, run=False, reason="never run, see #8")
        def test_never(): assert 0
        def test_imperative(): pytest.xfail("said while it ran")

        @pytest.mark.requirement("R-1", "R-2")
        class TestClass:
            @pytest.mark.requirement("R-3", "R-1")
            def test_own(self): pass
            def test_inherited(self): assert 0
    """,
    "tests/e2e/test_e.py": """
        import pytest
        pytestmark = pytest.mark.requirement("R-4")
        def test_deselected(): pass
    """,
}


def store_of(pytester: pytest.Pytester) -> RunStore:
    store = RunStore.open_existing(pytester.path / ".tierwise" / "records.db")
    assert store is not None
    return store


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")])
def test_strict_xfails_are_kept_as_gaps(
    project: Project, run_apart: Run, workers: tuple[str, ...]
) -> None:
    """Each with its reason and ticket; one that passes is over, and a loose one is none."""
    pytester = project(SUITE)
    run_apart("tests/unit", *workers)
    with store_of(pytester) as store:
        gaps = {row.nodeid.partition("::")[2]: row for row in store.map.gaps()}
    assert {name: row.gap for name, row in gaps.items()} == {
        "test_open": KnownGap(reason="ACL-7: grants are lost", ticket="ACL-7"),
        "test_over": KnownGap(reason="fixed since", is_over=True),
        "test_never": KnownGap(reason="[NOTRUN] never run, see #8", ticket="#8"),
    }
    assert gaps["test_open"].location == "tests/unit/test_u.py:4"


def test_a_suite_may_be_strict_by_its_settings(project: Project, run: Run) -> None:
    """`xfail_strict = true` makes a gap of each expected failure."""
    pytester = project(SUITE)
    run("tests/unit", "-o", "xfail_strict=true")
    with store_of(pytester) as store:
        names = [row.nodeid.partition("::")[2] for row in store.map.gaps()]
    assert names == ["test_loose", "test_never", "test_open", "test_over"]


def test_a_gap_that_is_fixed_is_none_any_more(project: Project, run: Run) -> None:
    """The latest result of a test says whether its gap is still there."""
    pytester = project(SUITE)
    run("tests/unit")
    path = pytester.path / "tests/unit/test_u.py"
    path.write_text("def test_open(): pass\n")
    run("tests/unit/test_u.py::test_open")
    with store_of(pytester) as store:
        names = [row.nodeid.partition("::")[2] for row in store.map.gaps()]
    assert names == ["test_never", "test_over"]


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")])
def test_requirements_are_kept_with_results_and_without(
    project: Project, run_apart: Run, workers: tuple[str, ...]
) -> None:
    """A test that was left out is known to be for a requirement, and to have no result."""
    pytester = project(SUITE)
    run_apart("-k", "not deselected", *workers)
    with store_of(pytester) as store:
        links = {
            (row.requirement, row.nodeid.rpartition("::")[2]): row.outcome
            for row in store.map.links()
        }
    assert links == {
        ("R-1", "test_inherited"): Outcome.FAILED,
        ("R-1", "test_own"): Outcome.PASSED,
        ("R-2", "test_inherited"): Outcome.FAILED,
        ("R-2", "test_own"): Outcome.PASSED,
        ("R-3", "test_own"): Outcome.PASSED,
        ("R-4", "test_deselected"): None,
    }


def test_a_mark_that_is_taken_off_ends_the_link(project: Project, run: Run) -> None:
    """What the latest run of a test says of it holds."""
    pytester = project(SUITE)
    run()
    path = pytester.path / "tests/e2e/test_e.py"
    path.write_text("def test_deselected(): pass\n")
    run("tests/e2e")
    with store_of(pytester) as store:
        assert "R-4" not in {row.requirement for row in store.map.links()}


@pytest.mark.parametrize("mark", ["", "7", '"R", name="x"', '" "'])
def test_a_requirement_that_names_nothing_is_misuse(project: Project, run: Run, mark: str) -> None:
    """The mark takes ids as strings; anything else stops the run and says so."""
    project(
        {
            "tests/unit/test_u.py": (
                f"import pytest\n@pytest.mark.requirement({mark})\ndef test_it(): pass\n"
            )
        }
    )
    result = run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(['*test_u.py::test_it: mark.requirement takes ids*"REQ-7"*'])


def test_where_a_test_is_written_and_how_often_it_was_tried(project: Project, run: Run) -> None:
    """A test that another plugin tries again counts by its last attempt, and says so."""
    pytester = project(
        {
            "tests/unit/test_u.py": "\n\ndef test_it(): pass\n",
            "conftest.py": """
                import pytest
                from _pytest.runner import runtestprotocol

                @pytest.hookimpl(tryfirst=True)
                def pytest_runtest_protocol(item, nextitem):
                    hook = item.ihook
                    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
                    setup, call, teardown = runtestprotocol(item, nextitem=nextitem, log=False)
                    call.outcome, call.longrepr = "rerun", "flaked"
                    for report in (setup, call, setup):
                        hook.pytest_runtest_logreport(report=report)
                    call.outcome, call.longrepr = "passed", None
                    for report in (call, teardown):
                        hook.pytest_runtest_logreport(report=report)
                    return True
            """,
        }
    )
    run()
    with store_of(pytester) as store:
        (kept,) = store.latest_tests_by_tier()["unit"]
        counts = store.map.tiers("")["unit"]
    assert (kept.row.outcome, kept.row.attempts) == (Outcome.PASSED, 2)
    assert kept.row.location == "tests/unit/test_u.py:3"
    assert counts.n_retried == 1


def test_a_run_says_under_which_settings_and_on_what_it_ran(project: Project, run: Run) -> None:
    """The same settings give the same hash, others another."""
    pytester = project(SUITE)
    run("tests/unit")
    run("tests/unit")
    text = (pytester.path / "pyproject.toml").read_text()
    (pytester.path / "pyproject.toml").write_text(text + "\n[tool.tierwise.records]\nkeep_days=9")
    run("tests/unit")
    with store_of(pytester) as store:
        first, second, third = (entry.info for entry in store.runs())
    assert first.config_hash == second.config_hash != third.config_hash
    assert first.config_hash
    assert first.platform
