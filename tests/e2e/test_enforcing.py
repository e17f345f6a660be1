"""An empty `[tool.tierwise]` table is enough: a unit test that touches the world is caught."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Ended = subprocess.CompletedProcess[str]
Start = Callable[..., Ended]
Write = Callable[[Path, dict[str, str]], Path]

# No touch gets far when it is not caught: the address is one for documentation only.
TOUCHES = {
    "opens": ("""socket.create_connection(("203.0.113.7", 443), timeout=0.2)""", "TW-NET"),
    "writes": ("""open("written.txt", "w").close()""", "TW-FILE"),
    "starts": ("""subprocess.run([sys.executable, "-c", "open('started', 'w')"])""", "TW-PROCESS"),
    "sleeps": ("""time.sleep(0.02)""", "TW-SLEEP"),
}
WAYS = {
    "plain": "{0}()",
    "swallowed": """
    try:
        {0}()
    except BaseException:
        pass""",
    "in_a_thread": """
    thread = threading.Thread(target={0})
    thread.start()
    thread.join()""",
}
HEAD = "import socket, subprocess, sys, threading, time\n\ndef test_pure():\n    assert True\n"
WATCHED = [(touch, way) for touch in TOUCHES for way in WAYS]


def write_tests() -> str:
    """Return a test file with each touch made in each way."""
    functions = [f"def {name}():\n    {code}\n" for name, (code, _) in TOUCHES.items()]
    tests = [
        f"def test_{touch}_{way}():\n    {WAYS[way].format(touch)}\n" for touch, way in WATCHED
    ]
    return "\n".join((HEAD, *functions, *tests))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, write: Write) -> Path:
    """Write a project with an empty table and one file of unit tests."""
    files = {"pyproject.toml": "[tool.tierwise]\n", "tests/unit/test_touches.py": write_tests()}
    return write(tmp_path_factory.mktemp("enforcing"), files)


@pytest.fixture(scope="module")
def ended(root: Path, start: Start) -> Ended:
    """Run the project's tests by plain `pytest -v`, once for all that is asked of it."""
    return start(root, "pytest", "-v")


@pytest.mark.parametrize(("touch", "way"), WATCHED)
def test_a_touch_is_caught(ended: Ended, touch: str, way: str) -> None:
    """Socket, file, process and sleep fail the test, swallowed and in a thread too."""
    name = f"tests/unit/test_touches.py::test_{touch}_{way}"
    results = re.findall(rf"^{re.escape(name)} (\w+)", ended.stdout, re.MULTILINE)
    assert results == ["FAILED"]
    slug = TOUCHES[touch][1]
    assert re.search(rf'^{slug}  {re.escape(name)} .*tier "unit"', ended.stdout, re.MULTILINE)


def test_what_was_caught_did_not_happen(root: Path, ended: Ended) -> None:
    """The touch is stopped before it takes effect: no file and no process of theirs is there."""
    assert ended.returncode == 1
    assert not (root / "written.txt").exists()
    assert not (root / "started").exists()


def test_a_pure_test_passes(ended: Ended) -> None:
    """What touches nothing passes beside them, and the foot counts all."""
    assert "tests/unit/test_touches.py::test_pure PASSED" in ended.stdout
    assert re.search(r"^unit +1 passed, 12 failed .* 12 violations", ended.stdout, re.MULTILINE)
