"""How many accepted violations each tier still has."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tierwise.config.matching import tier_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.config.baseline.entries import Baseline
    from tierwise.config.model import Config


def count_by_tier(config: Config, baseline: Baseline) -> Mapping[str, int]:
    """Return how many entries each tier has, by the places of their tests; `""` is no tier."""
    counts: Counter[str] = Counter()
    for entry in baseline.entries:
        tier = tier_of(config, entry.path)
        counts[tier.name if tier else ""] += 1
    return counts
