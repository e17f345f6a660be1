from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import atexit, gc, sys
atexit.register(lambda: print("frozen:", gc.get_freeze_count() > 0))
from tierwise.cli import main
sys.argv = ["tierwise", "explain"]
main()
"""


def test_a_command_ends_without_a_look_for_garbage_in_what_it_has_loaded() -> None:
    """The interpreter's last look goes through hundreds of modules, and frees what is freed."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert (done.stdout.splitlines()[-1], done.stderr) == ("frozen: True", "")
