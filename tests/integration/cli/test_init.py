import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tierwise.cli.init import command
from tierwise.config import load_config
from tierwise.domain import Mode
from tierwise.errors import ConfigError


def start(root: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    monkeypatch.chdir(root)
    return CliRunner().invoke(command, arguments, catch_exceptions=False, standalone_mode=False)


def make(root: Path, *folders: str) -> Path:
    for folder in folders:
        (root / folder).mkdir(parents=True)
    return root


def test_the_table_fits_the_folders_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Usual tiers and levels by their folders' names, in the order of the default tiers."""
    make(tmp_path, "tests/unit", "tests/evals", "tests/smoke", "tests/data", "src/omnia")
    (tmp_path / "src/omnia/__init__.py").touch()
    start(tmp_path, monkeypatch)
    config = load_config(tmp_path)
    assert {tier.name: tier.paths for tier in config.tiers} == {
        "unit": ("tests/unit",),
        "smoke": ("tests/smoke",),
        "evals": ("tests/evals",),
    }
    assert config.packages == ("src/omnia",)
    assert config.mode is Mode.ENFORCE


def test_what_was_there_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is appended; comments and values before it are untouched."""
    before = '# mine\n[project]\nname = "x"  # no newline at the end'
    (tmp_path / "pyproject.toml").write_text(before)
    start(tmp_path, monkeypatch)
    text = (tmp_path / "pyproject.toml").read_text()
    assert text.startswith(f"{before}\n\n[tool.tierwise]\n")
    assert tomllib.loads(text)["project"] == {"name": "x"}


def test_a_dry_run_prints_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is printed is the table alone, ready to paste."""
    make(tmp_path, "tests/unit")
    result = start(tmp_path, monkeypatch, "--dry-run")
    assert tomllib.loads(result.output)["tool"]["tierwise"]["tiers"]["unit"]["allow"] == []
    assert not (tmp_path / "pyproject.toml").exists()


@pytest.mark.parametrize("table", ["[tool.tierwise]\n", "[tool.tierwise.tiers.unit]\n"])
def test_a_second_table_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    """An existing table is never overwritten nor added to."""
    (tmp_path / "pyproject.toml").write_text(table)
    with pytest.raises(ConfigError, match=r"has a \[tool.tierwise\] table already"):
        start(tmp_path, monkeypatch)
    assert (tmp_path / "pyproject.toml").read_text() == table


@pytest.mark.parametrize("text", ["[project\n", "tool = { ruff = { line-length = 99 } }\n"])
def test_a_file_that_cannot_take_the_table_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """Broken TOML, or a closed inline table, is named and not made worse."""
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(ConfigError, match="Nothing was written"):
        start(tmp_path, monkeypatch)
    assert (tmp_path / "pyproject.toml").read_text() == text


def test_report_mode_can_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project may first watch what its tiers would block."""
    start(tmp_path, monkeypatch, "--mode", "report")
    assert load_config(tmp_path).mode is Mode.REPORT


def test_tests_beside_packages_are_unit_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A monorepo's packages/*/tests go to the unit tier."""
    make(tmp_path, "packages/core/tests", "tests/e2e")
    start(tmp_path, monkeypatch)
    tiers = {tier.name: tier.paths for tier in load_config(tmp_path).tiers}
    assert tiers == {
        "unit": ("packages/*/tests",),
        "e2e": ("tests/e2e",),
        "evals": ("tests/evals",),
    }


def test_what_comes_next_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose old suite turns red is told of the baseline."""
    said = start(make(tmp_path, "tests/unit"), monkeypatch).output
    assert said.endswith("tierwise baseline accepts what cannot be mended today.\n")
