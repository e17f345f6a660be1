import os
import sys
from typing import NoReturn

import pytest
from audited import Audit

from tierwise.audit.facts import RunFacts, TestFact
from tierwise.cli.audit import exit_code_of
from tierwise.cli.audit_order import read_victims, search_order
from tierwise.pollution.findings import Dependence, Finding, Stop, VictimReport

POLLUTED = Finding(test="test_a", dependence=Dependence.POLLUTED, reason="fails behind test_b")
UNDECIDED = Finding(test="test_b", dependence=Dependence.UNDECIDED, reason="it hung")


def test_tests_that_end_their_process_are_named_and_the_others_run(audit: Audit) -> None:
    """By exit, by signal, by pytest.exit and by Ctrl-C: the audit goes on after each."""
    done = audit(
        {
            "test_a.py": "import os, signal, pytest\n"
            "def test_first(): pass\n"
            "def test_exits(): os._exit(7)\n"
            "def test_crashes(): os.kill(os.getpid(), signal.SIGSEGV)\n"
            "def test_stops(): pytest.exit('enough')\n"
            "def test_interrupts(): raise KeyboardInterrupt\n"
            "def test_last(): pass\n"
        }
    )
    assert done.code == 0
    assert done.outcomes() == {
        "test_first": "passed",
        "test_exits": "ended_session",
        "test_crashes": "ended_session",
        "test_stops": "ended_session",
        "test_interrupts": "ended_session",
        "test_last": "passed",
    }
    texts = {found["subject"]: found["text"] for found in done.data["findings"]}
    assert "exit code 7" in texts["test_a.py::test_exits"]
    assert "SIGSEGV" in texts["test_a.py::test_crashes"]
    assert done.data["next_steps"][0]["command"] == "python -m pytest test_a.py::test_exits"


def test_a_test_that_hangs_is_named_and_the_others_run(audit: Audit) -> None:
    """It is killed when nothing has been heard of it for as long as is allowed."""
    done = audit(
        {"test_a.py": "import time\ndef test_hangs(): time.sleep(600)\ndef test_b(): pass\n"},
        "--timeout=4",
    )
    assert done.outcomes() == {"test_hangs": "ended_session", "test_b": "passed"}
    assert "it hung" in done.text_of("ended_session")


def test_a_plugin_that_breaks_pytest_in_a_test_is_told_with_its_line(audit: Audit) -> None:
    """INTERNALERROR ends a session; the next one does without the test that met it."""
    done = audit(
        {
            "conftest.py": "def pytest_runtest_logreport(report):\n"
            "    if 'bad' in report.nodeid and report.when == 'call':\n"
            "        raise RuntimeError('broken')\n",
            "test_a.py": "def test_bad(): pass\ndef test_good(): pass\n",
        }
    )
    assert done.outcomes() == {"test_bad": "ended_session", "test_good": "passed"}
    assert "RuntimeError: broken (conftest.py:3)" in done.text_of("ended_session")


def test_a_conftest_that_leaves_python_is_told_with_its_line(audit: Audit) -> None:
    """Nothing was collected, which is no audit to the end; nothing is claimed of the files."""
    done = audit(
        {"conftest.py": "import sys\n\nsys.exit(5)\n", "test_a.py": "def test_a(): pass\n"}
    )
    assert done.code == 10
    assert done.subjects("ended_session") == ["loading conftest.py"]
    assert "SystemExit: 5" in done.text_of("ended_session")
    assert "conftest.py:3" in done.text_of("ended_session")
    assert done.subjects("never_collected") == []
    assert any("did not get as far" in entry for entry in done.data["not_looked_for"])


def test_a_conftest_that_kills_the_process_is_told(audit: Audit) -> None:
    """Without a last word of it."""
    done = audit({"conftest.py": "import os\nos._exit(6)\n", "test_a.py": "def test_a(): pass\n"})
    assert done.code == 10
    assert "exit code 6" in done.text_of("ended_session")


def test_files_that_cannot_be_collected_hide_no_others(audit: Audit) -> None:
    """An error, an exit while being imported, a module that skips itself: each is told."""
    done = audit(
        {
            "test_a.py": "import not_there\n",
            "test_b.py": "import os\nos._exit(3)\n",
            "test_c.py": "import pytest\npytest.skip('not now', allow_module_level=True)\n",
            "test_d.py": "def test_d(): pass\n",
        }
    )
    assert done.outcomes() == {"test_d": "passed"}
    assert done.text_of("collection_error") == "ModuleNotFoundError: No module named 'not_there'"
    assert done.subjects("ended_session") == ["test_b.py"]
    assert done.text_of("skipped_here") == "Skipped: not now"
    assert done.code == 0


def test_options_that_no_plugin_knows_are_left_out_and_told(audit: Audit) -> None:
    """So are those that would stop or split the run: all tests run, in one process."""
    done = audit(
        {
            "pytest.ini": "[pytest]\naddopts = --nonsense=3 -x -n 2 --strict-config\n",
            "test_a.py": "def test_a(): assert 0\ndef test_b(): pass\n",
        }
    )
    assert done.outcomes() == {"test_a": "failed", "test_b": "passed"}
    assert "--nonsense=3" in done.data["notes"][0]
    assert done.data["session"]["changed"] == ["maxfail", "numprocesses"]


