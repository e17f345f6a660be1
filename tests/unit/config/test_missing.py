"""A tier's path that leads nowhere is told, with the folder that was probably meant."""

from __future__ import annotations

from pathlib import Path

from tierwise.config import parse_config
from tierwise.config.missing import describe_missing, written_paths

ROOT = Path("/p")


def test_only_written_tiers_and_exact_paths_can_be_mistyped() -> None:
    """The default tiers name folders that a project need not have, and so may a pattern."""
    assert written_paths(parse_config({}, ROOT)) == ()
    tiers = {
        "unit": {"paths": ["tests/unitt", "packages/*/tests"]},
        "e2e": {},
    }
    assert written_paths(parse_config({"tiers": tiers}, ROOT)) == (
        ("unit", "tests/unitt"),
        ("e2e", "tests/e2e"),
    )


def test_the_closest_folder_is_named() -> None:
    """One line: the tier, its path, and what it may be meant to be."""
    told = describe_missing([("unit", "tests/unitt")], ["src", "tests", "tests/unit", "tests/e2e"])
    assert told == (
        'tierwise: tier "unit" names tests/unitt, which does not exist; did you mean tests/unit?'
    )


def test_without_a_close_folder_the_way_out_is_named() -> None:
    """Nothing is guessed from afar."""
    assert describe_missing([("unit", "checks/fast")], ["src", "tests"]) == (
        'tierwise: tier "unit" names checks/fast, which does not exist; '
        "make it, or change its paths in pyproject.toml"
    )


def test_a_shared_parent_is_not_closeness() -> None:
    """Another tier's folder is no typo of this one's."""
    told = describe_missing([("e2e", "apps/web/e2e")], ["apps/web/unit", "apps/web"])
    assert "did you mean" not in told


def test_several_are_one_line() -> None:
    """The foot stays short."""
    told = describe_missing([("unit", "tests/unitt"), ("e2e", "tests/e2")], ["tests/unit"])
    assert told.endswith('did you mean tests/unit? Also missing: tests/e2 of "e2e"')


def test_nothing_missing_is_nothing_to_tell() -> None:
    """No line where all is well."""
    assert describe_missing([], ["tests"]) == ""
