"""Which tier claims a path: the matching pattern with the most literal segments."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from tierwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.config.model import Config
    from tierwise.domain import Tier

_GLOB = frozenset("*?[")


def tier_of(config: Config, relative_path: str) -> Tier | None:
    """Return the tier that claims a path (with `/`, relative to the root), or None.

    A pattern claims a path that it matches and all that is below it. Two tiers whose best
    patterns have equally many literal segments are a tie, which is a configuration error.
    """
    path = tuple(part for part in relative_path.split("/") if part not in ("", "."))
    claims = [
        (count_literals(pattern), tier, pattern)
        for tier in config.tiers
        for pattern in tier.paths
        if matches(pattern, path)
    ]
    if not claims:
        return None
    best = max(literals for literals, _, _ in claims)
    winners = {tier.name: (tier, pattern) for n, tier, pattern in claims if n == best}
    if len(winners) > 1:
        raise ConfigError(_describe_tie(relative_path, best, winners))
    return next(iter(winners.values()))[0]


def matches(pattern: str, path: Sequence[str]) -> bool:
    """Tell whether the pattern matches the path or a folder above it; only `**` spans `/`."""
    return _matches_parts(pattern.split("/"), path)


def count_literals(pattern: str) -> int:
    """Return how many segments of the pattern hold no `*`, `?` or `[`."""
    return sum(1 for segment in pattern.split("/") if not _GLOB & set(segment))


def _matches_parts(pattern: Sequence[str], path: Sequence[str]) -> bool:
    if not pattern:
        return True
    head, rest = pattern[0], pattern[1:]
    if head == "**":
        return any(_matches_parts(rest, path[skip:]) for skip in range(len(path) + 1))
    return bool(path) and fnmatchcase(path[0], head) and _matches_parts(rest, path[1:])


def _describe_tie(path: str, literals: int, winners: dict[str, tuple[Tier, str]]) -> str:
    claims = " and ".join(
        f"tier {name!r} by {pattern!r}" for name, (_, pattern) in winners.items()
    )
    return (
        f"pyproject.toml, [tool.tierwise.tiers]: {path} is claimed by {claims}, each with "
        f"{literals} literal segments. Make one of them more exact, or mark the test with "
        f'@pytest.mark.tier("{next(iter(winners))}").'
    )
