"""`tierwise requirements` in a real project."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from tierwise.cli.requirements import command
from tierwise.config import load_config
from tierwise.domain import Outcome
from tierwise.errors import ConfigError, ExitCode
from tierwise.records import RunInfo, RunStore, TestRow, read_fingerprint

if TYPE_CHECKING:
    from pathlib import Path

TESTS = "def test_a(): pass\ndef test_b(): pass\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project with a file of requirements and stand in it."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.tierwise.requirements]\nfile = "PRODUCT.md"\n', encoding="utf-8"
    )
    (tmp_path / "PRODUCT.md").write_text("|ID|Text|\n|-|-|\n|R-1|One.|\n|R-2|Two.|\n")
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def keep(
    project: Path,
    outcomes: dict[str, Outcome],
    links: dict[str, list[str]],
    *,
    whole: tuple[str, ...] = (),
) -> None:
    """Keep a run of these tests, and what was collected for requirements in it."""
    with RunStore.open(project / ".tierwise" / "records.db") as store:
        code = read_fingerprint(project, whole=load_config(project).code_paths)
        run = store.start_run(RunInfo(code_hash=code))
        for nodeid, outcome in outcomes.items():
            row = TestRow(
                nodeid=nodeid,
                tier="unit",
                level="unit",
                outcome=outcome,
                requirements=tuple(links.get(nodeid, ())),
            )
            store.add_test(run, row)
        store.add_requirements(run, links)
        store.finish_run(run, exit_code=0, complete_tiers=whole)


def ask(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), standalone_mode=False)


def matrix() -> dict[str, Any]:
    return {row["id"]: row for row in json.loads(ask("--json").stdout)}


def test_the_matrix_names_the_evidence(project: Path) -> None:
    """Each requirement with its tests, each test with its result."""
    links = {"test_it.py::test_a": ["R-1"], "test_it.py::test_b": ["R-1", "R-3"]}
    outcomes = {"test_it.py::test_a": Outcome.PASSED, "test_it.py::test_b": Outcome.PASSED}
    keep(project, outcomes, links)
    found = matrix()
    assert {name: row["proof"] for name, row in found.items()} == {
        "R-1": "verified",
        "R-2": "untested",
        "R-3": "unknown",
    }
    assert [test["nodeid"] for test in found["R-1"]["tests"]] == sorted(links)
    printed = ask().stdout
    assert "3 requirements: 1 verified, 1 untested, 1 unknown" in printed
    assert ask("--check").return_value == ExitCode.FAILED


def test_a_test_that_was_collected_and_left_out_is_not_run(project: Path) -> None:
    """One that passed does not speak for one that was deselected."""
    links = {"test_it.py::test_a": ["R-1"], "test_it.py::test_b": ["R-1"]}
    keep(project, {"test_it.py::test_a": Outcome.PASSED}, links)
    assert matrix()["R-1"]["reason"] == "1 not run"


def test_an_edit_makes_the_evidence_stale(project: Path) -> None:
    """What passed on other code proves nothing of this."""
    keep(project, {"test_it.py::test_a": Outcome.PASSED}, {"test_it.py::test_a": ["R-1"]})
    assert matrix()["R-1"]["proof"] == "verified"
    (project / "rules.py").write_text("LIMIT = 3\n")
    assert matrix()["R-1"]["reason"] == "1 from another state of the code"


def test_a_test_that_is_gone_is_no_evidence_and_no_doubt(project: Path) -> None:
    """It was deleted; whatever it came to, the requirement lost it."""
    outcomes = {"test_it.py::test_a": Outcome.FAILED}
    keep(project, outcomes, {"test_it.py::test_a": ["R-1"]})
    (project / "test_it.py").write_text("def test_b(): pass\n")
    assert matrix()["R-1"]["proof"] == "untested"


def test_a_parameter_that_is_gone_is_no_doubt(project: Path) -> None:
    """Its function is still written; the tier's whole run did not see it any more."""
    names = {f"test_it.py::test_a[{n}]": ["R-1"] for n in (1, 2)}
    outcomes = dict(zip(names, (Outcome.PASSED, Outcome.FAILED), strict=True))
    keep(project, outcomes, names, whole=("unit",))
    (project / "test_it.py").write_text("def test_a(): pass\n")
    first = next(iter(names))
    keep(project, {first: Outcome.PASSED}, {first: ["R-1"]})
    assert matrix()["R-1"]["proof"] == "unverified"
    keep(project, {first: Outcome.PASSED}, {first: ["R-1"]}, whole=("unit",))
    assert matrix()["R-1"]["proof"] == "verified"


def test_a_file_may_begin_with_a_mark_of_its_encoding(project: Path) -> None:
    """Some editors write one."""
    (project / "PRODUCT.md").write_text("\ufeff|ID|Text|\r\n|-|-|\r\n|R-1|One.|\r\n", newline="")
    assert list(matrix()) == ["R-1"]


def test_a_test_that_nobody_wrote_counts_while_it_is_collected(project: Path) -> None:
    """Made by code, it is in no syntax tree; on this state of the code it is known to exist."""
    outcomes = {"test_it.py::test_made": Outcome.FAILED}
    keep(project, outcomes, {"test_it.py::test_made": ["R-1"]})
    assert matrix()["R-1"]["reason"] == "1 failed"


def test_without_a_store_every_requirement_is_untested(project: Path) -> None:
    """Nothing recorded is nothing verified."""
    assert {row["proof"] for row in matrix().values()} == {"untested"}
    assert not (project / ".tierwise").exists()


def test_without_a_file_and_marks_the_next_step_is_named(project: Path) -> None:
    """A check of nothing ends with 11."""
    (project / "pyproject.toml").write_text("[tool.tierwise]\n")
    assert "@pytest.mark.requirement" in ask().stdout
    assert ask("--check").return_value == ExitCode.NOTHING_OBSERVED
    keep(project, {"test_it.py::test_a": Outcome.PASSED}, {"test_it.py::test_a": ["R-1"]})
    assert "name a file of all of them" in ask().stdout
    assert ask("--check").return_value == ExitCode.OK


def test_a_file_that_cannot_be_read_is_an_error(project: Path) -> None:
    """It says which file, and where it is named."""
    (project / "PRODUCT.md").unlink()
    error = ask().exception
    assert isinstance(error, ConfigError)
    assert "[tool.tierwise.requirements]: the file PRODUCT.md cannot be read" in str(error)
