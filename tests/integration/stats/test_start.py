from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import tierwise.stats
from tierwise.stats import bounds_for, trials_needed, wilson, zero_bound
assert trials_needed(0.01) == 299
zero_bound(299), wilson(7, 50), bounds_for("these_cases", [(0, 15)] * 20)
loaded = sorted({name.split(".")[0] for name in sys.modules} & {"scipy", "numpy", "pytest"})
print("loaded:", loaded)
"""


def test_importing_the_statistics_loads_neither_scipy_nor_numpy() -> None:
    """In a fresh process the import and the closed forms need the standard library alone."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("loaded: []\n", "")
