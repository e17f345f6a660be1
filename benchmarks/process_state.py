"""What watching process state costs: bare pytest, tierwise without it, tierwise with it.

    python benchmarks/process_state.py [--modules 300] [--tests 3000] [--rounds 5] [--json]

A package of 300 modules, each with functions, a class, two lists, a dictionary and a logger,
every third with a set, every fifth with a cache and every tenth with an object, is imported whole
by a suite of trivial tests. The variants run in turn, round after round, each in a process of its
own. `us/test` is the CPU time that a test costs more than under bare pytest, by the fastest round
of each: a run of the suite less a run of one test, which starts and ends the same.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plugin_overhead import run_once, write_suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MODULE = """
import functools, json, logging, os, re, sys

log = logging.getLogger(__name__)
LIMIT = {n}
NAME = "module {n}"
RATES = [1, 2, 3, 4, 5]
BY_NAME = {{"a": 1, "b": 2, "c": 3}}


class Thing{n}:
    kind = "thing"
    known = []

    def __init__(self):
        self.count = 0

    def one(self):
        return self.count

    def two(self):
        return self.kind


def first(value):
    return value


def second(value):
    return value + LIMIT


def third(value):
    return RATES[value]


def fourth(value):
    return BY_NAME[value]
"""
_CACHE = """

@functools.lru_cache
def kept(value):
    return value
"""
_SET = """

SEEN = {{"x", "y"}}
"""
_OBJECT = """

thing = Thing{n}()
"""
_CONFTEST = """
import importlib, sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))
for number in range({modules}):
    importlib.import_module(f"shop.m{{number}}")
"""
_OURS = ("-p", "tierwise.pytest_plugin", "--tierwise-mode", "enforce")
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
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_project(Path(folder), n_modules=options.modules, n_tests=options.tests)
        costs = measure(Path(folder), rounds=options.rounds, n_tests=options.tests)
    if options.json:
        print(json.dumps({**vars(options), "costs": [asdict(cost) for cost in costs]}))
        return
    print(f"{options.modules} modules, {options.tests} tests, fastest of {options.rounds} rounds")
    print(f"{'variant':<10}{'cpu s':>10}{'x cpu':>10}{'start ms':>10}{'us/test':>10}")
    for cost in costs:
        print(
            f"{cost.variant:<10}{cost.cpu_s:>10.2f}{cost.ratio_cpu:>10.3f}"
            f"{cost.start_ms:>10.1f}{cost.extra_us_a_test:>10.1f}"
        )


def write_project(root: Path, *, n_modules: int, n_tests: int) -> None:
    """Write the package, and a suite whose conftest imports all of it."""
    write_suite(root, n_tests)
    (root / "pyproject.toml").write_text('[tool.tierwise]\npackages = ["src/shop"]\n')
    package = root / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    for n in range(n_modules):
        parts = [
            _MODULE,
            *([] if n % 3 else [_SET]),
            *([] if n % 5 else [_CACHE]),
            *([] if n % 10 else [_OBJECT]),
        ]
        text = "".join(part.format(n=n) for part in parts)
        (package / f"m{n}.py").write_text(text)
    (root / "tests" / "conftest.py").write_text(_CONFTEST.format(modules=n_modules))


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
