"""How long does the map take on a large run store?

    python benchmarks/map.py

Makes a project whose store holds 100,000 test results (20 runs of 5,000 tests, or, to be hard, one
run of 100,000) and 1,000,000 trials in 10 evals, each with a verdict, then times what the map
reads from it, in seconds of the wall (the best of five), and the command as a user starts it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from tierwise.config import load_config
from tierwise.domain import Outcome, Verdict
from tierwise.records import RunInfo, RunStore, TestRow, VerdictRow, read_fingerprint
from tierwise.report.reading import read_map

TARGET_S = 1.0
N_RESULTS = 100_000
N_TRIALS = 1_000_000
N_EVALS = 10
_TRIAL = """INSERT INTO trials (run_id, plan_hash, eval_id, arm, case_id, idx, key, seed, outcome,
    scores, message, notes, duration_s) VALUES (?, ?, ?, 'trial', ?, ?, 'k', 1, 'passed',
    '{"leak":false}', '', '[]', 0.5)"""


def fill(root: Path, *, runs: int) -> None:
    """Make the store of a project with so many whole runs."""
    code = read_fingerprint(root, whole=load_config(root).code_paths)
    per_run = N_RESULTS // runs
    with RunStore.open(root / ".tierwise" / "records.db") as store:
        for _ in range(runs):
            run = store.start_run(RunInfo(code_hash=code))
            store.add_tests(run, [a_test(n) for n in range(per_run)])
            store.finish_run(run, exit_code=0, complete_tiers=("unit", "integration", "e2e"))
        run = store.start_run(RunInfo(code_hash=code))
        add_trials(store, run)
        for n in range(N_EVALS):
            store.add_verdict(a_verdict(run, n))
        store.finish_run(run, exit_code=0, complete_tiers=("evals",))


def a_test(n: int) -> TestRow:
    """Return one result; each hundredth failed."""
    tier = ("unit", "integration", "e2e")[n % 3]
    return TestRow(
        nodeid=f"tests/{tier}/room_{n % 97}/test_file_{n % 1009}.py::TestClass::test_number[{n}]",
        tier=tier,
        level=tier,
        outcome=Outcome.PASSED if n % 100 else Outcome.FAILED,
        duration_s=0.01,
        message="" if n % 100 else "AssertionError: no good",
        location=f"tests/{tier}/room_{n % 97}/test_file_{n % 1009}.py:{n % 500}",
    )


def add_trials(store: RunStore, run: str) -> None:
    """Write a million trials, as rows: how they are written is not what is measured."""
    rows = (
        (run, f"plan-{n % N_EVALS}", f"tests/evals/test_{n % N_EVALS}.py::test", f"case-{n}", 0)
        for n in range(N_TRIALS)
    )
    connection = store._connection  # noqa: SLF001  see above
    connection.execute("BEGIN")
    connection.executemany(_TRIAL, rows)
    connection.execute("COMMIT")


def a_verdict(run: str, n: int) -> VerdictRow:
    """Return what one eval came to."""
    return VerdictRow(
        run_id=run,
        plan_hash=f"plan-{n}",
        eval_id=f"tests/evals/test_{n}.py::test",
        tier="evals",
        expectation="never leaks",
        metric="leak",
        verdict=Verdict.PROVEN,
        reason="",
        n_scored=N_TRIALS // N_EVALS,
        n_planned=N_TRIALS // N_EVALS,
    )


def read_once(root: Path) -> float:
    """Return how long one reading takes, from opening the store to the twelve levels."""
    config = load_config(root)
    start = time.perf_counter()
    store = RunStore.open_existing(config.store_path)
    code = read_fingerprint(root, whole=config.code_paths)
    try:
        read_map(store, config, code_hash=code, now=datetime.now(UTC))
    finally:
        if store is not None:
            store.close()
    return time.perf_counter() - start


def run_command(root: Path) -> float:
    """Return how long `tierwise map` takes, with the start of Python."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "tierwise", "map", "--json"]
    subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    """Print the figures; fail when the map is slower than its target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, nargs="*", default=[20, 1])
    slowest = 0.0
    for runs in parser.parse_args().runs:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "pyproject.toml").write_text("[tool.tierwise]\n", encoding="utf-8")
            fill(root, runs=runs)
            size = (root / ".tierwise" / "records.db").stat().st_size / 2**20
            read = min(read_once(root) for _ in range(5))
            command = min(run_command(root) for _ in range(5))
        slowest = max(slowest, read, command)
        print(
            f"{runs:>3} runs, {N_RESULTS} results, {N_TRIALS} trials ({size:.0f} MB): "
            f"reading {read:.2f} s, command {command:.2f} s, target {TARGET_S:.0f} s"
        )
    return int(slowest > TARGET_S)


if __name__ == "__main__":
    sys.exit(main())
