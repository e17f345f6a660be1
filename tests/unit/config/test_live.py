from __future__ import annotations

from pathlib import Path

import pytest

from tierwise.config import LiveConfig, parse_config
from tierwise.errors import ConfigError

ROOT = Path("/project")
TIERS = {"live": {"level": "e2e"}, "unit": {}}


def live_of(**values: object) -> LiveConfig:
    """Return what `[tool.tierwise.live]` says in a project with a tier `live`."""
    return parse_config({"tiers": TIERS, "live": values}, ROOT).live


def test_a_tier_called_live_is_watched_without_any_table() -> None:
    """One of its tests has to see its subject, and walks begin where the order seed falls."""
    assert parse_config({"tiers": TIERS}, ROOT).live == LiveConfig(
        floor=0.0, tiers=("live",), rotation=None
    )


def test_a_project_without_such_a_tier_watches_none() -> None:
    """Nobody is asked for what they do not have."""
    assert parse_config({"tiers": {"unit": {}}}, ROOT).live.tiers == ()
    assert parse_config(None, ROOT).live.tiers == ()


def test_the_table_says_floor_tiers_and_rotation() -> None:
    """Each key is read."""
    assert live_of(floor=1, tiers=["unit", "live"], rotation=3) == LiveConfig(
        floor=1.0, tiers=("unit", "live"), rotation=3
    )


@pytest.mark.parametrize("floor", [-0.1, 1.1, True, "half", float("nan")])
def test_a_floor_is_a_share(floor: object) -> None:
    """Half is 0.5 and not 50."""
    with pytest.raises(ConfigError, match="expected a share from 0 to 1"):
        live_of(floor=floor)


def test_a_tier_that_is_not_there_is_refused() -> None:
    """A misspelt tier would be watched by nobody."""
    with pytest.raises(ConfigError, match=r"tiers holds 'lve'\. Did you mean 'live'\?"):
        live_of(tiers=["lve"])


@pytest.mark.parametrize("name", ["subject", "requires_secret"])
def test_a_tier_cannot_have_the_name_of_a_mark_of_live_tests(name: str) -> None:
    """Each tier is a mark too."""
    with pytest.raises(ConfigError, match="is a mark already"):
        parse_config({"tiers": {name: {"level": "unit"}}}, ROOT)
