from __future__ import annotations

import tomllib

import pytest

from tierwise.cli.eval_choice import (
    choose_paths,
    choose_tiers,
    say_nothing_found,
    say_undeclared,
)
from tierwise.domain import Level, Tier
from tierwise.errors import EvalUsageError

UNIT = Tier(name="unit", level=Level.UNIT, paths=("tests/unit",))
EVALS = Tier(
    name="evals",
    level=Level.ACCEPTANCE,
    paths=("tests/evals", "packages/*/evals"),
    deliberate=True,
)
LIVE = Tier(name="live", level=Level.CONTRACT, paths=("tests/live",), deliberate=True)


def test_deliberate_tiers_are_chosen_unless_some_are_named() -> None:
    """A default run's tiers hold no evals, unless somebody says so."""
    assert choose_tiers([UNIT, EVALS, LIVE], []) == (EVALS, LIVE)
    assert choose_tiers([UNIT, EVALS, LIVE], ["unit", "unit"]) == (UNIT,)


def test_the_default_evals_tier_stands_in_where_none_is_declared() -> None:
    """Whoever adds tests/evals to a project without that tier is understood."""
    assert [tier.name for tier in choose_tiers([UNIT, LIVE], [])] == ["live", "evals"]
    assert choose_tiers([], [])[0].paths == ("tests/evals",)


def test_evals_of_no_tier_are_told_with_what_to_add() -> None:
    """Their folders become the paths of the tier to paste; without a table there is init."""
    assert not say_undeclared([UNIT, EVALS], [("tests/evals/test_a.py::test_b", "evals")])
    strays = [("e/f/test_a.py::test_b", "evals"), ("test_c.py::test_d", "evals")]
    told = say_undeclared([UNIT], strays)
    assert "2 evals belong to no tier" in told
    added = tomllib.loads(told.partition("pyproject.toml:\n")[2])["tool"]["tierwise"]["tiers"]
    assert added["evals"]["paths"] == [".", "e/f"]
    assert added["evals"]["deliberate"] is True
    assert "run: tierwise init" in say_undeclared([], strays)


def test_an_unknown_tier_is_refused_with_the_closest() -> None:
    """And with the list of tiers."""
    with pytest.raises(EvalUsageError, match=r"Did you mean 'evals'\? Expected one of: evals, un"):
        choose_tiers([UNIT, EVALS], ["eval"])


def test_the_tiers_own_folders_are_chosen_where_they_exist() -> None:
    """A pattern stands for what is before its first wildcard."""
    assert choose_paths([], [EVALS, LIVE], {"tests/evals", "packages"}.__contains__) == (
        "tests/evals",
        "packages",
    )
    assert choose_paths([], [LIVE], lambda path: False) == ()


def test_named_paths_win_and_must_exist() -> None:
    """A node id is a path with a name behind it."""
    known = {"tests/evals/test_a.py"}.__contains__
    assert choose_paths(["tests/evals/test_a.py::test_b"], [EVALS], known) == (
        "tests/evals/test_a.py::test_b",
    )
    with pytest.raises(EvalUsageError, match=r"There is no tests/evals/test_x\.py"):
        choose_paths(["tests/evals/test_x.py::test_b"], [EVALS], known)


def test_nothing_found_says_what_was_looked_for() -> None:
    """Tiers, paths, keyword, and what an eval looks like."""
    text = say_nothing_found([EVALS], ["tests/evals"], "npc", is_declared=True)
    assert "that match -k 'npc'" in text
    assert "tiers: evals; paths: tests/evals" in text
    assert "@evaluate(" in text
    assert "tierwise init" not in text
    undeclared = say_nothing_found([EVALS], [], None, is_declared=False)
    assert "paths: tests/evals, packages/*/evals" in undeclared
    assert "tierwise eval run PATH" in undeclared
    assert "`tierwise init` writes one" in undeclared
