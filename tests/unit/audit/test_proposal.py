import tomllib
from pathlib import Path
from typing import Any

import pytest

from tierwise.audit.facts import TestFact, TouchFact
from tierwise.audit.findings import Proposal, TestView
from tierwise.audit.levels import view_test
from tierwise.audit.proposal import propose
from tierwise.audit.proposed import read_proposal
from tierwise.config import parse_config
from tierwise.errors import MisuseError


def view(path: str, *touched: str, outcome: str = "passed", name: str = "test_x") -> TestView:
    touches = tuple(TouchFact(capability=one, target="x") for one in touched)
    return view_test(
        TestFact(nodeid=f"{path}::{name}", path=path, outcome=outcome, touches=touches)
    )


def tiers(proposal: Proposal) -> dict[str, tuple[list[str], list[str]]]:
    table: dict[str, Any] = tomllib.loads(proposal.toml)["tool"]["tierwise"]
    parse_config(table, Path())
    return {name: (tier["paths"], tier["allow"]) for name, tier in table["tiers"].items()}


def make(*views: TestView, is_order_free: bool | None = True) -> Proposal:
    return propose(views, packages=("src/shop",), is_order_free=is_order_free)


def test_folders_that_name_a_level_become_tiers_with_what_was_seen() -> None:
    """Beside what the level usually needs, so that enforcing starts green."""
    proposal = make(
        view("tests/unit/test_a.py", "tmp"),
        view("tests/unit/deep/test_b.py"),
        view("tests/integration/test_c.py", "subprocess"),
    )
    assert tiers(proposal) == {
        "unit": (["tests/unit"], ["tmp"]),
        "integration": (["tests/integration"], ["tmp", "loopback", "subprocess"]),
    }
    assert proposal.notes == ()


def test_files_elsewhere_are_split_by_what_they_do() -> None:
    """A file path has more segments than its folder's, so it wins."""
    proposal = make(
        view("tests/test_a.py", "tmp"),
        view("tests/test_b.py", "loopback"),
        view("test_root.py"),
    )
    assert tiers(proposal) == {
        "unit": (["tests", "test_root.py"], ["tmp"]),
        "integration": (["tests/test_b.py"], ["tmp", "loopback"]),
    }


def test_a_folder_of_tests_below_another_is_a_tier_whole() -> None:
    """Neither the folder above it nor those below."""
    proposal = make(view("api/tests/deep/test_a.py"), view("src/shop/cart.py"))
    assert tiers(proposal)["unit"][0] == ["api/tests", "src"]


def test_no_tier_of_a_bare_pytest_is_given_the_network() -> None:
    """What will fail is said instead."""
    proposal = make(view("tests/unit/test_a.py", "network", "tmp"))
    assert tiers(proposal)["unit"][1] == ["tmp"]
    assert (
        "1 test of the tier unit will fail until the network has a stand-in" in (proposal.notes[0])
    )


def test_tests_that_fail_today_are_said() -> None:
    """A table heals no test."""
    proposal = make(view("tests/unit/test_a.py", outcome="failed"))
    assert proposal.notes == ("1 test fails today already, such as tests/unit/test_a.py::test_x",)


def test_evals_and_live_tests_become_deliberate() -> None:
    """They may reach the network then, and a bare pytest runs them no more, which is said."""
    proposal = make(view("tests/live/test_a.py", "network"))
    assert "network" in tiers(proposal)["live"][1]
    assert "deliberate = true" in proposal.toml
    assert "will no longer be part of a bare pytest" in proposal.notes[0]


@pytest.mark.parametrize(
    ("is_order_free", "is_defined"), [(True, False), (False, True), (None, True)]
)
def test_the_order_stays_defined_until_it_is_known_to_be_free(
    *, is_order_free: bool | None, is_defined: bool
) -> None:
    """Random order would turn a suite red that nobody has looked at."""
    proposal = make(view("tests/test_a.py"), is_order_free=is_order_free)
    assert ('order = "defined"' in proposal.toml) is is_defined


def test_the_table_is_read_back_from_data_and_from_a_page() -> None:
    """As tierwise init does; what is no audit is refused."""
    toml = make(view("tests/test_a.py")).toml
    assert read_proposal('{"proposal": {"toml": "[tool.tierwise]\\n"}}', "a.json") == (
        "[tool.tierwise]\n"
    )
    page = f'<pre id="proposed-table">{toml.replace(chr(34), "&#34;")}</pre>'
    assert read_proposal(page, "a.html") == toml
    for text in ("{}", "{", "<p>", '{"proposal": {"toml": ""}}'):
        with pytest.raises(MisuseError, match="is no audit"):
            read_proposal(text, "a")


def test_what_lies_in_the_home_folder_will_be_a_temporary_file() -> None:
    """Tests of a tier without the network have a home of their own; the project is none."""

    def allowed(target: str) -> list[str]:
        touch = TouchFact(capability="write", target=target)
        path = "tests/unit/test_a.py"
        fact = TestFact(nodeid=f"{path}::t", path=path, outcome="passed", touches=(touch,))
        found = propose((view_test(fact),), packages=(), is_order_free=True, root="/home/ada/shop")
        return tiers(found)["unit"][1]

    assert allowed("/home/ada/.shop/settings") == ["tmp", "write"]
    assert allowed("/home/ada/shop/debug.log") == ["write"]
    assert allowed("/srv/shop/debug.log") == ["write"]