def test_a_plugin_that_keeps_pytest_from_starting_is_left_out_and_told(audit: Audit) -> None:
    """pytest-asyncio warns of a setting, and the project takes warnings for errors."""
    done = audit(
        {
            "pytest.ini": "[pytest]\nfilterwarnings = error\n",
            "test_a.py": "def test_a(): pass\n",
        },
        PYTEST_ADDOPTS="-p no:randomly",
    )
    assert done.outcomes() == {"test_a": "passed"}
    assert done.subjects("ended_session") == ["the plugin asyncio"]
    assert "-p no:asyncio" in done.data["notes"][0]


def test_a_thread_that_outlives_the_tests_is_named(audit: Audit) -> None:
    """With the test that started it."""
    done = audit(
        {
            "test_a.py": "import threading, time\n"
            "def test_a():\n"
            "    threading.Thread(target=time.sleep, args=(7,), name='exporter').start()\n"
        }
    )
    assert done.subjects("exit_hang") == ["thread exporter"]
    assert "test_a.py::test_a" in done.text_of("exit_hang")


def test_a_test_that_closes_every_descriptor_silences_nobody(audit: Audit) -> None:
    """Events are written to a file that is opened again, and never to another's."""
    done = audit(
        {
            "test_a.py": "import os\n"
            "def test_closes(): os.closerange(3, 200)\n"
            "def test_opens(tmp_path):\n"
            "    files = [open(os.devnull) for _ in range(50)]\n"
        },
        "--",
        "-s",
    )
    assert set(done.outcomes()) == {"test_closes", "test_opens"}
    assert "not_run" not in done.outcomes().values()


def test_nothing_to_collect_has_a_code_of_its_own(audit: Audit) -> None:
    """As pytest's; a path that is not there is misuse."""
    assert audit({"readme.txt": "x"}).code == 5
    assert audit({"readme.txt": "x"}, "nowhere").code == 4


IMPORTS = {"shop.py": "", "tests/test_a.py": "import shop\ndef test_a(): pass\n"}


def test_what_a_bare_pytest_would_not_find_is_said(audit: Audit) -> None:
    """The audit runs `python -m pytest`, which has the project's folder on the path."""
    (note,) = audit(IMPORTS).data["notes"]
    assert note.startswith("run as `python -m pytest`, which finds shop in its folder: a bare")


@pytest.mark.parametrize(
    "files",
    [
        {"conftest.py": ""},
        {"tests/__init__.py": ""},
        {"test_root.py": "def test_root(): pass\n"},
        {"pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n'},
    ],
    ids=lambda files: next(iter(files)),
)
def test_what_a_bare_pytest_finds_too_is_no_matter(audit: Audit, files: dict[str, str]) -> None:
    """A setting puts the folder on the path, or pytest does for a file in it."""
    assert audit({**IMPORTS, **files}).data["notes"] == []


def test_a_search_for_order_that_is_interrupted_leaves_the_audit_its_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the tests did before is told, and that the search came to no end."""

    def interrupt(*_paths: object, **_options: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("tierwise.pytest_plugin.pollution_search.find_victims", interrupt)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(sys, "dont_write_bytecode", sys.dont_write_bytecode)
    evidence = search_order(RunFacts(), (), timeout_s=60)
    assert evidence.unfinished == "the search was stopped (interrupted)"
    assert exit_code_of(RunFacts(), evidence) == 2


@pytest.mark.parametrize(
    ("report", "unfinished", "code"),
    [
        (VictimReport(tests=3), "", 0),
        (VictimReport(tests=3, findings=(POLLUTED,)), "", 0),
        (VictimReport(tests=3, trouble="it broke"), "it broke", 10),
        (VictimReport(tests=3, stopped=Stop.BUDGET), "the search was stopped (budget)", 10),
        (
            VictimReport(tests=3, findings=(POLLUTED, UNDECIDED), stopped=Stop.BUDGET),
            "the search was stopped (budget); test_b could not be told: it hung",
            10,
        ),
        (VictimReport(tests=3, stopped=Stop.INTERRUPTED, trouble="said"), "said", 2),
    ],
)
def test_a_search_for_order_that_came_to_no_end_is_no_success(
    report: VictimReport, unfinished: str, code: int
) -> None:
    """What could not be told is no finding, and has an exit code of its own."""
    evidence = read_victims(report)
    n_told = sum(one.dependence is Dependence.POLLUTED for one in report.findings)
    assert len(evidence.findings) == n_told
    assert evidence.unfinished == unfinished
    whole = RunFacts(tests=(TestFact(nodeid="test_a", path="test_a.py"),), is_complete=True)
    assert exit_code_of(whole, evidence) == code


def test_a_limit_of_the_search_ends_it(audit: Audit) -> None:
    """The run before it is told, and so is that the search came to no end."""
    files = {"test_a.py": "".join(f"def test_{n}(): pass\n" for n in range(40))}
    done = audit(files, "--order", "--max-seconds=0.001")
    assert done.code == 10
    assert done.data["not_looked_for"] == [
        "the rest of order dependence: the search was stopped (budget)"
    ]
    assert audit(files, "--max-seconds=5").code == 4
