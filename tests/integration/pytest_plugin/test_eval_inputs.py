"""What counts as an input of a trial: the project, code outside of it, and no output."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tierwise.config import load_config
from tierwise.pytest_plugin.eval_inputs import Inputs, OldOutputs, read_inputs
from tierwise.pytest_plugin.eval_outside import read_outside
from tierwise.records.inputs import name_changes

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a project with one module, beside which others may lie."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.tierwise]")
    (folder / "app.py").write_text("X = 1")
    return folder


def read(root: Path, *, old: OldOutputs | None = None) -> Inputs:
    holds: Callable[[str], bool] = (lambda _path: False) if old is None else old.holds
    return read_inputs(load_config(root), is_old_output=holds)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, url: str, **info: bool) -> None:
    """Install a package of which its installer has noted where it comes from."""
    meta = tmp_path / "installed" / "site-packages" / "beside-1.0.dist-info"
    write(meta / "METADATA", "Metadata-Version: 2.1\nName: beside\nVersion: 1.0\n")
    write(meta / "direct_url.json", json.dumps({"url": url, "dir_info": info}))
    monkeypatch.syspath_prepend(meta.parent)


def test_changes_are_named(root: Path) -> None:
    """Edited, added and gone, each by its path; what is the same is not."""
    write(root / "gone.md", "a")
    before = read(root)
    (root / "gone.md").unlink()
    write(root / "app.py", "X = 2")
    write(root / "prompts" / "new.txt", "b")
    now = read(root)
    assert before.hash != now.hash
    assert name_changes(before.entries, now.entries) == ("app.py", "gone.md", "prompts/new.txt")
    assert now.entries["package pytest"]
    assert now.entries["Python"].startswith("3.")


def test_a_folder_on_the_path_counts_loaded_or_not(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trial may import what no collection has."""
    lazy = write(tmp_path / "lib" / "pack" / "lazy.py", "X = 1")
    prompt = write(tmp_path / "lib" / "pack" / "prompt.txt", "Be kind.")
    monkeypatch.syspath_prepend(tmp_path / "lib")
    before = read(root)
    lazy.write_text("X = 2")
    prompt.write_text("Be terse.")
    assert name_changes(before.entries, read(root).entries) == (str(lazy), str(prompt))


def test_an_editable_install_counts_by_its_sources(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its version stays the same while it is edited."""
    source = write(tmp_path / "sibling dir" / "src" / "beside.py", "X = 1")
    install(monkeypatch, tmp_path, (tmp_path / "sibling dir").as_uri(), editable=True)
    before = read(root)
    source.write_text("X = 2")
    assert name_changes(before.entries, read(root).entries) == (str(source),)


@pytest.mark.parametrize("info", [{}, {"editable": False}])
def test_a_package_that_was_copied_counts_by_its_version(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, info: dict[str, bool]
) -> None:
    """Where it was copied from is nobody's code any more."""
    write(tmp_path / "sibling" / "beside.py", "X = 1")
    install(monkeypatch, tmp_path, (tmp_path / "sibling").as_uri(), **info)
    assert not any("sibling" in name for name in read(root).entries)


def test_a_module_loaded_from_anywhere_counts(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package by its whole folder, though nothing on the path leads to it."""
    package = tmp_path / "far" / "odd_package"
    loaded = write(package / "__init__.py", "")
    later = write(package / "later.py", "X = 1")
    single = write(tmp_path / "far" / "odd_module.py", "")
    write(tmp_path / "far" / "not_loaded.py", "")
    for name, file, folders in (
        ("odd_package", loaded, [str(package)]),
        ("odd_package.part", later, None),
        ("odd_module", single, None),
    ):
        module = type(sys)(name)
        module.__file__ = str(file)
        if folders:
            module.__path__ = folders
        monkeypatch.setitem(sys.modules, name, module)
    far = {name for name in read_outside(root) if "far" in Path(name).parts}
    assert far == {str(loaded), str(later), str(single)}


def test_neighbours_above_the_project_are_no_inputs(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test folder with an `__init__` puts what lies above on the path, and all beside it."""
    write(tmp_path / "other" / "app.py", "X = 1")
    monkeypatch.syspath_prepend(tmp_path)
    assert not any("other" in name for name in read(root).entries)


def test_a_library_above_the_project_counts_when_it_is_linked_in(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evals may be a project of their own within the one that they measure."""
    write(tmp_path / "app" / "__init__.py", "X = 1")
    install(monkeypatch, tmp_path, tmp_path.as_uri(), editable=True)
    assert str(tmp_path / "app" / "__init__.py") in read(root).entries
    assert not any("project" in Path(name).parts for name in read(root).entries)


def test_what_is_installed_and_what_is_ours_counts_by_its_version(root: Path) -> None:
    """Their files are many, and change with the version alone."""
    outside = [Path(name).parts for name in read_outside(root)]
    assert not any({"site-packages", "tierwise"} & set(parts) for parts in outside)


def test_a_folder_that_cannot_be_looked_through_is_no_known_state(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then nothing is taken over."""
    monkeypatch.setattr("tierwise.records.fingerprint._digest", refuse)
    assert read(root) == Inputs()


def refuse(*_arguments: object) -> bytes:
    raise PermissionError("not yours")


def test_output_of_the_run_is_no_input(root: Path) -> None:
    """A file that this process has open to write, as a shell opens what output is sent to."""
    before = read(root)
    with (root / "out.txt").open("w") as stream:
        print("half of it", file=stream, flush=True)
        during = read(root)
    assert (during.hash, during.outputs) == (before.hash, ("out.txt",))
    with (root / "out.txt").open():
        assert read(root).hash != before.hash


def test_output_of_an_earlier_run_is_no_input_until_it_is_edited(root: Path) -> None:
    """What a run left is not what the next one asks; what someone wrote since may be."""
    before = read(root)
    left = write(root / "out.txt", "the table")
    end = datetime.now(UTC)
    old = OldOutputs(root, {"out.txt": end.isoformat(timespec="seconds")})
    assert read(root, old=old).hash == before.hash
    later = (end + timedelta(minutes=1)).timestamp()
    os.utime(left, (later, later))
    assert read(root, old=old).hash != before.hash
