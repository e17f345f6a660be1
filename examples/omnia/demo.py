"""The whole of tierwise on one small world: three tiers, one audit, one map, one report.

Run by `make demo`. Each step is a command that you can type yourself, in this folder; the demo
only runs them in order and stops at the first surprise.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
PYTHON = sys.executable


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command, with what it shows and the exit code that it must end with."""

    title: str
    says: str
    shown: str
    """The command as a person types it."""
    arguments: tuple[str, ...]


STEPS = (
    Step(
        title="Tiers 1 and 2: exact",
        says=(
            "Unit tests may touch nothing; integration tests may use temporary files and a\n"
            "scripted model. The order is random, and each forbidden touch would be a failure."
        ),
        shown="pytest",
        arguments=("-m", "pytest", "-q", "--no-header"),
    ),
    Step(
        title="The context audit: exact, and free",
        says=(
            "Does any prompt carry a secret to a character who may not know it? The original\n"
            "design shows the validator's own words to everybody; the fixed one does not."
        ),
        shown="python -m omnia audit",
        arguments=("-m", "omnia", "audit"),
    ),
    Step(
        title="Tier 3: measured",
        says=(
            "A real language model plays the characters. Those who were never told the secret\n"
            "must not name it; those who were must (the positive control); and a prompt with a\n"
            "hole in it must be caught (the negative control)."
        ),
        shown="tierwise eval run --provider local:smollm2",
        arguments=("-m", "tierwise", "eval", "run", "--provider", "local:smollm2"),
    ),
    Step(
        title="The tiers, from the run store",
        says="Counts, times, and violations: what tried to reach further than its tier allows.",
        shown="tierwise map --by tier",
        arguments=("-m", "tierwise", "map", "--by", "tier"),
    ),
    Step(
        title="The map so far",
        says="Twelve levels of testing. What is a gap here is a gap, and says so.",
        shown="tierwise map",
        arguments=("-m", "tierwise", "map"),
    ),
    Step(
        title="The report",
        says=(
            "All of it on one page, readable offline: what is proven, each expectation with its\n"
            "interval, and what was asked and replied in each trial."
        ),
        shown="tierwise report",
        arguments=("-m", "tierwise", "report"),
    ),
)

CLOSING = """\
What this proves, and what it does not
  Exactly: the rules of access, time, space and memory do what their tests say, and no prompt of
  the fixed design carries a secret to a character who may not know it.
  Measured: given such a prompt, this model named the secret no more often than the bound that
  the eval printed, on these questions. A bound is not zero, and another model needs its own run.
  Open: every level that the map calls a gap."""


def main() -> int:
    """Run the steps; return 0 when each ended as it should, else the first other exit code."""
    began = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(HERE / "src")}
    for number, step in enumerate(STEPS, start=1):
        print(f"\n[{number}/{len(STEPS)}] {step.title}\n{step.says}\n\n$ {step.shown}", flush=True)
        done = subprocess.run(  # noqa: S603  our own interpreter, fixed arguments
            [PYTHON, *step.arguments], cwd=HERE, env=environment, check=False
        )
        if done.returncode:
            print(f"\nThe step `{step.shown}` ended with exit code {done.returncode}.")
            return done.returncode
    print(f"\n{CLOSING}\n")
    print(f"All results, prompts and replies are kept in {HERE / '.tierwise' / 'records.db'}")
    print(f"Open the report in a browser: {HERE / '.tierwise' / 'report.html'}")
    print(f"The demo took {time.monotonic() - began:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
