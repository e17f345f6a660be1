"""What watching process state costs: bare pytest, tierwise without it, tierwise with it.

    python benchmarks/process_state.py [--modules N] [--tests N] [--rounds N] [--dense] [--json]

A package of 300 modules is imported whole by a suite of trivial tests. What the modules hold is
what those of 16 packages of the field hold, or more: `package_shape.py` counts it. With `--dense`
each has all of it. The variants run in turn, round after round, each in a process of its own.
`us/test` is the CPU time that a test costs more than under bare pytest, by the fastest round of
each: a run of the suite less a run of one test, which starts and ends the same.

Two runs of the same suite differ by more than the watching costs, wherever the machine is not
still. So each round also runs the suite once with the plugin that watches taken out and put in by
turns, 50 tests with it and 50 without: the median difference of such pairs is what watching costs
a test, with all that it takes from the processor's caches, free of what differs between two runs.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING

from plugin_overhead import run_once, write_suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MODULE = """
import functools, json, logging, os, re, sys

LIMIT = {n}
NAME = "module {n}"


class First{n}:
    kind = "thing"

    def __init__(self):
        self.count = 0

    def one(self):
        return self.count


class Second{n}(First{n}):
    def two(self):
        return self.kind


def first(value):
    return value


def second(value):
    return value + LIMIT
"""
PARTS: Sequence[tuple[int, str]] = (
    (2, "class Third{n}(First{n}):\n    pass\n"),
    (3, "log = logging.getLogger(__name__)\n"),
    (3, "class WithTable{n}:\n    by_name = {{'a': 1, 'b': 2}}\n"),
    (4, "BY_NAME = {{'a': 1, 'b': 2, 'c': 3}}\n"),
    (5, "RATES = [1, 2, 3, 4, 5]\n"),
    (5, "class WithList{n}:\n    known = []\n"),
    (5, "thing = First{n}()\n"),
    (10, "SEEN = {{'x', 'y'}}\n"),
    (10, "@functools.lru_cache\ndef kept(value):\n    return value\n"),
)
"""One module in so many has this."""
_CONFTEST = """
import importlib, sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
for number in range({modules}):
    importlib.import_module(f"shop.m{{number}}")
"""
_OURS = ("-p", "tierwise.pytest_plugin", "--tierwise-mode", "enforce")
_TURNS = """
import json, random, statistics, time

import pytest

BLOCK = {block}
NAME = "tierwise-statewatching"


class Turns:
    def __init__(self):
        self.n, self.spent, self.watching, self.choose = 0, [], None, random.Random()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        if self.n % BLOCK == 0:
            self.turn(item.config.pluginmanager)
        self.n += 1
        return (yield)

    def turn(self, plugins):
        now = time.process_time_ns()
        if self.spent:
            self.spent[-1][1] = now - self.spent[-1][1]
        if self.watching is None:
            self.watching = plugins.get_plugin(NAME)
        is_first = len(self.spent) % 2 == 0
        wanted = self.choose.random() < 0.5 if is_first else not self.spent[-1][0]
        if wanted is not plugins.has_plugin(NAME):
            plugins.register(self.watching, NAME) if wanted else plugins.unregister(name=NAME)
        self.spent.append([wanted, time.process_time_ns()])

    def pytest_unconfigure(self):
        whole = self.spent[4 : len(self.spent) - 1]  # warm, and to their end
        pairs = [dict(pair) for pair in zip(whole[::2], whole[1::2])]
        costs = [(pair[True] - pair[False]) / BLOCK / 1e3 for pair in pairs]
        with open("turns.json", "w") as file:
            json.dump(statistics.median(costs), file)


def pytest_configure(config):
    config.pluginmanager.register(Turns(), "by-turns")
"""
_BLOCK = 50
VARIANTS: Mapping[str, Sequence[str]] = {
    "bare": (),
    "off": (*_OURS, "--tierwise-state", "off"),
    "watched": _OURS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """A variant's fastest run, and what that is beside bare pytest."""

    variant: str
    cpu_s: float
    ratio_cpu: float
    start_ms: float
    """CPU milliseconds that a run of one test costs more than under bare pytest."""
    extra_us_a_test: float
    """CPU microseconds that each further test costs more."""


