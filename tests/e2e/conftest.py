"""The installed commands, started in scratch projects as a newcomer would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Ended = subprocess.CompletedProcess[str]

BIN = Path(sys.executable).parent
# Coverage measures child processes through its variables; nothing else of ours gets in.
PASSED_ON = ("COV", "HOME", "LANG", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE")
# Plugins of ours that a newcomer need not have, so that tierwise alone makes a difference.
OTHERS_OFF = "-p no:randomly -p no:asyncio -p no:socket"


@pytest.fixture(scope="session")
def write() -> Callable[[Path, dict[str, str]], Path]:
    """Write the files of a project below a folder, and return the folder."""

    def write_files(root: Path, files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")
        return root

    return write_files


@pytest.fixture(scope="session")
def environ() -> dict[str, str]:
    """Return what a newcomer's shell would hand to a command."""
    kept = {name: v for name, v in os.environ.items() if name.startswith(PASSED_ON)}
    return kept | {
        "PATH": f"{BIN}{os.pathsep}{os.defpath}",
        "PYTEST_ADDOPTS": OTHERS_OFF,
        "TERM": "xterm-256color",  # a terminal that could show colours, were it one
    }


@pytest.fixture(scope="session")
def start(environ: dict[str, str]) -> Callable[..., Ended]:
    """Start an installed command in a folder; what it says goes into a pipe."""

    def start_command(root: Path, command: str, *args: str) -> Ended:
        return subprocess.run(
            [find_command(command), *args],
            cwd=root,
            env=environ,
            capture_output=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )

    return start_command


@pytest.fixture
def begin(environ: dict[str, str]) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start an installed command and return while it runs; it does not outlive the test."""
    begun: list[subprocess.Popen[str]] = []

    def begin_command(root: Path, command: str, *args: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [find_command(command), *args],
            cwd=root,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
        )
        begun.append(process)
        return process

    yield begin_command
    for process in begun:
        process.kill()
        process.communicate()


def find_command(name: str) -> str:
    """Return the path of an installed command."""
    program = shutil.which(name, path=str(BIN))
    assert program is not None, f"{name} is not installed beside {sys.executable}"
    return program
