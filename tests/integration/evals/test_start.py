from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

RUN = """
import atexit, json, sys
from tierwise.cli import main
atexit.register(lambda: print("MODULES " + json.dumps(sorted(sys.modules))))
sys.argv = ["tierwise", "eval", "run", "--provider", "simulated"]
sys.exit(main())
"""
PROJECT = """
[tool.tierwise.tiers.evals]
question = "How fast is it?"
level = "acceptance"
paths = ["tests/evals"]
deliberate = true
"""
EVAL = """
from tierwise.evals import at_least, evaluate

@evaluate(cases=["one", "two"], trials=2, expect=[at_least("right", 0.01)], stop="fixed")
def test_it(case, trial):
    trial.score(right=True)
"""
# Each of these costs a run of evals memory and time, and serves a promise that few make.
FOR_WHAT_FEW_ASK = {
    "scipy",
    "pydantic",
    "genai_prices",
    "jsonschema",
    "tierwise.cli.init",
    "tierwise.evals.comparability",
    "tierwise.evals.judging_differences",
    "tierwise.evals.judging_means",
    "tierwise.evals.judging_tries",
    "tierwise.evals.sequential",
    "tierwise.stats.e_values",
    "tierwise.stats.judges",
    "tierwise.stats.means",
    "tierwise.stats.sequences",
    "tierwise.stats.tries",
}


def test_a_run_that_promises_a_rate_loads_nothing_of_the_other_promises(tmp_path: Path) -> None:
    """From the command to the verdict: what means, tries, differences and sequences need waits."""
    file = tmp_path / "tests" / "evals" / "test_it.py"
    file.parent.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    file.write_text(EVAL, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    said, _, listed = done.stdout.partition("MODULES ")
    assert done.returncode == 0, said + done.stderr
    modules = set(json.loads(listed))
    assert FOR_WHAT_FEW_ASK & modules == set()
    assert "tierwise.stats.populations" in modules
