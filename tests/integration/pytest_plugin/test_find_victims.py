"""`find_victims` on real suites: what depends on order is found, and how far it got is said."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# The search forks from a process that has not imported the suite, as the audit does.
SEARCH = """\
import dataclasses, json, sys
from tierwise.pytest_plugin.pollution_search import find_victims
report = find_victims(sys.argv[1:], **json.loads(sys.stdin.read()))
print(json.dumps(dataclasses.asdict(report)))
"""


def search(folder: Path, files: dict[str, str], *paths: str, **options: Any) -> dict[str, Any]:
    for name, text in {"pyproject.toml": "[tool.pytest.ini_options]\n", **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SEARCH, *paths],
        cwd=folder,
        input=json.dumps(options),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        pytest.fail(f"no report: {done.stdout}\n{done.stderr}")
    return report


SHOP = {
    "shop.py": "CART, PRICES = [], {}\n",
    "test_a.py": "import shop\n"
    "def test_dirt(): shop.CART.append(1)\n"
    "def test_sets(): shop.PRICES['apple'] = 2\n"
    "def test_victim(): assert not shop.CART\n",
    "test_b.py": "import shop\n"
    "def test_needs(): assert shop.PRICES['apple'] == 2\n"
    "def test_broken(): assert 0\n"
    "def test_fine(): pass\n",
}


def test_victims_are_found_bisected_and_their_state_named(tmp_path: Path) -> None:
    """Polluted and brittle tests are told with culprit and leak; a broken one is apart."""
    report = search(tmp_path, SHOP, seeds=1)
    found = {
        one["test"]: (one["dependence"], one["culprits"], [leak["owner"] for leak in one["leaks"]])
        for one in report["findings"]
    }
    assert found == {
        "test_a.py::test_victim": ("polluted", ["test_a.py::test_dirt"], ["shop.CART"]),
        "test_b.py::test_needs": ("brittle", ["test_a.py::test_sets"], ["shop.PRICES"]),
    }
    assert (report["broken"], report["unsearched"]) == (["test_b.py::test_broken"], [])
    assert (report["tests"], report["isolated"], report["stopped"]) == (6, 6, None)
    assert [order["run"] for order in report["orders"]] == [6, 6, 6]
    assert sorted(
        path.name for path in tmp_path.iterdir() if path.suffix not in (".py", ".toml")
    ) in (
        [],
        ["__pycache__"],
    )


def test_tests_that_end_their_process_hide_nobody(tmp_path: Path) -> None:
    """Whoever exits, dies, hangs or leaves pytest is named, and the others are searched."""
    killers = (
        "import os, signal, sys, threading, pytest\n"
        "def test_exits(): os._exit(3)\n"
        "def test_dies(): os.kill(os.getpid(), signal.SIGKILL)\n"
        "def test_hangs(): threading.Event().wait()\n"
        "def test_leaves(): pytest.exit('enough')\n"
        "def test_interrupts(): raise KeyboardInterrupt\n"
        "def test_sys_exit(): sys.exit(1)\n"
    )
    report = search(tmp_path, {**SHOP, "test_a0.py": killers}, seeds=0, timeout_s=2)
    assert {test.rpartition("::")[2]: ended["ending"] for test, ended in report["killers"]} == {
        "test_exits": "crashed",
        "test_dies": "crashed",
        "test_hangs": "timed_out",
        "test_leaves": "crashed",
        "test_interrupts": "crashed",
    }
    messages = {test.rpartition("::")[2]: ended["message"] for test, ended in report["killers"]}
    assert messages["test_exits"] == "its process left with exit code 3"
    assert messages["test_dies"] == "its process was killed by SIGKILL"
    assert messages["test_leaves"] == "Exit: enough"
    assert len(report["findings"]) == 2
    assert "test_a0.py::test_sys_exit" in report["broken"]


def test_a_time_limit_says_how_far_it_got(tmp_path: Path) -> None:
    """The run that it cuts short counts as far as it went."""
    slow = "import threading\n" + "".join(
        f"def test_{i}(): threading.Event().wait(0.2)\n" for i in range(40)
    )
    report = search(tmp_path, {"test_slow.py": slow}, budget_s=4)
    assert (report["stopped"], report["tests"], report["isolated"]) == ("budget", 40, 0)
    (order,) = report["orders"]
    assert 0 < order["run"] < 40


def test_paths_and_arguments_limit_the_search(tmp_path: Path) -> None:
    """Only what pytest collects there is run."""
    report = search(tmp_path, SHOP, "test_b.py", seeds=0, arguments=["-k", "fine"])
    assert (report["tests"], report["findings"]) == (1, [])


def test_a_suite_that_cannot_be_collected_has_its_trouble_told(tmp_path: Path) -> None:
    """A conftest that leaves Python ends its own process, and not the caller's."""
    report = search(tmp_path, {**SHOP, "conftest.py": "import sys\nsys.exit(5)\n"})
    assert (report["tests"], report["findings"]) == (0, [])
    assert report["trouble"]
    report = search(tmp_path, {**SHOP, "conftest.py": "import os\nos._exit(5)\n"})
    assert "its process left with exit code 5" in report["trouble"]


def test_no_tests_are_no_trouble(tmp_path: Path) -> None:
    """An empty suite has no victims."""
    report = search(tmp_path, {})
    assert (report["tests"], report["findings"], report["trouble"]) == (0, [], "")
