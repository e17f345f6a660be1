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


PART = """
import sys
from tierwise.stats import Population, wilson
wilson(7, 50)
print("loaded:", sorted(name[15:] for name in sys.modules if name.startswith("tierwise.stats.")))
"""


def test_of_the_statistics_that_alone_is_loaded_which_is_asked_for() -> None:
    """A run of evals does not pay for tests that it does not make."""
    done = subprocess.run([sys.executable, "-c", PART], capture_output=True, text=True, check=True)
    loaded = "['arguments', 'distributions', 'exact', 'intervals', 'values']"
    assert done.stdout == f"loaded: {loaded}\n"
