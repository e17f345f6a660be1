"""An old suite, enforced from today on."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest

from tierwise.config.baseline import NAME
from tierwise.errors import ExitCode
from tierwise.records import RunStore

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]
Tell = Callable[..., pytest.RunResult]

ONE_TIER = """
    [tool.tierwise.tiers.unit]
    level = "unit"
    paths = ["tests/unit"]
"""
OLD = """
    import pytest, socket
    def test_writes(tmp_path): (tmp_path / "x").write_text("x")
    @pytest.mark.parametrize("n", [1, 2])
    def test_binds(n): socket.create_server(("127.0.0.1", 0)).close()
    def test_two():
        open("one.txt", "w").close()
        open("two.txt", "w").close()
    @pytest.fixture(scope="module")
    def wide(): open("wide.txt", "w").close()
    def test_wide(wide): pass
    def test_fine(): pass
"""
NEW = """
    def test_new():
        try: open("new.txt", "w")
        except BaseException: pass
"""


@pytest.fixture
def old(project: Project) -> pytest.Pytester:
    """Make a project whose unit tests do what they may not."""
    return project({"tests/unit/test_old.py": OLD}, ONE_TIER)


@pytest.fixture
def tell(pytester: pytest.Pytester) -> Tell:
    """Run `tierwise baseline` in a process of its own."""

    def start(*arguments: str) -> pytest.RunResult:
        return pytester.run(sys.executable, "-m", "tierwise", "baseline", *arguments)

    return start


def entries(pytester: pytest.Pytester) -> list[tuple[str, str, str]]:
    """Return what the baseline accepts."""
    found = json.loads((pytester.path / NAME).read_text(encoding="utf-8"))
    return [(e["test"], e["capability"], e["target"]) for e in found["accepted"]]


def rewrite(pytester: pytest.Pytester, before: str, after: str) -> None:
    """Change the old tests."""
    path = pytester.path / "tests/unit/test_old.py"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_todays_violations_are_written_sorted_and_without_what_changes(
    old: pytest.Pytester, tell: Tell
) -> None:
    """One entry a test, capability and target; each touch is there, not only the first."""
    result = tell()
    assert result.ret == ExitCode.OK
    result.stdout.fnmatch_lines([f"{NAME}: 5 entries written; review and commit it"])
    test = "tests/unit/test_old.py::test_"
    assert entries(old) == [
        (f"{test}binds", "loopback", "127.0.0.1:{port}"),
        (f"{test}two", "write", "one.txt"),
        (f"{test}two", "write", "two.txt"),
        (f"{test}writes", "tmp", "{tmp}"),
        ("the module fixture 'wide' of tests/unit/test_old.py", "write", "wide.txt"),
    ]
    text = (old.path / NAME).read_bytes()
    (old.path / NAME).unlink()
    assert tell().ret == ExitCode.OK
    assert (old.path / NAME).read_bytes() == text


@pytest.mark.parametrize("apart", [(), ("-p", "xdist", "-n", "2")])
def test_what_is_accepted_goes_on_and_what_is_new_fails(
    old: pytest.Pytester, tell: Tell, run_apart: Run, apart: tuple[str, ...]
) -> None:
    """Accepted touches are neither blocked nor failed, and they are counted; also in workers."""
    tell()
    result = run_apart(*apart)
    assert result.ret == ExitCode.OK
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines([f"baseline: accepted touches: 6; entries left in {NAME}: 5"])
    (old.path / "tests/unit/test_new.py").write_text(NEW.replace("\n    ", "\n"), encoding="utf-8")
    result = run_apart(*apart)
    result.assert_outcomes(passed=6, failed=1)
    result.stdout.fnmatch_lines(["TW-FILE *::test_new opened *new.txt*"])


@pytest.mark.parametrize("apart", [(), ("-p", "xdist", "-n", "2")])
def test_an_entry_that_no_longer_occurs_fails_until_it_is_taken_out(
    old: pytest.Pytester, tell: Tell, run_apart: Run, apart: tuple[str, ...]
) -> None:
    """The baseline only ever shrinks: what was mended cannot come back unseen."""
    tell()
    rewrite(old, 'open("two.txt", "w").close()', "pass")
    result = run_apart(*apart)
    assert result.ret == ExitCode.STALE
    result.stdout.fnmatch_lines(
        [
            "baseline: stale entries: 1; tierwise baseline --prune drops them",
            "    tests/unit/test_old.py::test_two: write two.txt: it no longer does",
        ]
    )
    store = RunStore.open_existing(old.path / ".tierwise" / "records.db")
    assert store is not None
    with store:
        (row,) = store.runs()
    assert (row.exit_code, row.complete_tiers) == (ExitCode.STALE, ("unit",))
    assert tell("--check").ret == ExitCode.STALE
    assert len(entries(old)) == 5
    assert tell("--prune").ret == ExitCode.OK
    assert len(entries(old)) == 4
    assert run_apart(*apart).ret == ExitCode.OK


@pytest.mark.parametrize("narrow", [("-k", "two"), ("tests/unit/test_old.py::test_two",)])
def test_a_run_that_left_tests_out_calls_nothing_stale(
    old: pytest.Pytester, tell: Tell, run_apart: Run, narrow: tuple[str, ...]
) -> None:
    """Only a whole run can tell that something no longer occurs."""
    tell()
    rewrite(old, 'open("two.txt", "w").close()', "pass")
    assert run_apart(*narrow).ret == ExitCode.OK


@pytest.mark.parametrize("body", ["assert False", "pytest.skip('not now')"])
def test_a_test_that_did_not_reach_its_end_may_still_do_it(
    old: pytest.Pytester, tell: Tell, run_apart: Run, body: str
) -> None:
    """A failed or skipped test is no proof that the violation is gone."""
    tell()
    rewrite(old, 'open("one.txt", "w").close()', body)
    result = run_apart()
    result.stdout.no_fnmatch_line("*stale*")
    assert result.ret != ExitCode.STALE


def test_a_renamed_test_is_told_with_the_entry_that_it_had(
    old: pytest.Pytester, tell: Tell, run_apart: Run
) -> None:
    """The violation is a new one, the entry is stale, and both name the other."""
    tell()
    rewrite(old, "def test_writes", "def test_writes_a_file")
    result = run_apart()
    assert result.ret == ExitCode.FAILED
    result.stdout.fnmatch_lines(
        [
            "    *::test_writes: tmp {tmp}: there is no such test; the closest is *_a_file",
            "*::test_writes_a_file does what is accepted of *::test_writes: if it was moved*",
        ]
    )


def test_it_grows_only_by_a_reason(old: pytest.Pytester, tell: Tell) -> None:
    """Run again it tells what is new and takes in nothing; with a reason it does, and keeps it."""
    tell()
    (old.path / "tests/unit/test_new.py").write_text(NEW.replace("\n    ", "\n"), encoding="utf-8")
    result = tell()
    assert result.ret == ExitCode.FAILED
    result.stdout.fnmatch_lines(["1 new, not accepted*", "*::test_new: write new.txt"])
    assert len(entries(old)) == 5
    assert tell("--accept-new", " ").ret == ExitCode.USAGE
    told = tell("--accept-new", "until the parser is replaced", "--json")
    assert told.ret == ExitCode.OK
    data = json.loads(told.stdout.str())
    assert [(one["test"], one["reason"], one["accepted"]) for one in data["new"]] == [
        ("tests/unit/test_new.py::test_new", "until the parser is replaced", True)
    ]
    assert len(entries(old)) == len(data["entries"]) == 6


def test_a_baseline_that_is_not_understood_stops_the_run(
    old: pytest.Pytester, run_apart: Run
) -> None:
    """Nothing is accepted by a file that nobody can read."""
    (old.path / NAME).write_text("{}", encoding="utf-8")
    result = run_apart()
    assert result.ret == ExitCode.USAGE
    result.stderr.fnmatch_lines(["*TW-CONFIG *its version is None, expected 1*"])


def test_report_mode_does_without(old: pytest.Pytester, tell: Tell, run_apart: Run) -> None:
    """Where nothing is blocked nothing has to be accepted, and all is told."""
    tell()
    result = run_apart("--tierwise-mode", "report")
    assert result.ret == ExitCode.OK
    result.stdout.no_fnmatch_line("baseline: *")
    result.stdout.fnmatch_lines(["tierwise: 6 tests, beyond their tiers: *"])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--check",), "*There is no tierwise-baseline.json to compare with*"),
        (("--check", "--prune"), "*--check writes nothing*"),
        (("tests/nowhere",), "*pytest ended with exit code 4*Nothing was written*"),
    ],
)
def test_misuse_is_told_and_writes_nothing(
    old: pytest.Pytester, tell: Tell, arguments: tuple[str, ...], complaint: str
) -> None:
    """Each says what to do instead."""
    result = tell(*arguments)
    assert result.ret == ExitCode.USAGE
    result.stderr.fnmatch_lines([complaint])
    assert not (old.path / NAME).exists()


def test_a_project_without_a_table_has_nothing_to_accept(project: Project, tell: Tell) -> None:
    """Nothing is declared, so nothing is violated: the way goes over `tierwise init`."""
    project({"test_it.py": "def test_it(): pass"}, None)
    result = tell()
    assert result.ret == ExitCode.USAGE
    result.stderr.fnmatch_lines(["*tierwise init*"])


def test_the_map_shows_what_is_left(
    old: pytest.Pytester, tell: Tell, run_apart: Run, pytester: pytest.Pytester
) -> None:
    """A level is not covered while any of its violations is only accepted."""
    tell()
    run_apart()
    result = pytester.run(sys.executable, "-m", "tierwise", "map", "--json")
    (unit,) = (row for row in json.loads(result.stdout.str()) if row["level"] == "unit")
    assert unit["status"] == "partial"
    assert "5 accepted violations left" in unit["reason"]
    (old.path / NAME).write_text('{"version": 1, "accepted": []}', encoding="utf-8")
    result = pytester.run(sys.executable, "-m", "tierwise", "map", "--json")
    (unit,) = (row for row in json.loads(result.stdout.str()) if row["level"] == "unit")
    assert "accepted" not in unit["reason"]


def test_what_is_touched_while_collecting_is_accepted_too(
    project: Project, tell: Tell, run_apart: Run
) -> None:
    """A module that reaches out when it is imported keeps no suite from being enforced."""
    importing = """
        import socket
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.connect(("192.0.2.1", 9))  # a datagram socket sends nothing by that
        def test_it(): pass
    """
    pytester = project({"tests/unit/test_it.py": importing}, ONE_TIER)
    assert run_apart().ret == pytest.ExitCode.INTERRUPTED
    assert tell().ret == ExitCode.OK
    assert entries(pytester) == [("collecting tests/unit/test_it.py", "network", "192.0.2.1:9")]
    assert run_apart().ret == ExitCode.OK
    (pytester.path / "tests/unit/test_it.py").write_text("def test_it(): pass")
    assert run_apart().ret == ExitCode.STALE


def test_what_a_test_does_in_its_home_is_accepted_where_pytest_will_see_it(
    project: Project, tell: Tell, run_apart: Run
) -> None:
    """The command gives tests the temporary home that they have when tiers are enforced."""
    home = """
    from pathlib import Path
    def test_home(): (Path.home() / "settings").write_text("x")
    """
    pytester = project({"tests/unit/test_home.py": home}, ONE_TIER)
    assert tell().ret == ExitCode.OK
    assert entries(pytester) == [("tests/unit/test_home.py::test_home", "tmp", "{tmp}")]
    assert run_apart().ret == ExitCode.OK
