"""`[tool.tierwise]` of pyproject.toml as a frozen `Config`."""

from tierwise.config.model import (
    Config as Config,
    EvalsConfig as EvalsConfig,
    Order as Order,
)

__all__ = ["Config", "EvalsConfig", "Order"]
