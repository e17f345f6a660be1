"""Evals that are killed, again and again, and interrupted: nothing kept is lost or run twice."""

from __future__ import annotations

import random
import signal
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tierwise.errors import ExitCode
from tierwise.records import RunStore, TrialRow

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Begin = Callable[..., subprocess.Popen[str]]
    Ended = subprocess.CompletedProcess[str]
    Start = Callable[..., Ended]
    Write = Callable[[Path, dict[str, str]], Path]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")

EVAL = "tests/evals/test_it.py"
FILES = {
    "pyproject.toml": """
        [tool.tierwise.tiers.evals]
        level = "acceptance"
        paths = ["tests/evals"]
        allow = ["tmp", "sleep", "write"]
        deliberate = true

        [tool.tierwise.evals]
        provider = "fakes:Logging"
        concurrency = 4
    """,
    "fakes.py": """
        import asyncio, hashlib, os

        from tierwise.providers import Answer

        class Logging:
            \"\"\"Appends each prompt to a file as it comes: a kill loses none.\"\"\"

            name, real = "logging", False

            async def generate(self, request):
                log = os.open("calls.log", os.O_APPEND | os.O_CREAT | os.O_WRONLY)
                os.write(log, f"{request.prompt_text}\\n".encode())
                os.close(log)
                is_first_round = request.prompt_text.endswith("/0")
                await asyncio.sleep(0.01 if is_first_round else LATENCY_S)
                return Answer(text=hashlib.sha256(str(request.seed).encode()).hexdigest())

        LATENCY_S = {latency_s}
    """,
    EVAL: """
        import signal

        from tierwise.domain import Message
        from tierwise.evals import at_least, evaluate
        from tierwise.providers import Request

        # A test run in the background may have inherited a SIGINT that is ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)

        @evaluate(
            cases=[f"case {n}" for n in range({cases})],
            trials={trials},
            expect=[at_least("low", 0.2)],
            stop="fixed",
        )
        async def test_it(case, provider, trial):
            prompt = (Message(role="user", content=f"{case}/{trial.index}"),)
            reply = trial.require(await provider.generate(Request(messages=prompt)))
            trial.score(low=reply.text < "8")
    """,
}


def make_project(write: Write, root: Path, *, cases: int, trials: int, latency_s: float) -> Path:
    files = dict(FILES)
    for name, text in files.items():
        sizes = {"{cases}": cases, "{trials}": trials, "{latency_s}": latency_s}
        for mark, size in sizes.items():
            text = text.replace(mark, str(size))  # noqa: PLW2901  a template of a file
        files[name] = text
    return write(root, files)


def calls_of(root: Path) -> list[str]:
    log = root / "calls.log"
    return log.read_text().splitlines() if log.exists() else []


def rows_of(root: Path) -> list[TrialRow]:
    """Return the trials of the newest run that planned anything, those taken over included."""
    store = RunStore.open_existing(root / ".tierwise" / "records.db")
    if store is None:
        return []
    with store:
        planned = store.evals.runs()
        return list(store.trials_of_run(planned[-1].run.run_id)) if planned else []


def wait_for_calls(root: Path, n: int, process: subprocess.Popen[str]) -> None:
    while len(calls_of(root)) < n and process.poll() is None:
        time.sleep(0.005)


def contents(rows: list[TrialRow]) -> dict[str, object]:
    """Return all that a trial came to, by what was asked in it; when it ran is no part of it."""
    return {
        row.exchanges[0].prompt_text: (
            row.case_id,
            row.index,
            row.key,
            row.seed,
            row.outcome,
            row.scores,
            row.exchanges[0].reply,
        )
        for row in rows
    }


@pytest.mark.parametrize(
    ("cases", "trials", "kills", "seed"), [(40, 10, 5, 1), (3, 40, 3, 2), (200, 1, 2, 3)]
)
def test_ten_kills_change_nothing_in_the_end(  # noqa: PLR0917  fixtures
    tmp_path: Path,
    write: Write,
    start: Start,
    begin: Begin,
    cases: int,
    trials: int,
    kills: int,
    seed: int,
) -> None:
    """Each kill hits the resume after the last one, at any moment; the records end up the same."""
    shape = {"cases": cases, "trials": trials, "latency_s": 0.01}
    calm = make_project(write, tmp_path / "calm", **shape)
    root = make_project(write, tmp_path / "killed", **shape)
    assert start(calm, "tierwise", "eval", "run").returncode in (0, ExitCode.UNDECIDED)
    moments = random.Random(seed)
    kept: set[str] = set()
    for _ in range(kills):
        n_before = len(calls_of(root))
        process = begin(root, "tierwise", "eval", "run")
        wait_for_calls(root, n_before + 1, process)
        time.sleep(moments.uniform(0, 0.2))
        process.kill()
        process.communicate()
        assert kept.isdisjoint(calls_of(root)[n_before:])
        assert kept <= contents(rows_of(root)).keys()
        kept = set(contents(rows_of(root)))
    n_before = len(calls_of(root))
    ended = start(root, "tierwise", "eval", "run")
    calls, rows = calls_of(root), rows_of(root)
    assert f"scored {cases * trials} of {cases * trials} planned" in ended.stdout, ended.stderr
    assert len(rows) == cases * trials
    assert contents(rows) == contents(rows_of(calm))
    assert kept.isdisjoint(calls[n_before:])
    assert set(calls[n_before:]) | kept == set(contents(rows))
    # A call is repeated at most once for each kill that caught it in flight.
    assert max(Counter(calls).values()) <= kills + 1
    assert "run 1 of this plan" in ended.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_lets_what_is_in_flight_end_and_keeps_it(  # noqa: PLR0917  fixtures
    tmp_path: Path, write: Write, start: Start, begin: Begin, number: signal.Signals
) -> None:
    """No new trial starts; each that had begun is there, and the same command does the rest.

    promptfoo PR#7606: Ctrl-C was ignored; humanbound#75: 35 minutes of results were lost by it.
    """
    root = make_project(write, tmp_path, cases=10, trials=4, latency_s=0.5)
    process = begin(root, "tierwise", "eval", "run")
    wait_for_calls(root, 12, process)
    process.send_signal(number)
    said, told = process.communicate(timeout=50)
    calls, rows = calls_of(root), rows_of(root)
    assert process.returncode == ExitCode.INTERRUPTED, told
    assert 12 <= len(calls) < 40
    assert sorted(contents(rows)) == sorted(calls)
    assert "evals: stopping: " in told
    assert f"interrupted after {len(calls)} of 40 trials: kept in the store" in told
    assert f"NOT JUDGED interrupted after {len(calls)} of 40 trials" in said
    assert "Traceback" not in said + told
    ended = start(root, "tierwise", "eval", "run")
    assert f"reused {len(calls)} trials" in ended.stdout
    assert len(calls_of(root)) == 40


def test_ctrl_c_twice_stops_at_once_and_loses_nothing_that_was_written(
    tmp_path: Path, write: Write, begin: Begin
) -> None:
    """What is in flight is given up, however long it would have taken.

    promptfoo PR#7012, #6625: the process ended before its results were written.
    """
    root = make_project(write, tmp_path, cases=10, trials=4, latency_s=600)
    process = begin(root, "tierwise", "eval", "run")
    wait_for_calls(root, 14, process)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "stopping" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=50)
    assert process.returncode == ExitCode.INTERRUPTED, told
    assert "interrupted after 10 of 40 trials: kept in the store" in told
    assert sorted(contents(rows_of(root))) == sorted(f"case {n}/0" for n in range(10))
    assert "Traceback" not in told
