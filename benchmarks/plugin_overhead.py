"""What tierwise costs a suite: bare pytest, an empty plugin, report mode, enforce in random order.

    python benchmarks/plugin_overhead.py [--tests 5000] [--rounds 5] [--json]

A suite of trivial tests is generated and run by each variant in turn, round after round, each
in a process of its own, so that the machine's moods hit all of them alike. The child measures
its own time from before pytest is imported until it is done. Ratios compare whole runs, start-up
included; `us/test` is CPU time a test costs more than under bare pytest, with the start-up (a run
of one test, measured in the same round) taken off both. `floor` is a plugin with the same hooks
that do nothing; `enforce` is policy, random order and records, `watched` is process state as well.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CHILD = """
import sys, time
wall, cpu = time.perf_counter(), time.process_time()
import pytest
code = pytest.main(sys.argv[1:])
print(f"MEASURED {time.perf_counter() - wall} {time.process_time() - cpu}", file=sys.stderr)
sys.exit(int(code))
"""

_FLOOR = """
import pytest

class Phases:
    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self, item):
        return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_call(self, item):
        return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_teardown(self, item):
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        return (yield)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report):
        pass

def pytest_configure(config):
    config.pluginmanager.register(Phases(), "floor-phases")
"""

_ENFORCE = ("-p", "tierwise.pytest_plugin", "--tierwise-mode", "enforce")
_COMMON = ("-q", "-p", "no:cacheprovider")
VARIANTS: Mapping[str, Sequence[str]] = {
    "bare": (),
    "floor": ("-p", "floor_plugin"),
    "report": ("-p", "tierwise.pytest_plugin", "--tierwise-mode", "report"),
    "enforce": (*_ENFORCE, "--tierwise-state", "off"),
    "watched": _ENFORCE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """A variant's median seconds, and what that is beside bare pytest."""

    variant: str
    wall_s: float
    cpu_s: float
    ratio_wall: float
    ratio_cpu: float
    start_ms: float
    """CPU milliseconds that starting and ending cost more than under bare pytest."""
    extra_us_a_test: float
    """CPU microseconds that a test costs more than under bare pytest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One variant in one round: a run of the suite and a run of a single test."""

    wall_s: float
    cpu_s: float
    start_cpu_s: float


def main() -> None:
    """Generate, run, print."""
    parser = argparse.ArgumentParser(description="overhead of the tierwise plugin")
    parser.add_argument("--tests", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_suite(Path(folder), options.tests)
        samples = measure(Path(folder), options.rounds)
    costs = compare(samples, options.tests)
    if options.json:
        print(json.dumps({"tests": options.tests, "costs": [asdict(cost) for cost in costs]}))
        return
    print(f"{options.tests} trivial tests, median of {options.rounds} interleaved rounds")
    show(costs)


def show(costs: Sequence[Cost]) -> None:
    """Print a table."""
    width = max(10, *(len(cost.variant) + 2 for cost in costs))
    titles = ("wall s", "cpu s", "x wall", "x cpu", "start ms", "us/test")
    print(f"{'variant':<{width}}" + "".join(f"{title:>10}" for title in titles))
    for cost in costs:
        print(
            f"{cost.variant:<{width}}{cost.wall_s:>10.2f}{cost.cpu_s:>10.2f}"
            f"{cost.ratio_wall:>10.3f}{cost.ratio_cpu:>10.3f}"
            f"{cost.start_ms:>10.1f}{cost.extra_us_a_test:>10.1f}"
        )


def write_suite(root: Path, n_tests: int, *, a_module: int = 50, argument: str = "") -> None:
    """Write a project whose unit tier holds `n_tests` tests that do nothing but ask `argument`."""
    (root / "pyproject.toml").write_text("[tool.tierwise]\n")
    (root / "floor_plugin.py").write_text(_FLOOR)
    unit = root / "tests" / "unit"
    unit.mkdir(parents=True)
    for module in range(0, n_tests, a_module):
        names = range(module, min(module + a_module, n_tests))
        text = "".join(f"def test_{n}({argument}):\n    assert True\n\n" for n in names)
        (unit / f"test_m{module}.py").write_text(text)


def measure(
    root: Path, rounds: int, variants: Mapping[str, Sequence[str]] = VARIANTS
) -> dict[str, list[Sample]]:
    """Return a sample of each variant and round; a first round only warms caches."""
    samples: dict[str, list[Sample]] = {name: [] for name in variants}
    for turn in range(rounds + 1):
        for name, arguments in variants.items():
            _, start_cpu_s = run_once(root, (*arguments, "tests/unit/test_m0.py::test_0"))
            wall_s, cpu_s = run_once(root, arguments)
            if turn:
                sample = Sample(wall_s=wall_s, cpu_s=cpu_s, start_cpu_s=start_cpu_s)
                samples[name].append(sample)
    return samples


def run_once(root: Path, arguments: Sequence[str]) -> tuple[float, float]:
    """Run the suite in a process of its own and return the seconds that it measured."""
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": os.pathsep.join([str(root), *filter(None, [os.environ.get("PYTHONPATH")])]),
        # Compiled once, in the round that warms up, as an installed package is.
        "PYTHONPYCACHEPREFIX": str(root / "compiled"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, *_COMMON, *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"the suite failed under {arguments}:\n{done.stdout}\n{done.stderr}")
    wall, cpu = done.stderr.rpartition("MEASURED ")[2].split()
    return float(wall), float(cpu)


def compare(samples: Mapping[str, Sequence[Sample]], n_tests: int) -> list[Cost]:
    """Return each variant's cost beside the bare one.

    Ratios and differences are taken within each round and their median is kept: what slows
    the machine down for a while slows the variants of one round alike.
    """
    costs = []
    for name, own in samples.items():
        pairs = list(zip(own, samples["bare"], strict=True))
        extra = [
            (mine.cpu_s - mine.start_cpu_s - base.cpu_s + base.start_cpu_s) / (n_tests - 1)
            for mine, base in pairs
        ]
        costs.append(
            Cost(
                variant=name,
                wall_s=statistics.median(mine.wall_s for mine in own),
                cpu_s=statistics.median(mine.cpu_s for mine in own),
                ratio_wall=statistics.median(mine.wall_s / base.wall_s for mine, base in pairs),
                ratio_cpu=statistics.median(mine.cpu_s / base.cpu_s for mine, base in pairs),
                start_ms=statistics.median(
                    (mine.start_cpu_s - base.start_cpu_s) * 1e3 for mine, base in pairs
                ),
                extra_us_a_test=statistics.median(extra) * 1e6,
            )
        )
    return costs


if __name__ == "__main__":
    main()
