"""`tierwise` itself: help, version, and what it says to a typing mistake."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from tierwise.cli import _COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

Start = Callable[..., subprocess.CompletedProcess[str]]

SUBCOMMANDS = (
    "eval",
    "eval run",
    "explain",
    "init",
    "map",
    "model",
    "model install",
    "model list",
    "report",
)


def test_help_names_each_command(tmp_path: Path, start: Start) -> None:
    """`tierwise --help` lists what there is, with a line on each."""
    done = start(tmp_path, "tierwise", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    listed = [line.split() for line in done.stdout.partition("Commands:")[2].splitlines() if line]
    assert [words[0] for words in listed] == sorted(_COMMANDS)
    assert all(len(words) > 3 for words in listed)


@pytest.mark.parametrize("command", SUBCOMMANDS)
def test_each_subcommand_has_help(tmp_path: Path, start: Start, command: str) -> None:
    """`--help` of a subcommand shows how it is called and what it does."""
    done = start(tmp_path, "tierwise", *command.split(), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    usage, _, rest = done.stdout.partition("\n")
    assert usage.startswith(f"Usage: tierwise {command} ")
    assert len(rest.strip().splitlines()[0].split()) > 3
    assert ",..." not in rest


def test_a_default_is_shown_as_it_is_written(tmp_path: Path, start: Start) -> None:
    """`tierwise init --help` names the mode as pyproject.toml spells it."""
    assert "[default: enforce]" in start(tmp_path, "tierwise", "init", "--help").stdout


def test_the_version_is_that_of_the_package(tmp_path: Path, start: Start) -> None:
    """`tierwise --version` says the installed version."""
    done = start(tmp_path, "tierwise", "--version")
    assert (done.returncode, done.stdout) == (0, f"tierwise, version {version('tierwise')}\n")


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        ("evl", "There is no command 'evl'. Did you mean 'eval'?"),
        ("eval rn", "Did you mean 'run'?"),
        ("eval run --tierr x", "Did you mean '--tier'?"),
    ],
)
def test_a_typing_mistake_gets_the_closest_match(
    tmp_path: Path, start: Start, args: str, hint: str
) -> None:
    """What is unknown ends with 4, names the closest word, and prints no traceback."""
    done = start(tmp_path, "tierwise", *args.split())
    assert (done.returncode, done.stdout) == (4, "")
    assert hint in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_is_written_by_looking(tmp_path: Path, start: Start) -> None:
    """Reading commands leave an empty folder empty, and say that nothing is recorded."""
    assert "12 gap" in start(tmp_path, "tierwise", "map").stdout
    assert "smollm2" in start(tmp_path, "tierwise", "model", "list").stdout
    assert list(tmp_path.iterdir()) == []
