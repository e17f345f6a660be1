"""The benchmark of the gateway measures what it says: all answers, of both servers, no errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parents[3] / "benchmarks" / "gateway" / "run.py"


def test_each_load_is_answered_by_each_server() -> None:
    """One short round: every row has a rate, the streams have their 51 events, nothing failed."""
    done = subprocess.run(
        [sys.executable, RUN, "--rounds", "1", "--seconds", "0.2", "--json"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    rows = {(row["server"], row["load"]): row for row in found["rows"]}
    loads = ("plain", "stream", "fresh")
    assert set(rows) == {(server, load) for server in ("bare", "tierwise") for load in loads}
    assert all(row["rate"] > 0 and row["error"] == "" for row in rows.values())
    assert rows["tierwise", "stream"]["events"] == rows["bare", "stream"]["events"] == 51
    assert found["start_s"] > 0
