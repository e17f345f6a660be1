"""What the audit hook costs: nanoseconds an event, beside no hook and a hook that does nothing.

Run: python benchmarks/sandbox_hook.py

Hooks cannot be taken out again, so each measurement has a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

EVENTS: Mapping[str, tuple[object, ...]] = {
    "of no interest (os.putenv)": ("os.putenv", b"A", b"b"),
    "read of a project file": ("open", f"{Path.cwd()}/pyproject.toml", "r", os.O_RDONLY),
    "read of /dev/null": ("open", os.devnull, "r", os.O_RDONLY),
    "write that is allowed": ("open", f"{Path.cwd()}/x", "w", os.O_WRONLY),
    "write into tmp": ("open", f"{tempfile.gettempdir()}/x", "w", os.O_WRONLY),
    "loopback that is allowed": ("socket.connect", None, ("127.0.0.1", 80)),
}
HOOKS = ("none", "does nothing", "installed, no policy", "policy acts", "policy of a thread")
REPEATS, LOOPS = 7, 20_000


def measure(event: tuple[object, ...]) -> float:
    """Return the fastest mean of several loops, in nanoseconds: the least disturbed one."""
    name, *args = event

    def once() -> float:
        audit: Callable[..., None] = sys.audit
        begin = time.perf_counter_ns()
        for _ in range(LOOPS):
            audit(name, *args)
        return (time.perf_counter_ns() - begin) / LOOPS

    return min(once() for _ in range(REPEATS))


def measure_phases() -> float:
    """Return the nanoseconds that entering and leaving a policy takes."""
    from tierwise.sandbox import Policy, Sandbox  # noqa: PLC0415  only in the child that needs it

    sandbox = Sandbox(project_root=Path.cwd())
    sandbox.install()
    policy = Policy(subject="benchmark", tier="unit")
    begin = time.perf_counter_ns()
    for _ in range(LOOPS):
        sandbox.enter(policy)
        sandbox.leave(policy)
    return (time.perf_counter_ns() - begin) / LOOPS


def measure_all(hook: str, kept: ExitStack) -> dict[str, float]:
    """Put the hook in, then measure each event."""
    if hook == "does nothing":
        sys.addaudithook(lambda _event, _args: None)
    elif hook != "none":
        install(hook, kept)
    figures = {name: measure(event) for name, event in EVENTS.items()}
    if hook == "policy acts":
        figures["entering and leaving"] = measure_phases()
    return figures


def install(hook: str, kept: ExitStack) -> None:
    """Install a sandbox with a policy that forbids none of the events."""
    from tierwise.domain import Allowance, Capability  # noqa: PLC0415  only in the child that needs it
    from tierwise.sandbox import Policy, Sandbox  # noqa: PLC0415

    allow = tuple(
        Allowance(capability=each)
        for each in (Capability.TMP, Capability.WRITE, Capability.LOOPBACK)
    )
    policy = Policy(subject="benchmark", tier="unit", allow=allow)
    sandbox = Sandbox(project_root=Path.cwd())
    sandbox.install()
    if hook == "policy acts":
        sandbox.enter(policy)
    elif hook == "policy of a thread":
        kept.enter_context(sandbox.acting_here(policy))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hook", choices=HOOKS, help="measure one, print JSON")
    chosen = parser.parse_args().hook
    if chosen:
        with ExitStack() as kept:
            print(json.dumps(measure_all(chosen, kept)))
        return
    print(f"Python {sys.version.split()[0]}, {LOOPS} events, best of {REPEATS}, ns an event\n")
    results = {hook: run(hook) for hook in HOOKS}
    for name in {name: None for figures in results.values() for name in figures}:
        cells = [f"{hook} {each[name]:,.0f}" for hook, each in results.items() if name in each]
        print(f"{name:28} {'  |  '.join(cells)}")
    floor = statistics.mean(results["does nothing"].values())
    print(f"\nThe floor, a hook in Python that does nothing: {floor:.0f} ns.")


def run(hook: str) -> dict[str, float]:
    """Measure one hook in a process of its own."""
    command = [sys.executable, __file__, "--hook", hook]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    figures: dict[str, float] = json.loads(output)
    return figures


if __name__ == "__main__":
    main()
