"""Evals that are interrupted wherever they are, and bodies that let nothing end them."""

from __future__ import annotations

import json
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import ExitCode

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Begin = Callable[..., subprocess.Popen[str]]
    Start = Callable[..., subprocess.CompletedProcess[str]]
    Write = Callable[[Path, dict[str, str]], Path]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")

HEAD = """
import asyncio, signal, time
import pytest
from pathlib import Path
from tierwise.evals import evaluate, never

# A test run in the background may have inherited a SIGINT that is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
DECLARED = {"cases": ["q"], "expect": [never("leak", below=0.9)], "stop": "fixed"}

def reached():
    Path("reached").touch()
"""
BLOCKING = """
@evaluate(trials=4, timeout_s=1, **DECLARED)
async def test_it(case, trial):
    trial.score(leak=False)
    while trial.index > 1:
        reached()
        try:
            time.sleep(0.05)
        except BaseException:
            pass
"""
SWALLOWING = """
@evaluate(trials=1, timeout_s=0.1, **DECLARED)
async def test_it(case, trial):
    trial.score(leak=False)
    while True:
        try:
            await asyncio.sleep(100)
        except BaseException:
            pass
"""
FIXTURE = """
@pytest.fixture(scope="session")
def world():
    reached()
    try:
        time.sleep(50)
        yield
    finally:
        Path("cleaned").touch()

@evaluate(trials=1, **DECLARED)
def test_it(case, trial, world):
    trial.score(leak=False)
"""
IMPORTED = """
reached()
time.sleep(50)

@evaluate(trials=1, **DECLARED)
def test_it(case, trial):
    trial.score(leak=False)
"""


def make(write: Write, root: Path, body: str) -> Path:
    table = '[tool.tierwise.tiers.evals]\npaths = ["tests/evals"]\nlevel = "acceptance"\n'
    table += 'deliberate = true\nallow = ["sleep", "write"]\n'
    return write(root, {"pyproject.toml": table, "tests/evals/test_it.py": HEAD + body})


def wait_until_reached(root: Path, process: subprocess.Popen[str]) -> None:
    while not (root / "reached").exists() and process.poll() is None:
        time.sleep(0.01)


def read(said: str) -> Any:
    return json.loads(said)


def test_a_body_that_blocks_and_swallows_is_ended_by_the_second_signal(
    tmp_path: Path, write: Write, begin: Begin
) -> None:
    """What had ended is written, and a program that reads along gets its document."""
    root = make(write, tmp_path, BLOCKING)
    process = begin(root, "tierwise", "eval", "run", "--json", "--concurrency", "2")
    wait_until_reached(root, process)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGINT)
    said, told = process.communicate(timeout=50)
    assert process.returncode == ExitCode.INTERRUPTED, told
    found = read(said)
    assert found["exit_code"] == ExitCode.INTERRUPTED
    assert "interrupted after 2 of 4 trials: kept in the store" in found["error"]
    assert "interrupted after 2 of 4 trials: kept in the store" in told


def test_a_body_that_swallows_its_end_does_not_keep_the_process_alive(
    tmp_path: Path, write: Write, start: Start
) -> None:
    """The table is printed, and the command ends."""
    ended = start(make(write, tmp_path, SWALLOWING), "tierwise", "eval", "run")
    assert ended.returncode == ExitCode.NOTHING_OBSERVED, ended.stderr
    assert "UNDECIDED" in ended.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("is_json", [True, False])
def test_a_fixture_that_is_interrupted_is_cleaned_up(
    tmp_path: Path, write: Write, begin: Begin, number: signal.Signals, *, is_json: bool
) -> None:
    """SIGTERM does what Ctrl-C does, also before the first trial."""
    root = make(write, tmp_path, FIXTURE)
    process = begin(root, "tierwise", "eval", "run", *["--json"] * is_json)
    wait_until_reached(root, process)
    process.send_signal(number)
    said, told = process.communicate(timeout=50)
    assert process.returncode == ExitCode.INTERRUPTED, told
    assert (root / "cleaned").exists()
    assert "interrupted while no trial ran: 0 of 1 evals were judged." in told
    assert "Traceback" not in said + told
    if is_json:
        found = read(said)
        assert found["error"].startswith("interrupted while no trial ran")
        assert found["not_run"] == ["tests/evals/test_it.py::test_it: not reached"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_import_that_is_interrupted_ends_with_a_document(
    tmp_path: Path, write: Write, begin: Begin, number: signal.Signals
) -> None:
    """Collecting is part of the run."""
    root = make(write, tmp_path, IMPORTED)
    process = begin(root, "tierwise", "eval", "run", "--json")
    wait_until_reached(root, process)
    process.send_signal(number)
    said, told = process.communicate(timeout=50)
    assert process.returncode == ExitCode.INTERRUPTED, told
    found = read(said)
    assert found["error"].startswith("interrupted")
    assert len(found["error"]) < 300
