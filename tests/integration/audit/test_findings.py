from pathlib import Path

from audited import Audit, run_pytest, start

PROJECT = {
    "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests", "gone"]\n'
    'addopts = "-m \'not slow\'"\nmarkers = ["slow"]\n',
    ".github/workflows/ci.yml": "jobs:\n  unit:\n    steps:\n      - run: pytest tests/unit\n"
    "      - run: pytest tests/moved\n",
    "src/shop/__init__.py": "",
    "src/shop/orders.test.py": "",
    "tests/unit/test_cart.py": "import os, pytest, subprocess, sys, time\n"
    "def test_plain(): pass\n"
    "def test_file(tmp_path): (tmp_path / 'x').write_text('x')\n"
    "def test_child(): subprocess.run([sys.executable, '-c', ''])\n"
    "@pytest.mark.slow\ndef test_slow(): pass\n"
    "@pytest.mark.skip\ndef test_old(): pass\n"
    "@pytest.mark.xfail\ndef test_known(): assert 0\n"
    "def test_twice(): assert 0\n"
    "def test_twice(): pass\n"
    "def test_leaves(): os.environ['SHOP_MODE'] = 'test'\n"
    "class TestCart:\n    def __init__(self): pass\n    def test_in_class(self): pass\n",
    "tests/unit/checks.py": "def test_unseen(): pass\n",
    "tests/integration/test_api.py": "import socket\n"
    "def test_swallows():\n"
    "    try:\n        socket.getaddrinfo('shop.invalid', 443)\n"
    "    except OSError:\n        pass\n",
}


def test_each_thing_that_is_wrong_with_a_project_is_found(audit: Audit) -> None:
    """With nothing set up and nothing changed."""
    done = audit(PROJECT)
    assert done.code == 0
    assert done.data["levels"] == {"unit": 8, "integration": 1}
    assert done.subjects("network") == ["shop.invalid:443"]
    assert "the result does not show it" in done.text_of("network")
    assert set(done.subjects("beyond_level")) == {"unit: subprocess", "unit: tmp"}
    assert set(done.subjects("never_collected")) == {
        "tests/unit/checks.py",
        "tests/unit/test_cart.py::TestCart",
    }
    assert done.subjects("defined_twice") == ["tests/unit/test_cart.py::test_twice"]
    assert done.subjects("empty_test_file") == ["src/shop/orders.test.py"]
    assert set(done.subjects("missing_folder")) == {"gone", "tests/moved"}
    assert done.subjects("not_in_ci") == ["tests/integration", "tests/unit/test_cart.py"]
    assert done.subjects("always_skipped") == ["tests/unit/test_cart.py::test_old"]
    assert done.subjects("skip_without_reason") == ["tests/unit/test_cart.py::test_old"]
    assert done.subjects("left_out") == ["-m 'not slow'"]
    assert done.subjects("xfail_not_strict") == ["tests/unit/test_cart.py::test_known"]
    assert done.subjects("state_left") == ["os.environ['SHOP_MODE']"]
    assert len(done.data["next_steps"]) == 3


def test_a_test_that_is_written_elsewhere_belongs_to_the_file_it_is_collected_from(
    audit: Audit,
) -> None:
    """A file whose tests another one makes is not empty, and CI runs them with that file."""
    done = audit(
        {
            "Makefile": "test:\n\tpytest tests\n",
            "shared/suite.py": "import pytest\nclass Suite:\n"
            "    @pytest.mark.skip(reason='later')\n    def test_a(self): pass\n"
            "def make(): return type('TestMade', (Suite,), {})\n",
            "conftest.py": "",
            "tests/test_made.py": "from shared.suite import make\nTestMade = make()\n",
        }
    )
    found = [(one["kind"], one["subject"], one["where"]) for one in done.data["findings"]]
    name = "tests/test_made.py::TestMade::test_a"
    assert found == [("always_skipped", name, "shared/suite.py:3")]
    assert [(test["nodeid"], test["line"]) for test in done.data["tests"]] == [(name, 0)]


def test_what_touched_the_network_is_named_by_its_line(audit: Audit) -> None:
    """The innermost line of the project's own."""
    done = audit({"tests/test_api.py": PROJECT["tests/integration/test_api.py"]})
    (found,) = [one for one in done.data["findings"] if one["kind"] == "network"]
    assert found["where"] == "tests/test_api.py:4 in test_swallows"


