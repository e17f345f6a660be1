"""Which tiers a run has run whole: it looked where their tests lie, and left none of them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.pytest_plugin.selecting import is_selected

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from pathlib import Path

    from tierwise.config import Config
    from tierwise.domain import Tier

_GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """Where a run looked for tests, and what it did with those that it found."""

    at: tuple[Path, ...]
    """The folders and files that were collected, absolute."""
    wanted: tuple[str, ...] = ()
    """Tiers named by `--tier`."""
    has_run: Collection[str | None] = ()
    """Tiers of which tests ran."""
    is_for_evals: bool = False
    """Is it `tierwise eval run`, which runs deliberate tiers without their being named?"""
    deselected: Collection[str] = ()
    """Tiers of which tests were found and left out."""


def find_whole_tiers(
    config: Config, looked: Looked, find: Callable[[str], Iterable[Path]]
) -> tuple[str, ...]:
    """Return the tiers of which this run has seen and run all; `find` expands a path's pattern."""
    return tuple(
        tier.name
        for tier in config.tiers
        if tier.name not in looked.deselected
        and _is_meant(tier, looked)
        and all(_is_seen(config.root, path, looked.at, find) for path in tier.paths)
    )


def _is_meant(tier: Tier, looked: Looked) -> bool:
    if looked.is_for_evals:
        return tier.name in looked.has_run
    return is_selected(tier, looked.wanted)


def _is_seen(
    root: Path, path: str, at: Collection[Path], find: Callable[[str], Iterable[Path]]
) -> bool:
    fixed = root
    for part in path.split("/"):
        if _GLOB & set(part):
            break
        fixed /= part
    # What does not exist has no tests that could have been left out.
    return _is_below(fixed, at) or all(_is_below(found, at) for found in find(path))


def _is_below(path: Path, at: Collection[Path]) -> bool:
    return any(path == other or other in path.parents for other in at)
