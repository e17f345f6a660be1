"""`tierwise records` in real projects."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from tierwise.cli.records import command
from tierwise.domain import Outcome
from tierwise.errors import ConfigError, MisuseError, StoreError
from tierwise.records import RunInfo, RunStore, TestRow, drives

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project and stand in it."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[tool.tierwise]\n", encoding="utf-8")
    monkeypatch.chdir(root)
    return root


def a_run(root: Path, days_ago: int = 0, nodeid: str = "t.py::t") -> str:
    """Keep a run of one test that began so long ago."""
    with RunStore.open(root / ".tierwise" / "records.db") as store:
        run = store.start_run(RunInfo())
        store.add_test(
            run, TestRow(nodeid=nodeid, tier="unit", level="unit", outcome=Outcome.PASSED)
        )
        store.finish_run(run, exit_code=0)
    began = datetime.now(UTC) - timedelta(days=days_ago)
    connection = sqlite3.connect(root / ".tierwise" / "records.db")
    connection.execute(
        "UPDATE runs SET started_at = ? WHERE run_id = ?",
        (began.isoformat(timespec="seconds"), run),
    )
    connection.commit()
    connection.close()
    return run


def ask(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(command, list(arguments), input=given, standalone_mode=False)


def data(*arguments: str) -> Any:
    return json.loads(ask(*arguments, "--json").stdout)


def test_runs_go_from_one_project_to_another(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a file, or by stdout and stdin; a second time nothing is added."""
    run = a_run(project)
    assert ask("export", "--out", "ci.jsonl").stdout == "1 run written to ci.jsonl\n"
    lines = ask("export").stdout
    assert lines == (project / "ci.jsonl").read_text()
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / "pyproject.toml").write_text("[tool.tierwise]\n")
    monkeypatch.chdir(other)
    file = str(project / "ci.jsonl")
    assert data("import", file) == [{"file": file, "added": [run], "known": [], "rows": 2}]
    again = ask("import", "-", given=lines)
    assert again.stdout == "stdin: 0 runs taken in (0 rows), 1 there already\n"
    assert data("info")["n_imported"] == 1


def test_a_run_is_named_by_the_start_of_its_id(project: Path) -> None:
    """Or `last`; one that is not there is refused with those that are."""
    first, second = a_run(project), a_run(project)
    assert first in ask("export", "--run", first).stdout
    assert second not in ask("export", "--run", first).stdout
    assert second in ask("export", "--run", "last").stdout
    error = ask("export", "--run", "2").exception
    assert isinstance(error, MisuseError)
    assert "begins the ids of 2 runs" in str(error)
    assert "There is no run 'x'" in str(ask("export", "--run", "x").exception)


def test_a_file_that_cannot_be_taken_in_is_an_error(project: Path) -> None:
    """Not there, no text, or not understood; the store is as it was."""
    assert isinstance(ask("import", "none.jsonl").exception, MisuseError)
    (project / "bytes.jsonl").write_bytes(b"\xff")
    assert isinstance(ask("import", "bytes.jsonl").exception, MisuseError)
    (project / "bad.jsonl").write_text("{}")
    error = ask("import", "bad.jsonl").exception
    assert isinstance(error, StoreError)
    assert "bad.jsonl, line 1: it is not the head of an export" in str(error)


