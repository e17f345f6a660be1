"""Evals on two workers of a Ray cluster: the same rows as here, whatever dies on the way."""

from __future__ import annotations

import json
import os
import secrets
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Write = Callable[[Path, dict[str, str]], Path]
    Ended = subprocess.CompletedProcess[str]
    Run = Callable[..., Ended]

pytestmark = pytest.mark.skipif(
    find_spec("ray") is None, reason="unobservable: ray is not installed (tierwise[ray])"
)

# Who joins a cluster has its token, and nobody else on this machine joins this one.
AUTH = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
CLUSTER = """
import os, sys
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
import ray
ray.init(
    address="local",
    num_cpus=2,
    include_dashboard=False,
    configure_logging=False,
    log_to_driver=False,
)
print(ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
"""
HEAD = """
import asyncio, os, threading
from pathlib import Path
import pytest
from tierwise.domain import Message
from tierwise.evals import at_least, at_most, evaluate
from tierwise.providers import Request

IS_WORKER = threading.current_thread() is not threading.main_thread()

async def meet():
    # Nobody goes ahead before both workers are there.
    place = Path(os.getcwd()) / "met"
    place.mkdir(exist_ok=True)
    (place / str(os.getpid())).touch()
    while IS_WORKER and len(list(place.iterdir())) < 3:
        await asyncio.sleep(0.02)

async def ask(provider, trial, text):
    request = Request(messages=(Message(role="user", content=text),))
    return trial.require(await provider.generate(request)).text
"""
PLAIN = (
    HEAD
    + """
@evaluate(cases=["a", "b", "c"], trials=10, expect=[at_most("leak", 0.9)], stop="fixed")
async def test_leaks(case, provider, trial):
    trial.score(leak="heron" in await ask(provider, trial, case))
    trial.note(str(os.getpid()))
"""
)
NARROW = (
    HEAD
    + """
@pytest.fixture(scope="module")
def town():
    return "Bree"

@evaluate(cases=["x"], trials=6, expect=[at_least("passed", 0.1)], stop="fixed")
async def test_the_town(case, provider, trial, town):
    answer = await ask(provider, trial, f"{case} of {town}")
    trial.score(length=float(len(answer)))
    index = trial.index
    assert index % 3, "every third fails"
"""
)
CONFIG = """
[tool.tierwise.tiers.evals]
level = "acceptance"
paths = ["tests/evals"]
allow = ["tmp", "read", "sleep", "write"]
deliberate = true

[tool.tierwise.evals]
provider = "simulated:rate=0.3,secret=the blue heron"
"""


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """Start a cluster of two CPUs, which ends with its standard input."""
    command = [sys.executable, "-W", "ignore", "-c", CLUSTER]
    with subprocess.Popen(
        command,
        env={**os.environ, **AUTH},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, "the cluster did not start"
        yield address
        process.stdin.close()


@pytest.fixture
def project(write: Write, tmp_path: Path) -> Callable[..., Path]:
    """Write a project with these files of evals."""

    def make(**files: str) -> Path:
        named = {f"tests/evals/{name}.py": text for name, text in files.items()}
        return write(tmp_path, {"pyproject.toml": CONFIG, **named})

    return make


@pytest.fixture
def begin(cluster: str) -> Callable[..., subprocess.Popen[str]]:
    """Begin evals on the cluster, or here, in a process group of their own."""

    def begin_run(root: Path, *options: str, is_local: bool = False) -> subprocess.Popen[str]:
        where = [] if is_local else ["--executor", f"ray:{cluster}", "--workers", "2"]
        keep = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "TIERWISE"))}
        return subprocess.Popen(
            [sys.executable, "-m", "tierwise", "eval", "run", *where, *options],
            cwd=root,
            env={**keep, **AUTH, "PYTEST_ADDOPTS": "-p no:randomly -p no:asyncio -p no:socket"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    return begin_run


@pytest.fixture
def run(begin: Callable[..., subprocess.Popen[str]]) -> Run:
    """Run evals to their end."""

    def run_to_end(root: Path, *options: str, is_local: bool = False) -> Ended:
        process = begin(root, *options, is_local=is_local)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    return run_to_end


def select(root: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(root / ".tierwise" / "records.db")) as connection:
        return connection.execute(query).fetchall()


def rows(root: Path) -> list[list[tuple[Any, ...]]]:
    """Return what the trials of each run are, whoever carried them out."""
    runs: dict[str, list[tuple[Any, ...]]] = {}
    wanted = "SELECT run_id, eval_id, arm, case_id, idx, key, seed, outcome, scores, message"
    for run_id, *row in select(root, f"{wanted} FROM trials ORDER BY eval_id, case_id, idx"):
        runs.setdefault(run_id, []).append(tuple(row))
    return [
        runs[run_id]
        for (run_id,) in select(root, "SELECT run_id FROM runs ORDER BY seq")
        if run_id in runs
    ]


def test_the_rows_are_those_of_a_local_run(project: Callable[..., Path], run: Run) -> None:
    """Trial for trial: outcome, scores, seed; and more than one process carried them out."""
    together = PLAIN.replace("provider, trial):\n", "provider, trial):\n    await meet()\n", 1)
    root = project(test_plain=together, test_narrow=NARROW)
    here = run(root, "--fresh", is_local=True)
    there = run(root, "--fresh")
    assert (here.returncode, there.returncode) == (ExitCode.OK, ExitCode.OK), there.stderr
    local, remote = rows(root)
    assert len(local) == 36
    assert remote == local
    last = "SELECT notes FROM trials WHERE run_id = (SELECT run_id FROM runs ORDER BY seq DESC)"
    processes = {note for (notes,) in select(root, last) for note in json.loads(notes)}
    assert len(processes) == 2


def test_a_killed_worker_has_its_trials_run_again(project: Callable[..., Path], run: Run) -> None:
    """Each trial is kept once, and the verdict is that of an undisturbed run."""
    text = PLAIN.replace(
        "async def test_leaks(case, provider, trial):\n",
        "async def test_leaks(case, provider, trial):\n"
        "    if IS_WORKER and (case, trial.index) == ('b', 4):\n"
        "        marker = Path(os.getcwd()) / 'killed'\n"
        "        if not marker.exists():\n"
        "            marker.touch()\n"
        "            os.kill(os.getpid(), 9)\n",
    )
    root = project(test_plain=text)
    done = run(root)
    assert done.returncode == ExitCode.OK, done.stderr
    assert (root / "killed").exists()
    (found,) = rows(root)
    assert len(found) == 30
    assert {row[6] for row in found} == {"passed"}


def test_a_trial_that_kills_every_worker_stops_the_run(
    project: Callable[..., Path], run: Run
) -> None:
    """No hang: the number of workers that died is said, and what ended before is kept."""
    text = PLAIN.replace(
        "async def test_leaks(case, provider, trial):\n",
        "async def test_leaks(case, provider, trial):\n"
        "    if (case, trial.index) == ('c', 9):\n"
        "        os.kill(os.getpid(), 9)\n",
    )
    root = project(test_plain=text)
    done = run(root, "--concurrency", "2")
    assert done.returncode == ExitCode.FAILED
    assert "TW-WORKER  4 workers died in this run" in done.stderr
    assert select(root, "SELECT count(*) FROM trials")[0][0] >= 28


def test_a_budget_holds_over_all_workers(project: Callable[..., Path], run: Run) -> None:
    """No more calls are made than were allowed, and few are left unused."""
    root = project(test_plain=PLAIN)
    done = run(root, "--max-calls", "17")
    assert done.returncode == ExitCode.STOPPED_BY_BUDGET, done.stderr
    (calls,) = select(root, "SELECT count(*) FROM exchanges WHERE failure IS NULL")[0]
    assert calls == 17


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {
                "conftest": "import threading\n"
                "if threading.current_thread() is not threading.main_thread():\n"
                "    raise ImportError('no such thing in a worker')\n",
                "test_plain": PLAIN,
            },
            "no such thing in a worker",
        ),
        (
            {"test_plain": PLAIN.replace('"c"]', '"d" if IS_WORKER else "c"]')},
            "another version of the code: the driver's plan of tests/evals/test_plain.py",
        ),
    ],
    ids=["a conftest that fails", "other cases"],
)
def test_a_worker_that_differs_stops_the_run(
    project: Callable[..., Path], run: Run, files: dict[str, str], said: str
) -> None:
    """With the message of who knows why, and without a hang."""
    done = run(project(**files))
    assert done.returncode == ExitCode.FAILED
    assert said in done.stderr


