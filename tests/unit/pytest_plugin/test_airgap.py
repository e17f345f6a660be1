"""Which sessions are to have no network."""

from __future__ import annotations

from pathlib import Path

import pytest

from tierwise.config import parse_config
from tierwise.pytest_plugin.airgap import networked_tiers

CONFIG = parse_config(
    {
        "airgap": True,
        "tiers": {
            "unit": {"level": "unit", "paths": ["tests/unit"]},
            "live": {
                "level": "e2e",
                "paths": ["tests/live"],
                "allow": ["network:api.example.com"],
                "deliberate": True,
            },
            "model": {
                "level": "acceptance",
                "paths": ["tests/model"],
                "allow": ["model"],
                "deliberate": True,
            },
        },
    },
    Path("/project"),
)


@pytest.mark.parametrize(
    ("wanted", "needing"),
    [((), ()), (("unit",), ()), (("unit", "live"), ("live",)), (("model",), ())],
)
def test_a_tier_that_may_reach_the_network_is_named_when_it_is_asked_for(
    wanted: tuple[str, ...], needing: tuple[str, ...]
) -> None:
    """A model may be local: only the network itself and parts of it count."""
    assert CONFIG.airgap
    assert networked_tiers(CONFIG, wanted) == needing