def test_with_order_the_tests_that_depend_on_it_are_found(audit: Audit) -> None:
    """And without it, it is said that nobody looked."""
    files = {
        "test_a.py": "SEEN = []\ndef test_first(): SEEN.append(1)\n"
        "def test_second(): assert SEEN\n"
    }
    without = audit(files)
    assert without.data["not_looked_for"] == ["order dependence: tierwise audit --order"]
    done = audit(files, "--order")
    assert done.subjects("order_dependent") == ["test_a.py::test_second"]
    assert "behind test_a.py::test_first" in done.text_of("order_dependent")
    assert done.data["not_looked_for"] == []


def test_without_a_run_nothing_is_run_and_that_is_said(audit: Audit) -> None:
    """What files, CI and configuration tell is told all the same."""
    done = audit({"test_a.py": "def test_a(): raise SystemExit\n"}, "--no-run")
    assert done.outcomes() == {"test_a": "not_run"}
    assert "what tests do when they run: leave out --no-run" in done.data["not_looked_for"]
    assert done.subjects("not_in_ci") == ["CI"]


def test_paths_and_options_for_pytest_are_passed_on(audit: Audit) -> None:
    """What lies elsewhere is not looked at."""
    files = {
        "a/test_a.py": "def test_a(): pass\ndef test_b(): pass\n",
        "b/test_c.py": "def test_c(): pass\n",
        "b/checks.py": "import pytest\ndef test_d(): pass\n",
    }
    done = audit(files, "a", "--", "-k", "test_a and not test_b")
    assert done.outcomes() == {"test_a": "passed", "test_b": "deselected"}
    assert done.subjects("never_collected") == []


def test_the_proposed_table_starts_green(audit: Audit, tmp_path: Path) -> None:
    """`tierwise init` writes it from the page that a bare audit leaves, and pytest passes."""
    files = {
        "tests/test_a.py": "def test_a(): pass\n",
        "tests/test_b.py": "import subprocess, sys\n"
        "def test_b(tmp_path): subprocess.run([sys.executable, '-c', ''], cwd=tmp_path)\n",
    }
    audit(files)
    root = tmp_path / "shop"
    said = start(root, "audit")
    assert said.returncode == 0
    assert "What to do next" in said.stdout
    assert (root / "audit.html").read_text().startswith("<!doctype html>")
    written = start(root, "init")
    assert "from audit.html" in written.stdout, written.stderr
    assert 'paths = ["tests/test_b.py"]' in (root / "pyproject.toml").read_text()
    assert start(root, "init").returncode == 4
    assert start(root, "init", "--force").returncode == 0
    tested = run_pytest(root)
    assert tested.returncode == 0, tested.stdout
    assert "tiers" in tested.stdout


def test_a_recorded_run_stands_for_one(audit: Audit, tmp_path: Path) -> None:
    """What it did not record is said; a run that is not there is misuse."""
    files = {
        "pyproject.toml": "[tool.tierwise]\n",
        "tests/unit/test_a.py": "def test_a(): assert 0\ndef test_b(): pass\n",
    }
    missing = audit(files, "--from-run", "last")
    assert missing.code == 4
    assert "no run store" in missing.data["error"]
    run_pytest(tmp_path / "shop")
    done = audit({}, "--from-run", "last")
    assert done.outcomes() == {"test_a": "failed", "test_b": "passed"}
    assert any("a recorded run does not tell" in entry for entry in done.data["not_looked_for"])
    assert audit({}, "--from-run", "nope").code == 4


def test_hostile_names_stay_data_on_the_page(audit: Audit, tmp_path: Path) -> None:
    """No test's name or message becomes markup, and no control character reaches a terminal."""
    name = "test_<script>alert(1)</script>\\x1b[31m"
    audit(
        {
            "test_a.py": "import pytest\n"
            f"@pytest.mark.parametrize('x', [1], ids=['{name}'])\n"
            "def test_a(x): raise ValueError('<b>\\x1b[31m</b>')\n"
        }
    )
    said = start(tmp_path / "shop", "audit")
    page = (tmp_path / "shop/audit.html").read_text()
    assert "<script>alert" not in page
    assert "<b>" not in page.partition("<main")[2].replace("<br>", "")
    assert "\x1b" not in said.stdout + page


def test_a_file_that_a_test_writes_beside_the_code_is_named(audit: Audit) -> None:
    """Also where no folder tells which level the test is of; paths start at the project."""
    done = audit(
        {
            "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests", "gone"]\n',
            "tests/test_log.py": "from pathlib import Path\n"
            "def test_logs():\n"
            "    path = Path(__file__).with_name('debug.log')\n"
            "    path.write_text('x')\n"
            "    path.unlink()\n",
        }
    )
    assert done.subjects("changed_files") == ["tests/debug.log"]
    (gone,) = [one for one in done.data["findings"] if one["kind"] == "missing_folder"]
    assert gone["where"] == "pyproject.toml"
