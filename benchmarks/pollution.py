"""What finding one polluter costs: tierwise bisect, and halving by plain pytest.

    python benchmarks/pollution.py [--tests 2000] [--json]

A suite of trivial tests in files of 20, of which one leaves dirt that another one, near the end,
trips over. `tierwise bisect` searches, confirms eight times and names the state. The floor is
plain pytest, without plugins, halving the candidates itself: log2 runs, each of which starts
pytest, collects the whole suite and runs half of what is left; it confirms nothing. CPU seconds of
all processes are compared, so that a busy machine changes little.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PER_FILE = 20
PLAIN = ["-p", "no:tierwise", "-p", "no:cacheprovider", "-p", "no:randomly", "-q", "--tb=no"]
HALVING = """\
import os

WANTED = set(os.environ["WANTED"].split(","))


def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if item.name in WANTED]
"""


def main() -> None:
    """Measure both on one suite, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=2_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        polluter, victim = make_suite(project, options.tests)
        rows = {
            "tierwise bisect": measure_bisect(project, polluter, victim),
            "plain pytest, halving": measure_halving(project, options.tests, polluter, victim),
        }
    ratio = rows["plain pytest, halving"]["cpu_s"] / rows["tierwise bisect"]["cpu_s"]
    if options.json:
        print(json.dumps({"tests": options.tests, "rows": rows, "ratio": round(ratio, 2)}))
        return
    print(f"one polluter among {options.tests:,} tests, trivial ones")
    print(f"{'':24} {'runs':>5} {'tests run':>10} {'CPU s':>8} {'wall s':>8}")
    for name, row in rows.items():
        print(
            f"{name:24} {row['runs']:>5.0f} {row['tests_run']:>10,.0f} "
            f"{row['cpu_s']:>8.2f} {row['wall_s']:>8.2f}"
        )
    print(f"tierwise takes 1/{ratio:.1f} of the CPU time, with sixteen runs that confirm")


def make_suite(project: Path, n: int) -> tuple[int, int]:
    """Write the suite and return the numbers of polluter and victim."""
    polluter, victim = n // 3, n - n // 10
    bodies = {
        polluter: "shop.CART.append(1)",
        victim: "assert not shop.CART",
    }
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (project / "shop.py").write_text("CART = []\n")
    for start in range(0, n, PER_FILE):
        tests = "".join(
            f"def test_{i}():\n    {bodies.get(i, f'assert {i} + 1')}\n\n\n"
            for i in range(start, min(start + PER_FILE, n))
        )
        (project / f"test_{start:06}.py").write_text(f"import shop\n\n\n{tests}")
    (project / "conftest.py").write_text("")
    run([sys.executable, "-m", "pytest", *PLAIN], project)  # compiles the files, for both
    return polluter, victim


def measure_bisect(project: Path, polluter: int, victim: int) -> dict[str, float]:
    """Search by tierwise; a wrong answer is no measurement."""
    command = [sys.executable, "-m", "tierwise", "bisect", "--json", f"::test_{victim}"]
    done, cpu_s, wall_s = run(command, project)
    found = json.loads(done.stdout)
    expect(found["culprits"][0].rpartition("::")[2], f"test_{polluter}")
    expect(found["leaks"][0]["owner"], "shop.CART")
    return {
        "runs": found["runs"],
        "tests_run": found["tests_run"],
        "cpu_s": cpu_s,
        "wall_s": wall_s,
    }


def measure_halving(project: Path, n: int, polluter: int, victim: int) -> dict[str, float]:
    """Search by runs of pytest as a person would, who halves by hand and makes no mistake."""
    (project / "conftest.py").write_text(HALVING)
    left = list(range(victim))
    runs = tests = 0
    cpu_s = wall_s = 0.0
    whole = list(range(n))
    for wanted in ([victim], whole):  # alone, and in the order of the suite
        _, cpu, wall = run_pytest(project, wanted)
        runs, tests, cpu_s, wall_s = runs + 1, tests + len(wanted), cpu_s + cpu, wall_s + wall
    while len(left) > 1:
        half = left[len(left) // 2 :]
        code, cpu, wall = run_pytest(project, [*half, victim])
        runs, tests = runs + 1, tests + len(half) + 1
        cpu_s, wall_s = cpu_s + cpu, wall_s + wall
        left = half if code else left[: len(left) // 2]
    expect(left, [polluter])
    return {"runs": runs, "tests_run": tests, "cpu_s": cpu_s, "wall_s": wall_s}


def expect(found: object, wanted: object) -> None:
    """End the measurement where the answer was a wrong one."""
    if found != wanted:
        sys.exit(f"found {found}, and not {wanted}: nothing was measured")


def run_pytest(project: Path, wanted: list[int]) -> tuple[int, float, float]:
    """Run these tests; return the exit code, CPU seconds and wall seconds."""
    names = ",".join(f"test_{number}" for number in wanted)
    done, cpu_s, wall_s = run([sys.executable, "-m", "pytest", *PLAIN], project, WANTED=names)
    return done.returncode, cpu_s, wall_s


def run(
    command: list[str], project: Path, **variables: str
) -> tuple[subprocess.CompletedProcess[str], float, float]:
    """Run a command; return it with the CPU and wall seconds of it and of all its children."""
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(
        command,
        cwd=project,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    after = os.times()
    cpu_s = (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )
    return done, cpu_s, time.perf_counter() - start


if __name__ == "__main__":
    main()
