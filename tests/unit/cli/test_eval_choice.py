from __future__ import annotations

import pytest

from tierwise.cli.eval_choice import choose_paths, choose_tiers, say_nothing_found
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
    undeclared = say_nothing_found([], [], None, is_declared=False)
    assert "no tier is deliberate" in undeclared
    assert "`tierwise init` writes one" in undeclared
