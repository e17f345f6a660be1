"""The tests travel small, the worst first, and never beyond their budget."""

from __future__ import annotations

from report_world import HOSTILE

from tierwise.domain import Outcome
from tierwise.report.html.payload import pack_tests
from tierwise.report.html.text import to_script_json
from tierwise.report.html.values import TestLine
from tierwise.report.html.wording import tier_of


def line(name: str, file: str = "tests/test_a.py", **more: object) -> TestLine:
    values = {
        "tier": "unit",
        "outcome": Outcome.PASSED,
        "duration_s": 0.0124,
        "message": "",
        **more,
    }
    return TestLine(nodeid=f"{file}::{name}", started_at="", **values)  # type: ignore[arg-type]


def test_tests_of_one_file_share_its_name() -> None:
    """A file and a tier are written once; a message only where there is one."""
    found = pack_tests([line("test_a"), line("test_b", message="why"), line("test_c", "x.py")])
    assert found.data["files"] == [
        ["tests/test_a.py", "unit", [["test_a", 0, 12], ["test_b", 0, 12, "why"]]],
        ["x.py", "unit", [["test_c", 0, 12]]],
    ]
    assert found.n_shown == 3


def test_a_tier_is_cut_as_the_filter_cuts_it() -> None:
    """A tier of any length can be chosen, and does not make the page wider."""
    long = "\u202e" + "x" * 999
    found = pack_tests([line("test_a", tier=long)])
    assert found.data["files"][0][1] == tier_of(long)  # type: ignore[index]
    assert len(tier_of(long)) < 60


def test_what_does_not_fit_is_left_out_and_counted() -> None:
    """The first ones, which are the worst, are kept; the budget holds for the JSON as it is."""
    tests = [line(f"test_{text}_{n}", message=text * 9) for n in range(400) for text in HOSTILE]
    found = pack_tests(tests, budget=50_000)
    size = len(to_script_json(found.data).encode())
    assert 0 < found.n_shown < len(tests)
    assert 20_000 < size <= 50_000


def test_five_thousand_tests_of_usual_names_fit() -> None:
    """The page of 5,000 tests holds them all."""
    name = "test_the_behaviour_that_matters_is_kept_in_this_case[parameter-1]"
    tests = [line(name, f"tests/unit/rooms/test_file_{n // 25}.py") for n in range(5000)]
    assert pack_tests(tests).n_shown == 5000
