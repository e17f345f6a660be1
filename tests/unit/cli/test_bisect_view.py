"""What `tierwise bisect` prints, and how it ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tierwise.cli.bisect_view import as_data, describe, exit_code_of
from tierwise.errors import ExitCode
from tierwise.pollution.endings import Ended, Ending
from tierwise.pollution.findings import (
    Dependence,
    Effort,
    Finding,
    Leak,
    Proof,
    Stop,
    Way,
)
from tierwise.pytest_plugin.pollution_bisect import BisectResult

FINDING = Finding(
    test="t.py::test_v[a b]",
    dependence=Dependence.POLLUTED,
    reason="passes alone, fails behind t.py::test_p",
    culprits=("t.py::test_p",),
    alone=Ended(ending=Ending.PASSED),
    together=Ended(ending=Ending.FAILED, message="KeyError: 'x'"),
    orders=("as collected",),
    effort=Effort(runs=1_234, tests=1, seconds=1.25),
)
RESULT = BisectResult(finding=FINDING)


@pytest.mark.parametrize(
    ("dependence", "stopped", "code"),
    [
        (Dependence.POLLUTED, None, ExitCode.FAILED),
        (Dependence.BRITTLE, None, ExitCode.FAILED),
        (Dependence.BROKEN, None, ExitCode.FAILED),
        (Dependence.INDEPENDENT, None, ExitCode.OK),
        (Dependence.UNDECIDED, None, ExitCode.UNDECIDED),
        (Dependence.UNDECIDED, Stop.INTERRUPTED, ExitCode.INTERRUPTED),
        (Dependence.UNDECIDED, Stop.BUDGET, ExitCode.STOPPED_BY_BUDGET),
    ],
)
def test_each_answer_has_its_exit_code(
    dependence: Dependence, stopped: Stop | None, code: ExitCode
) -> None:
    """Only a test that passes everywhere ends with 0; what could not be told never does."""
    finding = replace(FINDING, dependence=dependence, stopped=stopped)
    assert exit_code_of(replace(RESULT, finding=finding)) is code


def test_a_person_reads_what_is_known() -> None:
    """Who, why, how to see it, and what it cost."""
    lines = list(describe(RESULT))
    assert lines[:3] == [
        "t.py::test_v[a b]: polluted",
        "  passes alone, fails behind t.py::test_p",
        "  it fails with: KeyError: 'x'",
    ]
    assert lines[3].startswith("  see it: python -m pytest ")
    assert lines[3].endswith("t.py::test_p 't.py::test_v[a b]'")
    assert lines[4:] == ["  1,234 runs of 1 test altogether, 1.2 s"]


def test_in_random_order_the_command_switches_it_off() -> None:
    """Pytest given both tests would shuffle them otherwise."""
    (line,) = [line for line in describe(replace(RESULT, is_random=True)) if "see it" in line]
    assert line.startswith("  see it: python -m pytest --tierwise-mode off ")


def test_a_file_that_pollutes_is_collected_and_none_of_its_tests_run() -> None:
    """The command chooses the test by its name."""
    finding = replace(FINDING, culprits=("p.py",), way=Way.IMPORTING)
    (line,) = [line for line in describe(replace(RESULT, finding=finding)) if "see it" in line]
    assert line.endswith("-k test_v p.py 't.py::test_v[a b]'")


def test_leaks_are_told_with_their_proof() -> None:
    """A confirmed one is a fact, a suspected one is called so; of many the first ten are shown."""
    one = Leak(owner="shop.CART", watcher="modules", before="[]", after="[1]")
    confirmed = replace(FINDING, leaks=(replace(one, proof=Proof.CONFIRMED),))
    lines = list(describe(replace(RESULT, finding=confirmed)))
    assert lines[3:6] == [
        "  left changed: shop.CART",
        "    [] -> [1]",
        "  confirmed: with that change taken back, it passes behind them too",
    ]
    suspected = replace(FINDING, leaks=(one,) * 12)
    lines = list(describe(replace(RESULT, finding=suspected)))
    assert lines.count("  suspected: shop.CART") == 10
    assert "  and 2 more changes" in lines
    assert not any("confirmed" in line for line in lines)


def test_notes_and_what_was_left_out_are_told() -> None:
    """Whatever qualifies the answer stands below it."""
    finding = replace(FINDING, left_out=("t.py::test_exits",))
    lines = list(describe(BisectResult(finding=finding, notes=("a thread",))))
    assert "  left out, as they crash or hang: t.py::test_exits" in lines
    assert "  note: a thread" in lines


def test_a_program_reads_all_of_it() -> None:
    """The keys are those that the documentation names."""
    data = as_data(RESULT, ExitCode.FAILED)
    assert list(data) == [
        *("test", "dependence", "reason", "culprits", "way", "alone", "together", "leaks"),
        *("orders", "candidates", "left_out", "stopped", "runs", "tests_run", "seconds"),
        *("notes", "exit_code"),
    ]
    assert data["alone"] == {"ending": "passed", "message": ""}
    assert (data["runs"], data["exit_code"], data["stopped"]) == (1_234, 1, None)
