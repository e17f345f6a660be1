"""Processes that do not end when pytest is done, each until it was said who keeps it alive."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tierwise.sandbox.exit_report import ExitReport, read_exit_report

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

TABLE = """
    [tool.tierwise.tiers.unit]
    allow = ["sleep", "subprocess", "read"]
    [tool.tierwise.exit]
    patience_s = 0.05
"""
OPTIONS = 'pythonpath = ["src"]'
# Waits until the report names whoever waits here, and so for no time that anybody has to guess.
HANGING = """
    import atexit, json, threading, time
    from concurrent.futures import ThreadPoolExecutor
    from pathlib import Path

    def hang(kind):
        for _ in range(2000):
            path = Path("exit.json")
            try:
                waits = json.loads(path.read_text())["waits"] if path.exists() else ()
            except ValueError:
                waits = ()  # it is being written
            if any(wait["kind"] == kind for wait in waits):
                return
            time.sleep(0.01)

    class Exporter:
        def __init__(self):
            self.thread = threading.Thread(
                target=hang, args=("atexit",), name="exporter", daemon=True
            )
            self.thread.start()
            atexit.register(self.shutdown)

        def shutdown(self):
            self.thread.join()

    def poll():
        threading.Thread(target=hang, args=("thread",), name="poller").start()

    POOL = ThreadPoolExecutor(1, thread_name_prefix="pool")