def main() -> None:
    """Generate, run, print."""
    parser = argparse.ArgumentParser(description="cost of watching process state")
    parser.add_argument("--modules", type=int, default=300)
    parser.add_argument("--tests", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=7, help="at least two")
    parser.add_argument("--dense", action="store_true", help="all there is in each module")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_project(
            Path(folder),
            n_modules=options.modules,
            n_tests=options.tests,
            is_dense=options.dense,
        )
        costs = measure(Path(folder), rounds=options.rounds, n_tests=options.tests)
        by_turns = [watch_by_turns(Path(folder)) for _ in range(options.rounds)]
    if options.json:
        shown = [asdict(cost) for cost in costs]
        print(json.dumps({**vars(options), "costs": shown, "by_turns_us": by_turns}))
        return
    print(f"{options.modules} modules, {options.tests} tests, fastest of {options.rounds} rounds")
    print(f"{'variant':<10}{'cpu s':>10}{'x cpu':>10}{'start ms':>10}{'us/test':>10}")
    for cost in costs:
        print(
            f"{cost.variant:<10}{cost.cpu_s:>10.2f}{cost.ratio_cpu:>10.3f}"
            f"{cost.start_ms:>10.1f}{cost.extra_us_a_test:>10.1f}"
        )
    low, middle, high = quantiles(by_turns, n=4)
    print(
        f"watching, by turns of {_BLOCK} tests in one process: {middle:.1f} us/test"
        f" (quartiles of {len(by_turns)} processes: {low:.1f} and {high:.1f})"
    )


def write_project(root: Path, *, n_modules: int, n_tests: int, is_dense: bool) -> None:
    """Write the package, and a suite whose conftest imports all of it."""
    write_suite(root, n_tests)
    (root / "pyproject.toml").write_text('[tool.tierwise]\npackages = ["src/shop"]\n')
    package = root / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    for n in range(n_modules):
        parts = [part for one_in, part in PARTS if is_dense or n % one_in == 0]
        text = "\n\n".join(part.format(n=n) for part in (_MODULE, *parts))
        (package / f"m{n}.py").write_text(text)
    (root / "tests" / "conftest.py").write_text(_CONFTEST.format(modules=n_modules))


def watch_by_turns(root: Path) -> float:
    """Return how many microseconds a test takes longer while process state is watched."""
    (root / "turns.py").write_text(_TURNS.format(block=_BLOCK))
    run_once(root, ("-p", "turns", *_OURS))
    return float((root / "turns.json").read_text())


def measure(root: Path, *, rounds: int, n_tests: int) -> list[Cost]:
    """Return what each variant costs; a first round only warms caches."""
    whole: dict[str, list[float]] = {name: [] for name in VARIANTS}
    single: dict[str, list[float]] = {name: [] for name in VARIANTS}
    for turn in range(rounds + 1):
        for name, arguments in VARIANTS.items():
            _, start_s = run_once(root, (*arguments, "tests/unit/test_m0.py::test_0"))
            _, cpu_s = run_once(root, arguments)
            if turn:
                single[name].append(start_s)
                whole[name].append(cpu_s)
    return [_compare(name, whole, single, n_tests) for name in VARIANTS]


def _compare(
    name: str,
    whole: Mapping[str, Sequence[float]],
    single: Mapping[str, Sequence[float]],
    n_tests: int,
) -> Cost:
    of_tests = {each: min(whole[each]) - min(single[each]) for each in (name, "bare")}
    return Cost(
        variant=name,
        cpu_s=min(whole[name]),
        ratio_cpu=min(whole[name]) / min(whole["bare"]),
        start_ms=(min(single[name]) - min(single["bare"])) * 1e3,
        extra_us_a_test=(of_tests[name] - of_tests["bare"]) / (n_tests - 1) * 1e6,
    )


if __name__ == "__main__":
    main()