def test_what_a_trial_touches_in_a_worker_is_judged_here(
    project: Callable[..., Path], run: Run
) -> None:
    """The policy of the tier acts there, and its violation is the eval's."""
    text = PLAIN.replace("    trial.note(", "    Path('spoilt').write_text('x')\n    trial.note(")
    root = project(test_plain=text)
    config = root / "pyproject.toml"
    config.write_text(config.read_text().replace(', "write"', ""))
    here = run(root, "--fresh", is_local=True)
    there = run(root, "--fresh")
    assert here.returncode == there.returncode == ExitCode.FAILED
    assert not (root / "spoilt").exists()
    assert "spoilt" in here.stderr
    assert "spoilt" in there.stderr, there.stderr


def test_ctrl_c_lets_what_is_in_flight_end(
    project: Callable[..., Path], begin: Callable[..., subprocess.Popen[str]]
) -> None:
    """As on one machine: no new trials, the rest is written, exit code 2."""
    text = PLAIN.replace("    trial.note(", "    await asyncio.sleep(0.2)\n    trial.note(")
    text = text.replace("trials=10", "trials=100").replace("import os,", "import asyncio, os,")
    root = project(test_plain=text)
    process = begin(root, "--concurrency", "4")
    until = time.monotonic() + 60
    store = root / ".tierwise" / "records.db"
    tables = "SELECT count(*) FROM sqlite_master WHERE name = 'trials'"
    while time.monotonic() < until and not (
        store.exists()
        and select(root, tables)[0][0]
        and select(root, "SELECT count(*) FROM trials")[0][0]
    ):
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    (kept,) = select(root, "SELECT count(*) FROM trials")[0]
    assert process.returncode == ExitCode.INTERRUPTED
    assert f"interrupted after {kept} of 300 trials: kept in the store" in err
    assert kept < 300
