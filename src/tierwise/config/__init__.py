"""`[tool.tierwise]` of pyproject.toml as a frozen `Config`."""

from tierwise.config.allowances import parse_allowance as parse_allowance
from tierwise.config.defaults import default_tiers as default_tiers
from tierwise.config.file import load_config as load_config
from tierwise.config.floors import check_floors as check_floors
from tierwise.config.matching import tier_of as tier_of
from tierwise.config.model import (
    Config as Config,
    ContractsConfig as ContractsConfig,
    EnvironmentConfig as EnvironmentConfig,
    EvalsConfig as EvalsConfig,
    ExitConfig as ExitConfig,
    LiveConfig as LiveConfig,
    MapConfig as MapConfig,
    Order as Order,
    RecordsConfig as RecordsConfig,
    RequirementsConfig as RequirementsConfig,
    StateConfig as StateConfig,
)
from tierwise.config.parsing import parse_config as parse_config

__all__ = [
    "Config",
    "ContractsConfig",
    "EnvironmentConfig",
    "EvalsConfig",
    "ExitConfig",
    "LiveConfig",
    "MapConfig",
    "Order",
    "RecordsConfig",
    "RequirementsConfig",
    "StateConfig",
    "check_floors",
    "default_tiers",
    "load_config",
    "parse_allowance",
    "parse_config",
    "tier_of",
]
