from pathlib import Path

import pytest

from tierwise.config import load_config
from tierwise.domain import Mode
from tierwise.errors import ConfigError


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_without_pyproject_reports(tmp_path: Path) -> None:
    """No file means report mode at that very folder."""
    config = load_config(tmp_path)
    assert (config.mode, config.root, config.declared) == (Mode.REPORT, tmp_path, False)


def test_a_pyproject_without_our_table_reports(tmp_path: Path) -> None:
    """Another tool's file, even one that names tierwise as a dependency, declares nothing."""
    write(tmp_path, '[project]\nname = "x"\ndependencies = ["tierwise"]\n')
    assert not load_config(tmp_path).declared


def test_an_empty_table_is_a_declaration(tmp_path: Path) -> None:
    """`[tool.tierwise]` alone switches enforcement on."""
    write(tmp_path, "[tool.tierwise]\n")
    config = load_config(tmp_path)
    assert (config.declared, config.mode) == (True, Mode.ENFORCE)


def test_the_command_line_mode_reaches_the_config(tmp_path: Path) -> None:
    """The mode that is passed wins over the written one."""
    write(tmp_path, '[tool.tierwise]\nmode = "enforce"\n')
    assert load_config(tmp_path, mode=Mode.REPORT).mode is Mode.REPORT


def test_the_table_of_the_repository_counts_in_a_package_below(tmp_path: Path) -> None:
    """A package of a monorepo finds the table above it, and paths start at that folder."""
    (tmp_path / ".git").mkdir()
    write(tmp_path, "[tool.tierwise]\n")
    package = write(tmp_path / "packages" / "core", '[project]\nname = "core"\n')
    assert load_config(package).root == tmp_path


def test_the_search_ends_at_the_top_of_the_repository(tmp_path: Path) -> None:
    """A table outside the repository belongs to someone else."""
    write(tmp_path, "[tool.tierwise]\n")
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    assert not load_config(tmp_path / "repo").declared


def test_without_a_repository_only_the_root_counts(tmp_path: Path) -> None:
    """A folder that is no repository does not look above itself."""
    write(tmp_path, "[tool.tierwise]\n")
    (tmp_path / "below").mkdir()
    assert not load_config(tmp_path / "below").declared


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[tool.tierwise\n", "is not valid TOML"),
        ("[tool]\ntierwise = 3\n", "expected a table [tool.tierwise]"),
        ("[tool.tierwise]\nmodes = 3\n", "Did you mean 'mode'?"),
    ],
)
def test_a_file_that_cannot_be_understood_is_refused(
    tmp_path: Path, text: str, complaint: str
) -> None:
    """Broken TOML and wrong values are errors of ours with their place, not tracebacks."""
    write(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert complaint in str(caught.value)
    assert "pyproject.toml" in str(caught.value)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are named, not ignored."""
    (tmp_path / "pyproject.toml").write_bytes(b"# tierwise \xff\xfe")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path)