def test_a_store_that_cannot_be_written_is_exported(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From an artefact that was mounted; pruning it is refused."""
    a_run(project)
    monkeypatch.setattr("os.access", lambda *_: False)
    assert ask("export").return_value == 0
    assert data("info")["rows"]["tests"] == 1
    assert "cannot be written" in str(ask("prune", "--keep-runs", "1").exception)


def test_an_export_of_nothing_is_told(project: Path) -> None:
    """No run has ended: neither end of the exchange calls that fine."""
    RunStore.open(project / ".tierwise" / "records.db").close()
    result = ask("export", "--out", "ci.jsonl")
    assert result.return_value == 11
    assert "No run has ended yet" in result.stderr
    assert ask("export").return_value == 11
    result = ask("import", "ci.jsonl")
    assert result.return_value == 11
    assert "ci.jsonl holds no run" in result.stderr
    a_run(project)
    assert ask("export", "--out", "ci.jsonl").return_value == 0
    assert ask("import", "ci.jsonl").return_value == 0


def test_pruning_needs_a_policy(project: Path) -> None:
    """Without a number nothing is deleted, and the next step is named."""
    a_run(project, 400)
    error = ask("prune").exception
    assert isinstance(error, MisuseError)
    assert "--keep-days N" in str(error)
    assert data("info")["rows"]["runs"] == 1


def test_a_dry_run_deletes_nothing(project: Path) -> None:
    """It says what the same command would do."""
    old = a_run(project, 400)
    a_run(project)
    assert data("prune", "--keep-days", "30", "--dry-run")["gone"] == [old]
    assert data("info")["rows"]["runs"] == 2
    assert ask("prune", "--keep-days", "30").stdout == "1 run deleted (2 rows), 1 kept\n"
    assert data("info")["rows"]["runs"] == 1


def test_the_policy_is_written_in_the_project(project: Path) -> None:
    """Numbers of the command line take the place of both."""
    (project / "pyproject.toml").write_text("[tool.tierwise.records]\nkeep_runs = 1\n")
    old, new = a_run(project, 3), a_run(project)
    assert data("info")["would_go"] == [old]
    assert "keep the last 1 runs; pruning would delete 1 runs" in ask("info").stdout
    assert data("prune", "--keep-runs", "5", "--dry-run")["gone"] == []
    assert data("prune")["gone"] == [old]
    assert data("prune")["gone"] == []
    assert new in ask("export").stdout


@pytest.mark.parametrize(
    "file", ["tests/evals/test_e.py", ".github/workflows/ci.yml", "pyproject.toml"]
)
def test_a_baseline_that_a_file_names_stays(project: Path, file: str) -> None:
    """In a promise, in the steps of CI, or in the list of the policy."""
    old = a_run(project, 400)
    a_run(project)
    path = project / file
    path.parent.mkdir(parents=True, exist_ok=True)
    known = path.read_text() if path.exists() else ""
    path.write_text(f'{known}[tool.tierwise.records]\nkeep = ["{old[:-4]}"]\n')
    found = data("prune", "--keep-days", "30")
    assert found["gone"] == []
    assert found["held"] == {old: "it is named as a baseline"}


def test_without_a_store_the_next_step_is_named(project: Path) -> None:
    """Nothing is made by looking."""
    for arguments in (("info",), ("export",), ("prune", "--keep-runs", "1")):
        error = ask(*arguments).exception
        assert isinstance(error, MisuseError)
        assert "nothing was recorded in this project yet" in str(error)
    assert not (project / ".tierwise").exists()


@pytest.mark.parametrize("line", ["keep_days = 0", "keep_runs = 1.5", "keep = 'a'", "keeps = 1"])
def test_a_policy_that_is_not_understood_is_refused(project: Path, line: str) -> None:
    """Nothing is deleted by a typing error."""
    (project / "pyproject.toml").write_text(f"[tool.tierwise.records]\n{line}\n")
    assert isinstance(ask("prune").exception, ConfigError)


def test_a_store_on_a_network_drive_is_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason and the way out; the setting lets it be."""
    (project / "ci.jsonl").write_text("{}")
    monkeypatch.setattr(drives, "read_network_kind", lambda _path: "nfs4")
    error = ask("import", "ci.jsonl").exception
    assert isinstance(error, StoreError)
    assert "on a network drive (nfs4)" in str(error)
    assert "network_drive = true" in str(error)
    assert not (project / ".tierwise").exists()
    (project / "pyproject.toml").write_text("[tool.tierwise.records]\nnetwork_drive = true\n")
    assert "not the head of an export" in str(ask("import", "ci.jsonl").exception)


def test_the_kind_of_a_real_drive_is_read(tmp_path: Path) -> None:
    """Wherever these tests run, temporary files are on a drive of this machine."""
    assert drives.read_network_kind(tmp_path / "not" / "yet" / "there.db") == ""
