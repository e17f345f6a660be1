"""`tierwise map` in a real project with a real store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tierwise.cli.map import command
from tierwise.config import load_config
from tierwise.domain import Outcome
from tierwise.records import RunInfo, RunStore, TestRow, read_fingerprint

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project with the default tiers and stand in it."""
    (tmp_path / "pyproject.toml").write_text("[tool.tierwise]\n", encoding="utf-8")
    (tmp_path / "tests/unit").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def keep_result(project: Path, outcome: Outcome, *, whole: bool = True) -> None:
    """Write one result of a unit test to the project's store."""
    with RunStore.open(project / ".tierwise" / "records.db") as store:
        code = read_fingerprint(project, whole=load_config(project).code_paths)
        run = store.start_run(RunInfo(code_hash=code))
        row = TestRow(nodeid="tests/unit/t.py::test", tier="unit", level="unit", outcome=outcome)
        store.add_test(run, row)
        store.finish_run(run, exit_code=0, complete_tiers=["unit"] if whole else [])


def levels_of(output: str) -> dict[str, str]:
    """Return level -> status of a map printed as JSON."""
    return {row["level"]: row["status"] for row in json.loads(output)}


def test_without_records_everything_is_a_gap_and_the_next_step_is_named(project: Path) -> None:
    """An empty project is told what to run; nothing is written by looking."""
    result = CliRunner().invoke(command, [])
    assert result.exit_code == 0
    assert "0 covered, 0 partial, 12 gap" in result.output
    assert "Nothing is recorded yet. Run `pytest`" in result.output
    assert not (project / ".tierwise").exists()


def test_without_a_table_init_comes_first(project: Path) -> None:
    """Report mode records nothing, so that running pytest alone would not fill the map."""
    (project / "pyproject.toml").unlink()
    printed = CliRunner().invoke(command, []).output
    assert printed.partition("12 gap\n")[2] == (
        "Nothing is recorded: this project has no [tool.tierwise] table. Run `tierwise init`, "
        "which writes one, then `pytest`, then `tierwise map` again.\n"
    )


@pytest.mark.parametrize("mode", ["report", "off"])
def test_a_mode_that_records_nothing_is_named(project: Path, mode: str) -> None:
    """Running pytest again and again would not fill the map."""
    (project / "pyproject.toml").write_text(f'[tool.tierwise]\nmode = "{mode}"\n')
    printed = CliRunner().invoke(command, []).output
    assert printed.partition("12 gap\n")[2] == (
        f'Nothing is recorded yet: mode = "{mode}" in [tool.tierwise] records no tests. '
        'Set mode = "enforce", then run `pytest`, then `tierwise map` again.\n'
    )
    keep_result(project, Outcome.PASSED)
    assert f'from .tierwise/records.db: mode = "{mode}"' in CliRunner().invoke(command, []).output


@pytest.mark.parametrize("columns", ["", "60"])
def test_a_pipe_is_as_wide_as_columns_says_or_wide_enough(
    project: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    """A row of the map takes one line of a pipe, unless COLUMNS asks for less."""
    (project / "pyproject.toml").write_text(
        f'[tool.tierwise.tiers.unit]\nlevel = "unit"\npaths = ["u"]\nquestion = "{"so " * 25}?"'
    )
    monkeypatch.setenv("COLUMNS", columns)
    printed = CliRunner().invoke(command, ["--by", "tier"]).output
    assert (f"{'so ' * 25}?" in printed) is (columns == "")


def test_a_recorded_pass_covers_its_level(project: Path) -> None:
    """One passed unit test in the store makes the unit level covered."""
    keep_result(project, Outcome.PASSED)
    assert levels_of(CliRunner().invoke(command, ["--json"]).output)["unit"] == "covered"


def reason_of_unit() -> str:
    """Return what the map says of the unit level."""
    rows = json.loads(CliRunner().invoke(command, ["--json"]).output)
    return next(str(row["reason"]) for row in rows if row["level"] == "unit")


def test_an_edit_makes_results_old_and_a_commit_does_not(project: Path) -> None:
    """What was tested is the files, whether or not they are committed."""
    keep_result(project, Outcome.PASSED)
    (project / ".git/HEAD").write_text("a" * 40)
    assert reason_of_unit() == "all 1 passed on this state of the code"
    (project / "rules.py").write_text("LIMIT = 3\n")
    assert reason_of_unit() == "1 from another state of the code"


def test_a_run_of_a_part_does_not_cover_a_level(project: Path) -> None:
    """One test of many says nothing about the others."""
    keep_result(project, Outcome.PASSED, whole=False)
    assert reason_of_unit() == '"unit" was never run whole'


def test_a_recorded_error_leaves_its_level_partial(project: Path) -> None:
    """Could-not-tell is not covered."""
    keep_result(project, Outcome.ERROR)
    assert levels_of(CliRunner().invoke(command, ["--json"]).output)["unit"] == "partial"


def test_a_folder_below_the_project_shows_the_project_s_map(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command works from any folder of the project."""
    keep_result(project, Outcome.PASSED)
    monkeypatch.chdir(project / "tests/unit")
    assert levels_of(CliRunner().invoke(command, ["--json"]).output)["unit"] == "covered"


def test_by_tier_shows_the_project_s_own_tiers(project: Path) -> None:
    """--by tier has one row a declared tier, with its number of tests."""
    keep_result(project, Outcome.PASSED)
    printed = CliRunner().invoke(command, ["--by", "tier", "--json"]).output
    assert {row["tier"]: row["tests"] for row in json.loads(printed)} == {
        "unit": 1,
        "integration": 0,
        "e2e": 0,
        "live": 0,
        "evals": 0,
    }


def test_tests_that_no_tier_claims_are_told(project: Path) -> None:
    """No level counts them, so that a failure among them shows nowhere else."""
    with RunStore.open(project / ".tierwise" / "records.db") as store:
        run = store.start_run(RunInfo())
        for name, outcome in (("a", Outcome.PASSED), ("b", Outcome.FAILED)):
            row = TestRow(nodeid=f"x.py::{name}", tier=None, level=None, outcome=outcome)
            store.add_test(run, row)
    printed = CliRunner().invoke(command, []).output
    assert "2 tests that no tier claims, and no level counts: 1 passed, 1 failed" in printed
