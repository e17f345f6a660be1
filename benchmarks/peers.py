"""What tierwise costs beside the plugins that do parts of it, in one run.

    pip install pytest-socket pytest-randomly time-machine freezegun
    python benchmarks/peers.py [--tests 3000] [--rounds 5] [--json]

Two suites of trivial tests, each variant in turn, round after round, in a process of its own (see
plugin_overhead.py for what the columns are; the differences are medians within the rounds).

- `isolation`: no sockets, random order. Beside tierwise, which holds tests to all that their tier
  does not allow and watches process state as well, stand pytest-socket, pytest-randomly and both.
- `time`: each test asks for a moment that stands still. Beside tierwise's clock stand time-machine
  and freezegun, each as a fixture around the test; `bare` has the fixture and stops nothing.

What is not installed is named and left out.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from plugin_overhead import Cost, compare, measure, show, write_suite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_OURS = ("-p", "tierwise.pytest_plugin", "--tierwise-mode", "enforce")
_SOCKET = ("-p", "pytest_socket", "--disable-socket")
_RANDOMLY = ("-p", "pytest_randomly")
ISOLATION: Mapping[str, Sequence[str]] = {
    "bare": (),
    "pytest-socket": _SOCKET,
    "pytest-randomly": _RANDOMLY,
    "socket+randomly": (*_SOCKET, *_RANDOMLY),
    "tierwise, no state": (*_OURS, "--tierwise-state", "off"),
    "tierwise": _OURS,
}
TIME: Mapping[str, Sequence[str]] = {
    "bare": ("-p", "moment_bare"),
    "time-machine": ("-p", "moment_time_machine"),
    "freezegun": ("-p", "moment_freezegun"),
    "tierwise, real time": (*_OURS, "-p", "moment_bare"),
    "tierwise clock": (*_OURS, "-p", "moment_clock"),
}
_NEEDS = {
    "pytest-socket": ("pytest_socket",),
    "pytest-randomly": ("pytest_randomly",),
    "socket+randomly": ("pytest_socket", "pytest_randomly"),
    "time-machine": ("time_machine",),
    "freezegun": ("freezegun",),
}
_MOMENTS = {
    "moment_bare": "yield",
    "moment_time_machine": """
    import time_machine
    with time_machine.travel(0, tick=False):
        yield""",
    "moment_freezegun": """
    import freezegun
    with freezegun.freeze_time("2030-01-01"):
        yield""",
    "moment_clock": """
    from tierwise.clock import VirtualClock
    with VirtualClock():
        yield""",
}


def main() -> None:
    """Generate, run, print."""
    parser = argparse.ArgumentParser(description="tierwise beside its peers")
    parser.add_argument("--tests", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    missing = sorted({name for names in _NEEDS.values() for name in names if not find_spec(name)})
    found = {
        "isolation": run(ISOLATION, options.tests, options.rounds, argument=""),
        "time": run(TIME, options.tests, options.rounds, argument="moment"),
    }
    if options.json:
        costs = {part: [asdict(cost) for cost in each] for part, each in found.items()}
        print(json.dumps({**vars(options), "missing": missing, **costs}))
        return
    for part, costs_of_part in found.items():
        print(f"{part}: {options.tests} trivial tests, median of {options.rounds} rounds")
        show(costs_of_part)
        print()
    if missing:
        print(f"not installed, and left out: {', '.join(missing)}")


def run(
    variants: Mapping[str, Sequence[str]], n_tests: int, rounds: int, *, argument: str
) -> list[Cost]:
    """Return what each variant costs whose plugins are installed."""
    installed = {
        name: arguments
        for name, arguments in variants.items()
        if all(find_spec(module) for module in _NEEDS.get(name, ()))
    }
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_suite(root, n_tests, argument=argument)
        for name, body in _MOMENTS.items():
            text = f"import pytest\n\n@pytest.fixture\ndef moment():\n    {body.lstrip()}\n"
            (root / f"{name}.py").write_text(text)
        return compare(measure(root, rounds, installed), n_tests)


if __name__ == "__main__":
    main()
