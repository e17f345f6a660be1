"""Which recorded results still belong to the project: the store remembers what is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tierwise.config import Config
    from tierwise.records import RecordedTest


def keep_present(
    by_tier: Mapping[str, tuple[RecordedTest, ...]], config: Config
) -> dict[str, tuple[RecordedTest, ...]]:
    """Return the results without those of tiers that are not declared any more.

    Of tests that no tier claims, those whose file is gone are left out: no run takes them whole,
    which is how it is told of the others.
    """
    declared = {tier.name for tier in config.tiers}
    return {
        tier: tests if tier else _written(tests, config.root)
        for tier, tests in by_tier.items()
        if not tier or not declared or tier in declared
    }


def _written(tests: tuple[RecordedTest, ...], root: Path) -> tuple[RecordedTest, ...]:
    files = {test.row.nodeid.partition("::")[0] for test in tests}
    there = {file for file in files if (root / file).exists()}
    return tuple(test for test in tests if test.row.nodeid.partition("::")[0] in there)
