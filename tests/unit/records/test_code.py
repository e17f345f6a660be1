"""What counts as code, and that its hash tells states apart."""

from __future__ import annotations

import pytest

from tierwise.records.code import hash_code, is_code, is_content, is_input, is_left_out


@pytest.mark.parametrize("name", ["a.py", "a.pyi", "pyproject.toml", "setup.cfg", "pytest.ini"])
def test_python_and_configuration_are_code(name: str) -> None:
    """These files can change a result wherever they lie."""
    assert is_code(name)
    assert is_content(name)


def test_what_prompts_and_cases_are_written_in_is_input() -> None:
    """A prompt beside the code decides about a trial; a log or a data base does not."""
    assert all(is_input(name) for name in ("a.py", "system.md", "cases.jsonl", "ask.j2"))
    assert not any(is_input(name) for name in ("run.log", "records.db", ".notes.md", "a.png"))


def test_data_counts_as_content_and_litter_does_not() -> None:
    """A case file beside a test matters; a compiled file or an editor's leftover does not."""
    assert not is_code("cases.json")
    assert is_content("cases.json")
    assert not any(is_content(name) for name in (".DS_Store", ".a.py.swp", "a.pyc"))
    assert is_content(".hidden.py")


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        (".git", []),
        ("__pycache__", []),
        ("node_modules", []),
        ("site-packages", []),
        ("omnia.egg-info", []),
        ("dist", []),
        ("build", ["lib"]),
        ("env", ["pyvenv.cfg"]),
    ],
)
def test_what_is_not_the_project_s_own_is_left_out(folder: str, names: list[str]) -> None:
    """Hidden folders, caches, environments and built files are nobody's source."""
    assert is_left_out(folder, names)


def test_folders_of_code_are_not_left_out() -> None:
    """A package may be called build."""
    assert not is_left_out("src", [])
    assert not is_left_out("build", ["__init__.py"])


def test_the_hash_depends_on_paths_and_contents_alone() -> None:
    """The order of reading does not matter; a name, a byte or a border between files does."""
    files = [("a.py", b"1"), ("b.py", b"2")]
    whole = hash_code(files)
    assert whole == hash_code(reversed(files))
    others = [
        [("a.py", b"1"), ("c.py", b"2")],
        [("a.py", b"1"), ("b.py", b"3")],
        [("a.py", b"2"), ("b.py", b"1")],
        [("a.py", b"1b.py2")],
        [("a.py", b"1")],
    ]
    assert whole not in [hash_code(other) for other in others]
