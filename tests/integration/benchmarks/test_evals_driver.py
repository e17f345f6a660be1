"""The benchmark of the driver runs, and its sums are those of what it measured."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "evals_driver.py"


def number(text: str, pattern: str) -> float:
    found = re.search(pattern, text)
    assert found is not None, text
    return float(found.group(1).replace(",", ""))


def test_the_driver_keeps_every_trial_and_extrapolates_what_it_measured() -> None:
    """Alone and with what workers are sent: all trials are kept, hours follow from the rate."""
    done = subprocess.run(
        [sys.executable, str(BENCHMARK), "600", "20"],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    _, *parts = re.split(r"(?=600 made-up trials of 20 cases)", done.stdout)
    assert len(parts) == 2
    for part in parts:
        rate = number(part, r"driven and kept +([\d,]+) trials/s")
        hours = number(part, r"per s = ([\d,.]+) h")
        assert abs(hours - 1e8 / rate / 3600) <= 0.02 * hours + 0.1
        assert number(part, r"on disk +([\d,]+) bytes") > 0
