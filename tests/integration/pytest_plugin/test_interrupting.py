import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from tierwise.domain import Outcome
from tierwise.records import RunStore

Project = Callable[..., pytest.Pytester]
Run = Callable[..., pytest.RunResult]

BUSY = {
    "tests/unit/test_u.py": """
        def test_a(): pass
        def test_b():
            import os
            os.write(1, b"BUSY")
            while True: pass
        def test_c(): pass
    """
}


def test_a_test_that_ctrl_c_ended_did_not_pass(project: Project) -> None:
    """Neither the store, nor the foot, nor the map takes a finished set-up for a passed test."""
    pytester = project(BUSY, table='order = "defined"')
    command = [sys.executable, "-m", "pytest", "-s", "-p", "tierwise.pytest_plugin"]
    with subprocess.Popen(command, cwd=pytester.path, stdout=subprocess.PIPE, text=False) as child:
        try:
            told = _interrupt_when_busy(child)
        finally:
            child.kill()
    assert child.returncode == pytest.ExitCode.INTERRUPTED
    store = RunStore.open_existing(pytester.path / ".tierwise" / "records.db")
    assert store is not None
    with store:
        rows = {each.row.nodeid[-6:]: each.row for each in store.latest_tests_by_tier()["unit"]}
    assert {name: row.outcome for name, row in rows.items()} == {
        "test_a": Outcome.PASSED,
        "test_b": Outcome.NOT_RUN,
    }
    assert rows["test_b"].message == "interrupted before it ended"
    assert re.search(r"^unit  1 passed, 1 not run \(interrupted\)", told.decode(), re.MULTILINE)
    shown = subprocess.run(
        [sys.executable, "-m", "tierwise", "map", "--json"],
        cwd=pytester.path,
        capture_output=True,
        check=True,
    )
    unit = next(row for row in json.loads(shown.stdout) if row["level"] == "unit")
    assert unit["status"] == "partial"
    assert "1 not run" in unit["reason"]


def _interrupt_when_busy(child: "subprocess.Popen[bytes]") -> bytes:
    """Press Ctrl-C once the child says that it is busy; return all that it tells."""
    assert child.stdout is not None
    seen = b""
    while b"BUSY" not in seen:
        read = os.read(child.stdout.fileno(), 4096)
        assert read, seen.decode()
        seen += read
    child.send_signal(signal.SIGINT)
    told, _ = child.communicate(timeout=30)
    return told
