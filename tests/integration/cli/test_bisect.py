"""`tierwise bisect` on small real projects, each with a pollution of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SMALL = "def test_first(): pass\ndef test_second(): pass\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder that is a project of its own, with a few tests that are clean."""
    write(tmp_path, {"pyproject.toml": "[tool.pytest.ini_options]\n", "test_clean.py": SMALL})
    return tmp_path


def write(project: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run(
    project: Path, *arguments: str, interpreter: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *interpreter, "-m", "tierwise", "bisect", *arguments],
        cwd=project,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


def bisect(project: Path, *arguments: str) -> dict[str, Any]:
    done = run(project, "--json", *arguments)
    try:
        data: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        pytest.fail(f"no JSON: {done.stdout}\n{done.stderr}")
    assert data["exit_code"] == done.returncode
    return data


def expect(data: dict[str, Any], dependence: str, *culprits: str) -> None:
    assert (data["dependence"], data["culprits"]) == (dependence, list(culprits)), data


POLLUTIONS = {
    "a module global": (
        "import shop\ndef test_dirt(): shop.CART.append('apple')\n",
        "import shop\ndef test_victim(): assert shop.CART == []\n",
        "shop.CART",
    ),
    "a popped module": (
        "import sys\nimport shop\ndef test_dirt(): sys.modules.pop('shop')\n",
        "import shop\ndef test_victim():\n    import shop as s\n    assert s.CART is shop.CART\n",
        "sys.modules['shop']",
    ),
    "the environment": (
        "import os\ndef test_dirt(): os.environ['SHOP'] = 'closed'\n",
        "import os\ndef test_victim(): assert 'SHOP' not in os.environ\n",
        "os.environ['SHOP']",
    ),
    "the working folder": (
        "import os\ndef test_dirt(tmp_path): os.chdir(tmp_path)\n",
        "from pathlib import Path\ndef test_victim(): assert Path('shop.py').exists()\n",
        "os.getcwd()",
    ),
}


@pytest.mark.parametrize("kind", POLLUTIONS)
def test_what_pollutes_is_named(project: Path, kind: str) -> None:
    """The one test that leaves dirt behind is found among those that do not."""
    dirty, victim, owner = POLLUTIONS[kind]
    write(
        project,
        {"shop.py": "CART = []\n", "test_dirty.py": dirty, "test_victim.py": SMALL + victim},
    )
    data = bisect(project, "test_victim.py::test_victim")
    expect(data, "polluted", "test_dirty.py::test_dirt")
    assert data["alone"]["ending"] == "passed"
    assert data["together"]["ending"] == "failed"
    assert (data["exit_code"], data["stopped"], data["left_out"]) == (1, None, [])
    assert [(leak["owner"], leak["proof"]) for leak in data["leaks"]] == [(owner, "confirmed")]
    assert not (project / ".tierwise").exists()
    assert not (project / ".pytest_cache").exists()


def test_two_that_pollute_only_together_are_both_named(project: Path) -> None:
    """Neither of two suffices: both are needed, and nothing between them."""
    write(
        project,
        {
            "shop.py": "OPEN, PAID = [], []\n",
            "test_a.py": "import shop\ndef test_opens(): shop.OPEN.append(1)\n" + SMALL,
            "test_b.py": "import shop\ndef test_pays(): shop.PAID.append(1)\n" + SMALL,
            "test_z.py": "import shop\ndef test_victim(): assert not (shop.OPEN and shop.PAID)\n",
        },
    )
    expect(
        bisect(project, "test_victim"), "polluted", "test_a.py::test_opens", "test_b.py::test_pays"
    )


def test_what_a_brittle_test_needs_is_named(project: Path) -> None:
    """A test that passes only behind another has that one as its setter."""
    write(
        project,
        {
            "shop.py": "PRICES = {}\n",
            "test_a.py": SMALL + "import shop\ndef test_sets(): shop.PRICES['apple'] = 2\n",
            "test_b.py": "import shop\ndef test_needs(): assert shop.PRICES['apple'] == 2\n",
        },
    )
    data = bisect(project, "test_needs")
    expect(data, "brittle", "test_a.py::test_sets")
    assert data["alone"]["message"] == "KeyError: 'apple'"
    assert data["leaks"] == [
        {
            "owner": "shop.PRICES",
            "watcher": "modules",
            "before": "{}",
            "after": "{'apple': 2}",
            "proof": "confirmed",
        }
    ]


def test_order_within_a_class_is_found(project: Path) -> None:
    """Tests of one class that share its attribute are told apart."""
    write(
        project,
        {
            "test_steps.py": (
                "class TestSteps:\n"
                "    made = []\n"
                "    def test_one(self): pass\n"
                "    def test_make(self): self.made.append(1)\n"
                "    def test_count(self): assert self.made == [1]\n"
            )
        },
    )
    data = bisect(project, "TestSteps::test_count")
    expect(data, "brittle", "test_steps.py::TestSteps::test_make")
    assert [leak["owner"] for leak in data["leaks"]] == ["test_steps.TestSteps.made"]


def test_ids_with_odd_characters_are_bisected(project: Path) -> None:
    """Brackets, colons, spaces and letters beyond ASCII in an id are no hindrance."""
    write(
        project,
        {
            "test_odd.py": (
                "import pytest\nSEEN = []\n"
                "@pytest.mark.parametrize('x', ['a[b]', 'c::d', 'two words', 'grün', '[', ''])\n"
                "def test_odd(x):\n"
                "    assert not (x == 'grün' and 'c::d' in SEEN)\n"
                "    SEEN.append(x)\n"
            )
        },
    )
    data = bisect(project, "test_odd.py::test_odd[grün]")
    expect(data, "polluted", "test_odd.py::test_odd[c::d]")


def test_a_session_fixture_that_is_changed_is_found(project: Path) -> None:
    """A fixture of the session is set up anew for each run, and what changes it is named."""
    write(
        project,
        {
            "conftest.py": (
                "import pytest\n@pytest.fixture(scope='session')\ndef basket(): return ['egg']\n"
            ),
            "test_a.py": SMALL + "def test_empties(basket): basket.clear()\n",
            "test_b.py": "def test_counts(basket): assert len(basket) == 1\n",
        },
    )
    expect(bisect(project, "test_counts"), "polluted", "test_a.py::test_empties")


def test_a_session_fixture_that_breaks_at_its_end_is_nobodys_fault(project: Path) -> None:
    """What a session's fixture finds when it is torn down is not blamed on the last test."""
    write(
        project,
        {
            "conftest.py": (
                "import pytest\n@pytest.fixture(scope='session', autouse=True)\n"
                "def strict():\n    yield\n    raise RuntimeError\n"
            )
        },
    )
    expect(bisect(project, "test_second"), "independent")


def test_a_culprit_that_runs_later_shows_itself(project: Path) -> None:
    """A test that passes in the suite's own order fails behind all others."""
    write(
        project,
        {
            "shop.py": "CART = []\n",
            "test_a.py": "import shop\ndef test_victim(): assert not shop.CART\n",
            "test_z.py": "import shop\ndef test_dirt(): shop.CART.append(1)\n",
        },
    )
    data = bisect(project, "test_victim")
    expect(data, "polluted", "test_z.py::test_dirt")
    assert data["orders"] == ["behind all others"]


def test_a_clean_test_has_no_culprit(project: Path) -> None:
    """It exits with 0 and tells in which orders it was run."""
    data = bisect(project, "test_second")
    expect(data, "independent")
    assert (data["exit_code"], data["orders"][0]) == (0, "as collected")


def test_a_broken_test_is_not_a_matter_of_order(project: Path) -> None:
    """It exits with 1 and says why the test fails."""
    write(project, {"test_b.py": "def test_broken(): assert 1 == 2\n"})
    data = bisect(project, "test_broken")
    expect(data, "broken")
    assert "assert 1 == 2" in data["reason"]


def test_chance_is_nobodys_fault(project: Path) -> None:
    """A test that draws a number is undecided, though forked children draw the same ones."""
    write(
        project,
        {
            # The first number it draws is below a half, the second one is not.
            "conftest.py": "import random\ndef pytest_collection_finish(): random.seed(1)\n",
            "test_a.py": "import random\ndef test_draws(): random.random()\n",
            "test_b.py": "import random\ndef test_flaky(): assert random.random() < 0.5\n",
        },
    )
    data = bisect(project, "test_flaky", "--", "-p", "no:randomly")
    assert (data["dependence"], data["culprits"], data["exit_code"]) == ("undecided", [], 10)
    assert "depends on chance or on time" in data["reason"]


def test_nothing_is_recorded_of_a_declared_project(project: Path) -> None:
    """Where each run of pytest is recorded, those of a search are not."""
    write(
        project,
        {
            "pyproject.toml": "[tool.tierwise.tiers.unit]\nquestion = 'Is it right?'\n"
            "level = 'unit'\npaths = ['unit']\nallow = ['sleep']\n",
            "unit/test_b.py": "import threading\ndef test_a(): threading.Event().wait(1.1)\n"
            "def test_b(): pass\n",
        },
    )
    expect(bisect(project, "test_b"), "independent")
    assert not (project / ".tierwise").exists()


def test_crashing_and_hanging_tests_are_left_out(project: Path) -> None:
    """What would end every run is taken out and named, and the polluter found all the same."""
    write(
        project,
        {
            "shop.py": "CART = []\n",
            "test_a.py": "import os, shop\ndef test_exits(): os._exit(3)\n"
            "def test_dirt(): shop.CART.append(1)\n",
            "test_b.py": "import pytest, threading\ndef test_hangs(): threading.Event().wait()\n"
            "def test_leaves(): pytest.exit('enough')\n",
            "test_z.py": "import shop\ndef test_victim(): assert not shop.CART\n",
        },
    )
    data = bisect(project, "test_victim", "--timeout", "1.5")
    expect(data, "polluted", "test_a.py::test_dirt")
    assert data["left_out"] == [
        "test_a.py::test_exits",
        "test_b.py::test_hangs",
        "test_b.py::test_leaves",
    ]


def test_a_test_that_hangs_is_undecided(project: Path) -> None:
    """A time-out is neither passed nor failed."""
    write(project, {"test_h.py": "import threading\ndef test_hangs(): threading.Event().wait()\n"})
    data = bisect(project, "test_hangs", "--timeout", "0.5")
    assert (data["dependence"], data["exit_code"]) == ("undecided", 10)
    assert "had not ended after 0.5 s" in data["reason"]


def test_culprits_are_looked_for_where_asked(project: Path) -> None:
    """With --with, nothing else is run before the test."""
    write(
        project,
        {
            "shop.py": "CART = []\n",
            "test_a.py": "import shop\ndef test_dirt(): shop.CART.append(1)\n",
            "test_b.py": "import shop\ndef test_victim(): assert not shop.CART\n",
        },
    )
    expect(bisect(project, "test_victim", "--with", "test_clean.py"), "independent")
    expect(
        bisect(project, "test_victim", "--with", "./test_a.py"), "polluted", "test_a.py::test_dirt"
    )
    refused = bisect(project, "test_victim", "--with", "test_nowhere.py")
    assert (refused["exit_code"], "no test but test_b.py" in refused["error"]) == (4, True)


def test_the_order_of_a_random_run_is_repeated(project: Path) -> None:
    """With the seed of a run, the search starts from that run's order and names it."""
    write(
        project,
        {
            "shop.py": "CART = []\n",
            "test_a.py": "import shop\ndef test_dirt(): shop.CART.append(1)\n",
            "test_b.py": "import shop\ndef test_victim(): assert not shop.CART\n",
        },
    )
    data = bisect(project, "test_victim", "--order-seed", "7", "--", "-p", "no:randomly")
    expect(data, "polluted", "test_a.py::test_dirt")
    assert data["orders"][0] in ("the random order of seed 7", "behind all others")


def test_what_stands_behind_the_dashes_goes_to_pytest(project: Path) -> None:
    """A test that pytest was told to leave out is not found, nor is any that it cannot collect."""
    write(project, {"test_bad.py": "import nothing_of_that_name\n"})
    refused = bisect(project, "test_second", "--", "-k", "first")
    assert refused["exit_code"] == 4
    assert "No collected test is named 'test_second'" in refused["error"]
    left_out = (
        "could not be collected, and was left out: test_bad.py "
        "(ModuleNotFoundError: No module named 'nothing_of_that_name')"
    )
    assert left_out in refused["error"]
    assert bisect(project, "test_second")["notes"] == [left_out]


def test_the_folder_is_on_the_path_as_python_m_pytest_has_it(project: Path) -> None:
    """The command finds what lies in the project's folder, though no command has that on its path.

    `-P` keeps the folder off the path, as the script of an installed command does.
    """
    write(
        project,
        {
            "shop.py": "CART = []\n",
            "tests/test_a.py": "import shop\ndef test_dirt(): shop.CART.append(1)\n",
            "tests/test_b.py": "import shop\ndef test_victim(): assert not shop.CART\n",
        },
    )
    (project / "test_clean.py").unlink()  # pytest puts the folder of a test file on the path
    done = run(project, "--json", "test_victim", interpreter=("-P",))
    expect(json.loads(done.stdout), "polluted", "tests/test_a.py::test_dirt")


def test_a_name_that_is_no_test_gets_the_closest(project: Path) -> None:
    """A typing error is answered with the test that was probably meant."""
    done = run(project, "test_secnd")
    assert done.returncode == 4
    assert "Did you mean 'test_clean.py::test_second'? 2 were collected" in done.stderr


def test_a_part_of_several_names_is_not_guessed(project: Path) -> None:
    """Whoever is meant has to be said, and the candidates are listed."""
    done = run(project, "test_clean")
    assert done.returncode == 4
    assert "'test_clean' is a part of 2 tests: test_clean.py::test_first, " in done.stderr


def test_a_project_without_tests_has_its_own_exit_code(project: Path) -> None:
    """Nothing collected is 5, as in pytest."""
    (project / "test_clean.py").unlink()
    assert bisect(project, "test_x")["exit_code"] == 5


def test_a_conftest_that_leaves_python_does_not_take_the_command_along(project: Path) -> None:
    """It is said that the session ended, and with which code."""
    write(project, {"conftest.py": "import os\nos._exit(9)\n"})
    data = bisect(project, "test_first")
    assert data["exit_code"] == 3
    assert "its process left with exit code 9" in data["error"]


def test_a_session_that_ends_badly_costs_no_answer(project: Path) -> None:
    """What a project does at the end of its session comes after the answer."""
    write(project, {"conftest.py": "import os\ndef pytest_sessionfinish(): os._exit(9)\n"})
    expect(bisect(project, "test_first"), "independent")


def test_wrong_arguments_of_pytest_are_told(project: Path) -> None:
    """The complaint that pytest has is handed on, with its exit code."""
    refused = bisect(project, "test_first", "--", "--no-such-option")
    assert refused["exit_code"] == 4
    assert "--no-such-option" in refused["error"]


def test_plugins_of_the_project_are_quiet(project: Path) -> None:
    """Workers, coverage, reports and shuffling of its addopts neither start nor write."""
    options = "-n 2 --cov=shop --cov-report=xml --junitxml=junit.xml -x --randomly-seed=8"
    write(
        project,
        {
            "pyproject.toml": f'[tool.pytest.ini_options]\naddopts = "{options}"\n',
            "shop.py": "CART = []\n",
            "test_a.py": "import shop\ndef test_fails(): assert 0\n"
            "def test_dirt(): shop.CART.append(1)\n",
            "test_b.py": "import shop\ndef test_victim(): assert not shop.CART\n",
        },
    )
    data = bisect(project, "test_victim")
    expect(data, "polluted", "test_a.py::test_dirt")
    assert data["orders"] == ["as collected"]
    written = {path.name for path in project.iterdir() if path.suffix not in (".py", ".toml")}
    assert written <= {"__pycache__"}


def test_a_file_that_pollutes_by_being_imported_is_named(project: Path) -> None:
    """A fake module left at import makes a test fail in each order; its file is to blame."""
    write(
        project,
        {
            "shop.py": "def price(): return 2\n",
            "test_a.py": "import sys, types\nsys.modules['shop'] = types.ModuleType('shop')\n"
            "def test_fake(): pass\n",
            "test_b.py": "def test_victim():\n    import shop\n    assert shop.price() == 2\n",
        },
    )
    data = bisect(project, "test_victim")
    expect(data, "polluted", "test_a.py")
    assert data["way"] == "importing"
    assert data["reason"].startswith(
        "passes when its file is collected alone, fails once test_a.py is imported too"
    )


def test_threads_that_collecting_started_are_noted(project: Path) -> None:
    """A child has none of them, so that a reader is told."""
    write(
        project,
        {
            "conftest.py": "import threading\n"
            "threading.Thread(target=threading.Event().wait, name='ticker', daemon=True).start()\n"
        },
    )
    (note,) = bisect(project, "test_first")["notes"]
    assert note.startswith("collecting started 1 thread (ticker), which no forked child has")


def test_a_person_reads_who_what_and_how_to_see_it(project: Path) -> None:
    """The lines name test, culprit, failure, command and cost."""
    write(
        project,
        {
            "shop.py": "CART = []\n",
            "test_a.py": "import shop\ndef test_dirt(): shop.CART.append(1)\n",
            "test_b.py": "import shop\ndef test_victim(): assert not shop.CART\n",
        },
    )
    said = run(project, "test_victim").stdout
    assert said.startswith(
        "test_b.py::test_victim: polluted\n"
        "  passes alone, fails behind test_a.py::test_dirt\n"
        "  it fails with: assert not [1]\n"
        "  left changed: shop.CART\n"
        "    [] -> [1]\n"
        "  confirmed: with that change taken back, it passes behind them too\n"
    )
    assert "test_a.py::test_dirt test_b.py::test_victim\n" in said
    assert " runs of " in said


def test_ctrl_c_tells_what_is_known_and_leaves_nothing_running(project: Path) -> None:
    """Interrupted in a run that hangs, the command says so, and its children are gone."""
    write(
        project,
        {
            "test_h.py": "import os, threading\nfrom pathlib import Path\n"
            "def test_hangs():\n"
            "    Path('child.pid').write_text(str(os.getpid()))\n"
            "    threading.Event().wait()\n"
        },
    )
    command = [sys.executable, "-m", "tierwise", "bisect", "--json", "test_second"]
    with subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, text=True) as process:
        pid = wait_for_text(project / "child.pid")
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=30)
    data = json.loads(said)
    assert (process.returncode, data["stopped"]) == (2, "interrupted")
    assert data["reason"].startswith("interrupted: it passes alone")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


def wait_for_text(path: Path) -> str:
    for _ in range(600):
        if path.exists() and path.read_text(encoding="utf-8"):
            return path.read_text(encoding="utf-8")
        time.sleep(0.05)
    pytest.fail(f"{path.name} was not written")


def test_a_time_limit_ends_the_search(project: Path) -> None:
    """--max-seconds exits with 13 and says what is known."""
    data = bisect(project, "test_second", "--max-seconds", "0.001")
    assert (data["exit_code"], data["stopped"]) == (13, "budget")
    assert data["reason"] == "the time for the search is over: nothing is known yet"