"""


@pytest.fixture
def end(project: Project, pytester: pytest.Pytester, run_apart: Run) -> Callable[..., ExitReport]:
    """Run one test in a process of its own, and read how that ended."""

    def run(body: str, *options: str, table: str = TABLE) -> ExitReport:
        files = {"src/hanging.py": HANGING, "tests/unit/test_u.py": body}
        project(files, table, OPTIONS)
        result = run_apart("--tierwise-exit-report", "exit.json", *options)
        result.assert_outcomes(passed=1)
        report = read_exit_report(pytester.path / "exit.json")
        said = [line for line in result.errlines if line.startswith("tierwise: ")]
        (pytester.path / "said.txt").write_text("\n".join(said))
        return report

    return run


def read_said(pytester: pytest.Pytester) -> list[str]:
    return Path(pytester.path, "said.txt").read_text().splitlines()


def test_a_process_that_ends_is_told_of_to_programs_alone(
    end: Callable[..., ExitReport], pytester: pytest.Pytester
) -> None:
    """Nothing is printed, and the times add up."""
    report = end("def test_it(): pass\n")
    assert report.waits == ()
    assert report.exit_s is not None
    assert 0 <= report.after_tests_s <= report.wall_s
    assert 0 <= report.tests_s <= report.wall_s
    assert read_said(pytester) == []


def test_a_thread_that_is_no_daemon_is_named_with_who_started_it(
    end: Callable[..., ExitReport], pytester: pytest.Pytester
) -> None:
    """By its work, by the code that started it, and by the test."""
    report = end("import hanging\ndef test_it():\n    hanging.poll()\n")
    (wait,) = report.waits
    assert (wait.kind, wait.name, wait.owner) == ("thread", "poller", "hanging.hang")
    assert wait.started_by == "hanging.poll"
    assert wait.started_at.startswith("src/hanging.py:")
    assert wait.test == "tests/unit/test_u.py::test_it"
    line, last = read_said(pytester)
    assert "has waited for thread 'poller', in hanging.hang (src/hanging.py:" in line
    assert "started by hanging.poll (src/hanging.py:" in line
    assert "the process ended" in last


def test_a_function_registered_for_the_end_is_named_with_what_it_waits_for(
    end: Callable[..., ExitReport],
) -> None:
    """As that of an exporter, made when its module was imported."""
    report = end("import hanging\nEXPORTER = hanging.Exporter()\ndef test_it(): pass\n")
    (wait,) = report.waits
    assert (wait.kind, wait.name) == ("atexit", "exporter")
    assert wait.owner == "hanging.Exporter.shutdown"
    assert wait.started_by == "hanging.Exporter.__init__"


def test_a_conftest_that_registers_for_the_end_is_seen_too(
    end: Callable[..., ExitReport], pytester: pytest.Pytester
) -> None:
    """It is imported before pytest is configured, and what it registers ends before our watch."""
    Path(pytester.path, "tests").mkdir()
    Path(pytester.path, "tests", "conftest.py").write_text("import hanging\nhanging.Exporter()\n")
    report = end("def test_it(): pass\n", "tests")
    assert [wait.kind for wait in report.waits] == ["atexit"]


def test_a_busy_worker_of_an_executor_is_named_as_such(end: Callable[..., ExitReport]) -> None:
    """Its owner is the function that it works on, whoever made the executor."""
    report = end("import hanging\ndef test_it(): hanging.POOL.submit(hanging.hang, 'executor')\n")
    (wait,) = report.waits
    assert (wait.kind, wait.owner) == ("executor", "hanging.hang")
    assert wait.name.startswith("pool")


def test_a_child_of_multiprocessing_is_named(end: Callable[..., ExitReport]) -> None:
    """By its name and number: it is not waited for in Python code of ours."""
    body = """
        import multiprocessing, hanging
        def test_it():
            context = multiprocessing.get_context("fork")
            context.Process(target=hanging.hang, args=("process",), name="child").start()
    """
    (wait,) = end(body).waits
    assert wait.kind == "process"
    assert wait.name.startswith("child, pid ")


@pytest.mark.parametrize(
    "table",
    [TABLE + "    tell = false\n", TABLE.replace("0.05", "600")],
    ids=["not told", "patient"],
)
def test_it_is_not_said_where_nobody_wants_to_hear_it(
    end: Callable[..., ExitReport], pytester: pytest.Pytester, table: str
) -> None:
    """It is switched off, or the process has not waited for long enough."""
    kind = "thread" if "false" in table else "nobody"
    body = f"""
        import threading, hanging
        hanging.range = lambda n: range(50 if {kind!r} == "nobody" else n)
        def test_it():
            threading.Thread(target=hanging.hang, args=({kind!r},)).start()
    """
    report = end(body, table=table)
    assert len(report.waits) == (kind == "thread")
    assert read_said(pytester) == []


def test_a_session_killed_while_it_hangs_leaves_what_was_seen(
    project: Project, pytester: pytest.Pytester, run_apart: Run
) -> None:
    """Whoever watches from outside reads why it had to be killed."""
    body = """
        import os, threading, hanging
        def kill():
            hanging.hang("thread")
            os._exit(9)
        def test_it():
            threading.Thread(target=kill).start()
    """
    project({"src/hanging.py": HANGING, "tests/unit/test_u.py": body}, TABLE, OPTIONS)
    assert run_apart("--tierwise-exit-report", "exit.json").ret == 9
    report = read_exit_report(pytester.path / "exit.json")
    assert report.exit_s is None
    assert [wait.started_by for wait in report.waits] == ["test_u.test_it"]


def test_a_session_inside_another_watches_no_end(
    project: Project, pytester: pytest.Pytester, run: Callable[..., pytest.RunResult]
) -> None:
    """The process goes on, and its end is not that session's."""
    project({"tests/unit/test_u.py": "def test_it(): pass\n"}, TABLE)
    run("--tierwise-exit-report", "exit.json").assert_outcomes(passed=1)
    assert not (pytester.path / "exit.json").exists()


def test_a_controller_of_workers_watches_its_own_end(
    end: Callable[..., ExitReport],
) -> None:
    """Once, and with the time of all tests."""
    report = end("def test_it(): pass\n", "-p", "xdist", "-n", "1")
    assert report.exit_s is not None
    assert json.loads(report.to_json())["format"] == 1
