"""Where the seed of the order comes from: the command line, the last run, or chance."""

from __future__ import annotations

from random import SystemRandom
from typing import TYPE_CHECKING

from tierwise.errors import MisuseError
from tierwise.pytest_plugin.order import choose_seed
from tierwise.pytest_plugin.recording import read_last_seed

if TYPE_CHECKING:
    import pytest

    from tierwise.config import Config

_SEEDS = 1_000_000  # short enough to be typed again


def decide_order(config: pytest.Config, settings: Config) -> tuple[int | None, str | None]:
    """Return the seed, or None and perhaps the reason why the order is left to someone else."""
    asked = config.getoption("tierwise_order_seed")
    if any(config.pluginmanager.hasplugin(name) for name in ("randomly", "pytest_randomly")):
        if asked is not None:
            raise MisuseError(
                "--order-seed: pytest-randomly is active and decides the order. Give it its own "
                "seed by --randomly-seed, or switch it off with -p no:randomly."
            )
        return None, "order left to pytest-randomly"
    if asked == "last":
        asked = _last_seed(settings)
    is_random = settings.order == "random"
    return choose_seed(asked, is_random=is_random, draw=_draw), None


def _last_seed(settings: Config) -> int:
    seed = read_last_seed(settings.store_path)
    if seed is None:
        raise MisuseError(
            f"--order-seed last: no run with a random order is recorded in "
            f"{settings.store_path.parent}. Run the suite once, or give a number."
        )
    return seed


def _draw() -> int:
    return SystemRandom().randrange(_SEEDS)
