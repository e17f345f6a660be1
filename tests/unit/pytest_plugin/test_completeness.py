"""A tier was run whole only when nothing of it can have been left out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tierwise.config import parse_config
from tierwise.pytest_plugin.completeness import Looked, find_whole_tiers

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path("/p")
CONFIG = parse_config(
    {
        "tiers": {
            "unit": {"level": "unit", "paths": ["tests/unit", "packages/*/tests"]},
            "e2e": {"level": "e2e", "paths": ["tests/e2e"]},
            "evals": {"level": "acceptance", "paths": ["tests/evals"], "deliberate": True},
        }
    },
    ROOT,
)


def find(pattern: str) -> Iterable[Path]:
    """Find two packages, and all folders but one that does not exist."""
    if "*" in pattern:
        return [ROOT / "packages/a/tests", ROOT / "packages/b/tests"]
    return [] if pattern == "tests/e2e" else [ROOT / pattern]


def whole(*at: str, **known: object) -> tuple[str, ...]:
    """Return the tiers that a run over these places has run whole."""
    looked = Looked(at=tuple(ROOT / place for place in at), **known)  # type: ignore[arg-type]
    return find_whole_tiers(CONFIG, looked, find)


def test_a_run_over_the_project_runs_its_usual_tiers_whole() -> None:
    """Deliberate tiers are left out of it."""
    assert whole(".") == ("unit", "e2e")


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (["tests/unit/deeper"], ("e2e",)),
        (["tests"], ("e2e",)),
        (["tests", "packages"], ("unit", "e2e")),
        (["tests", "packages/a/tests"], ("e2e",)),
        (["tests", "packages/a/tests", "packages/b"], ("unit", "e2e")),
    ],
)
def test_a_tier_is_whole_where_each_of_its_folders_was_looked_at(
    at: list[str], expected: tuple[str, ...]
) -> None:
    """A folder below is not enough; a folder that does not exist hides nothing."""
    assert whole(*at) == expected


def test_a_tier_with_deselected_tests_is_not_whole() -> None:
    """Whoever deselected a test knows nothing of it."""
    assert whole(".", deselected={"unit"}) == ("e2e",)


def test_named_tiers_alone_are_whole() -> None:
    """`--tier evals` says nothing about the others."""
    assert whole(".", wanted=("evals",)) == ("evals",)


def test_a_run_for_evals_speaks_for_tiers_of_which_evals_ran() -> None:
    """Deliberate tiers need not be named there, and what did not run is not whole."""
    known = {"is_for_evals": True, "has_run": {"evals"}}
    assert whole("tests/evals", **known) == ("evals",)
    assert whole("tests/evals/test_a.py", **known) == ()
    assert whole("tests/evals", **known, deselected={"evals"}) == ()
