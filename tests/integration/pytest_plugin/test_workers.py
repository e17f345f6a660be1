from collections.abc import Callable

import pytest

from tierwise.domain import Capability
from tierwise.records import RunStore

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

XDIST = ("-p", "xdist", "-n", "2")
SUITE = {
    "tests/unit/test_u.py": """
        import pytest
        def test_pass(): pass
        def test_violation():
            try: open("x.txt", "w")
            except BaseException: pass
        @pytest.fixture(scope="module")
        def wide(): open("y.txt", "w")
        def test_fixture(wide): pass
    """,
    "tests/integration/test_i.py": "def test_tmp(tmp_path): (tmp_path / 'x').write_text('x')\n",
    "tests/evals/test_e.py": "def test_it(): pass\n",
}


def test_workers_enforce_and_the_controller_counts(project: Project, run_apart: Run) -> None:
    """Violations travel with the reports: foot and store are as without workers."""
    pytester = project(SUITE)
    result = run_apart(*XDIST)
    result.assert_outcomes(passed=2, failed=1, errors=1)
    result.stdout.fnmatch_lines(["TW-FILE *::test_violation opened *x.txt*"])
    result.stdout.fnmatch_lines(
        [
            "unit * 1 passed, 1 failed, 1 error *2 violations (write)",
            "evals *1 left out *pytest --tier evals",
        ],
        consecutive=False,
    )
    store = RunStore.open_existing(pytester.path / ".tierwise" / "records.db")
    assert store is not None
    with store:
        (run_row,) = store.runs()
        kept = store.latest_tests_by_tier()
    assert {len(kept["unit"]), len(kept["integration"])} == {3, 1}
    violations = [v for each in kept["unit"] for v in each.row.violations]
    assert {v.capability for v in violations} == {Capability.WRITE}
    assert run_row.exit_code == 1


def test_all_workers_have_one_order_and_the_seed_repeats_it(
    project: Project, run_apart: Run
) -> None:
    """The seed travels to the workers; xdist itself refuses workers that disagree."""
    project({f"tests/unit/test_{n}.py": "def test_it(): pass\n" for n in "abcdefgh"})
    result = run_apart("-p", "xdist", "-n", "2", "--order-seed", "11")
    result.assert_outcomes(passed=8)
    result.stdout.no_fnmatch_line("*Different tests*")
    one = run_apart("-p", "xdist", "-n", "1", "-v", "--order-seed", "11")
    here = run_apart("-v", "--order-seed", "11")
    order = [line.partition("::")[0].split()[-1] for line in here.outlines if " PASSED" in line]
    assert len(order) == 8
    ran = [line.split()[-1].partition("::")[0] for line in one.outlines if "PASSED tests" in line]
    assert ran == order


def test_a_crashed_worker_loses_nothing_reported(project: Project, run_apart: Run) -> None:
    """What was reported before a worker died is kept, and its last test is an error."""
    pytester = project(
        {
            "tests/unit/test_u.py": """
                import os, pytest
                @pytest.mark.parametrize("n", range(6))
                def test_it(n):
                    if n == 3: os._exit(3)
            """
        },
        table='order = "defined"',
    )
    run_apart("-p", "xdist", "-n", "1", "--max-worker-restart", "0")
    store = RunStore.open_existing(pytester.path / ".tierwise" / "records.db")
    assert store is not None
    with store:
        kept = {
            each.row.nodeid: str(each.row.outcome)
            for tests in store.latest_tests_by_tier().values()
            for each in tests
        }
    name = "tests/unit/test_u.py::test_it"
    assert [kept[f"{name}[{n}]"] for n in range(4)] == ["passed", "passed", "passed", "error"]


def test_a_late_thread_in_a_worker_fails_the_session(project: Project, run_apart: Run) -> None:
    """Violations of ended tests come back from workers too."""
    project(
        {
            "tests/unit/test_u.py": """
                import threading
                go, done = threading.Event(), threading.Event()
                def late():
                    while not go.is_set(): pass
                    try: open("late.txt", "w")
                    except BaseException: done.set()
                def test_a(): threading.Thread(target=late, daemon=True).start()
                def test_b():
                    go.set()
                    while not done.is_set(): pass
            """
        },
        table='order = "defined"',
    )
    result = run_apart("-p", "xdist", "-n", "1")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["After the test had ended*", "TW-FILE *::test_a opened *"])


def test_a_worker_awaits_threads_of_its_last_test(project: Project, run_apart: Run) -> None:
    """What goes on after a worker's last test is sent when the worker ends."""
    project(
        {
            "tests/unit/test_u.py": """
                import threading
                def late():
                    threading.Event().wait(0.6)
                    open("late.txt", "w")
                def test_a(): threading.Thread(target=late).start()
            """
        }
    )
    result = run_apart("-p", "xdist", "-n", "1")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["TW-FILE *::test_a opened *"])


def test_misuse_of_a_mark_is_told_once_by_the_controller(project: Project, run_apart: Run) -> None:
    """A mark without its reason ends a parallel run as it ends any other."""
    project(
        {
            "tests/unit/test_u.py": """
                import pytest
                @pytest.mark.allow("tmp")
                def test_it(): pass
            """
        }
    )
    result = run_apart(*XDIST)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*mark.allow has no reason*"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_an_unknown_tier_is_refused_before_workers_start(project: Project, run_apart: Run) -> None:
    """Misuse of an option is the controller's to tell."""
    project(SUITE)
    result = run_apart(*XDIST, "--tier", "unitt")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*Did you mean 'unit'?*"])


def test_report_mode_tells_what_workers_saw(project: Project, run_apart: Run) -> None:
    """The one line of a project without a table is the same with workers."""
    project({"test_it.py": "def test_it(): open('x.txt', 'w').close()\n"}, table=None)
    run_apart(*XDIST).stdout.fnmatch_lines(["tierwise: 1 test: 1 changed files (x.txt). *"])
