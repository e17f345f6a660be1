from collections.abc import Callable

import pytest

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

FILES = {
    "test_things.py": """
        import socket, time
        def test_b_writes(): open("written.txt", "w").close()
        def test_a_pure(): pass
        def test_c_waits(): time.sleep(0.01)
        def test_d_writes_too(tmp_path):
            open("written.txt", "w").close()
            (tmp_path / "x").write_text("x")
    """
}


def lines_of_ours(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "tierwise" in line]


def test_without_a_table_one_line_says_what_was_seen(project: Project, run: Run) -> None:
    """A newcomer is told what the tests touched, in exactly one line, and how to go on."""
    project(FILES, table=None)
    result = run()
    result.assert_outcomes(passed=4)
    assert lines_of_ours(result) == [
        (
            "tierwise: 4 tests: 2 changed files (written.txt); "
            "1 waited by the real clock (0.01 s); 1 used temporary files "
            f"({result_tmp(result)}). Nothing was blocked; to enforce tiers, run: tierwise init"
        )
    ]


def result_tmp(result: pytest.RunResult) -> str:
    (line,) = lines_of_ours(result)
    return line.partition("temporary files (")[2].partition(")")[0]


def test_without_a_table_nothing_else_changes(project: Project, run: Run) -> None:
    """Nothing is blocked, nothing reordered, and no file of ours is written."""
    pytester = project(FILES, table=None)
    result = run("-v")
    names = [line.split("::")[1].split()[0] for line in result.outlines if " PASSED" in line]
    assert names == ["test_b_writes", "test_a_pure", "test_c_waits", "test_d_writes_too"]
    assert (pytester.path / "written.txt").exists()
    assert not (pytester.path / ".tierwise").exists()


def test_a_project_without_pyproject_is_told_too(project: Project, run: Run) -> None:
    """Three files and no configuration at all are enough."""
    pytester = project(FILES, table=None)
    (pytester.path / "pyproject.toml").unlink()
    assert len(lines_of_ours(run())) == 1


def test_tests_that_touch_nothing_are_told_as_such(project: Project, run: Run) -> None:
    """Seeing nothing is said, not left out."""
    project({"test_pure.py": "def test_it(): pass\n"}, table=None)
    assert lines_of_ours(run()) == [
        (
            "tierwise: 1 test: none touched anything outside its own memory. "
            "Nothing was blocked; to enforce tiers, run: tierwise init"
        )
    ]


def test_a_quiet_run_is_quiet(project: Project, run: Run) -> None:
    """Under -q, and when nothing ran, the line is left out."""
    project(FILES, table=None)
    assert not lines_of_ours(run("-q"))
    assert not lines_of_ours(run("--collect-only"))


def test_a_swallowed_touch_is_no_failure_in_report_mode(project: Project, run: Run) -> None:
    """Reporting never fails a test, not even at its tear-down or in a late thread."""
    project(
        {
            "test_thread.py": """
                import threading
                go, done = threading.Event(), threading.Event()
                def late():
                    while not go.is_set(): pass
                    open("late.txt", "w").close()
                    done.set()
                def test_a(): threading.Thread(target=late).start()
                def test_b():
                    go.set()
                    while not done.is_set(): pass
            """
        },
        table=None,
    )
    result = run()
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=2)
    (line,) = lines_of_ours(result)
    assert "1 changed files (late.txt)" in line


def test_report_with_tiers_tells_what_goes_beyond_them(project: Project, run: Run) -> None:
    """With a table, report mode selects by tier and tells only what a tier does not allow."""
    pytester = project(
        {
            "tests/unit/test_u.py": "def test_it(): open('x.txt', 'w').close()\n",
            "tests/integration/test_i.py": """
                def test_it(tmp_path): (tmp_path / "x").write_text("x")
            """,
            "tests/evals/test_e.py": "def test_it(): pass\n",
        },
        table='mode = "report"',
    )
    result = run()
    result.assert_outcomes(passed=2, deselected=1)
    assert lines_of_ours(result)[-1] == (
        "tierwise: 2 tests, beyond their tiers: 1 changed files (x.txt). Nothing was blocked; "
        'mode = "enforce" in [tool.tierwise] blocks what a tier forbids'
    )
    assert not (pytester.path / ".tierwise").exists()


def test_the_command_line_can_enforce_without_a_table(project: Project, run: Run) -> None:
    """--tierwise-mode enforce tries the default tiers on a project that has no table."""
    project({"tests/unit/test_u.py": "def test_it(): open('x', 'w')\n"}, table=None)
    run("--tierwise-mode", "enforce").assert_outcomes(failed=1)
