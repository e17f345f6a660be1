"""The first minutes: nothing is changed, one line is said, and `tierwise init` leads on."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Ended = subprocess.CompletedProcess[str]
Start = Callable[..., Ended]
Write = Callable[[Path, dict[str, str]], Path]

THREE_FILES = {
    "weather.py": """
        def describe(celsius):
            return "warm" if celsius >= 20 else "cold"
    """,
    "test_weather.py": """
        import time
        from weather import describe

        def test_z_twenty_degrees_are_warm():
            assert describe(20) == "warm"

        def test_a_it_can_wait():
            time.sleep(0.01)
    """,
    "test_diary.py": """
        def test_m_a_line_is_kept(tmp_path):
            (tmp_path / "diary").write_text("rain")
            assert (tmp_path / "diary").read_text() == "rain"

        def test_b_a_page_is_kept():
            open("diary.txt", "w").close()
    """,
}
RED = {
    "test_red.py": """
        import pytest

        @pytest.mark.parametrize("number", [3, 1, 2])
        def test_red(number):
            assert number == 0
    """
}
SAID = re.compile(r"^tierwise: .*\n", re.MULTILINE)


def plain(out: str) -> str:
    """Return what pytest said without what differs between any two runs, and our line."""
    out = re.sub(r"tierwise-[\w.]+(, )?|\nplugins: *(?=\n)", "", out)
    out = re.sub(r"rootdir: .*|/\S*pytest-of-\S+", "(place)", out)
    return re.sub(r"[\d.]+ ?s\b|0x\w+", "(time)", SAID.sub("", out))


def files_below(root: Path) -> dict[str, bytes]:
    """Return all files by path; of bytecode, which holds times, only that it is there."""
    return {
        path.relative_to(root).as_posix(): b"" if path.suffix == ".pyc" else path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("extra", "args", "code"), [({}, (), 0), (RED, ("-v",), 1)], ids=["green", "red"]
)
def test_installing_changes_nothing_but_one_line(  # noqa: PLR0917  fixtures
    tmp_path: Path,
    write: Write,
    start: Start,
    extra: dict[str, str],
    args: tuple[str, ...],
    code: int,
) -> None:
    """Three files and no configuration: same order, same result, same files, one line more."""
    with_it = write(tmp_path / "with", THREE_FILES | extra)
    without = write(tmp_path / "without", THREE_FILES | extra)
    ended, expected = (
        start(with_it, "pytest", *args),
        start(without, "pytest", "-p", "no:tierwise", *args),
    )
    assert (ended.returncode, expected.returncode) == (code, code)
    assert len(SAID.findall(ended.stdout)) == 1
    assert plain(ended.stdout) == plain(expected.stdout)
    assert ended.stderr == expected.stderr == ""
    assert files_below(with_it) == files_below(without)


def test_the_one_line_says_what_the_tests_touch(
    tmp_path: Path, write: Write, start: Start
) -> None:
    """The line counts the tests of each kind of touch, names one target and the way on."""
    (line,) = SAID.findall(start(write(tmp_path, THREE_FILES), "pytest").stdout)
    assert line.startswith("tierwise: 4 tests: ")
    for told in (
        "1 changed files (diary.txt)",
        "1 waited by the real clock (0.01 s)",
        "1 used temporary files (",
        "Nothing was blocked",
        "tierwise init",
    ):
        assert told in line


def test_init_then_pytest_is_green(tmp_path: Path, write: Write, start: Start) -> None:
    """`tierwise init` writes a table that fits the folders, and the next run holds tests to it."""
    root = write(
        tmp_path,
        {
            "weather/__init__.py": THREE_FILES["weather.py"],
            "tests/unit/test_weather.py": "def test_it():\n    assert True\n",
            "tests/integration/test_diary.py": """
                def test_a_line_is_kept(tmp_path):
                    (tmp_path / "diary").write_text("rain")
            """,
        },
    )
    done = start(root, "tierwise", "init")
    assert (done.returncode, done.stderr) == (0, "")
    written = (root / "pyproject.toml").read_text(encoding="utf-8")
    assert written.strip() in done.stdout
    assert "[tool.tierwise.tiers.unit]" in written
    ended = start(root, "pytest")
    assert ended.returncode == 0
    assert re.search(r"^unit +1 passed .* 0 violations$", ended.stdout, re.MULTILINE)
    assert re.search(r"^integration +1 passed .* 0 violations$", ended.stdout, re.MULTILINE)


def test_init_leaves_a_table_alone(tmp_path: Path, write: Write, start: Start) -> None:
    """A second `tierwise init` is refused and writes nothing."""
    root = write(tmp_path, {"pyproject.toml": "[tool.tierwise]\n"})
    done = start(root, "tierwise", "init")
    assert done.returncode == 4
    assert "has a [tool.tierwise] table already" in done.stderr
    assert files_below(root) == {"pyproject.toml": b"[tool.tierwise]\n"}
