"""The pytest plugin: hooks, translated."""

from tierwise.pytest_plugin.clock_fixtures import clock as clock
from tierwise.pytest_plugin.contract_params import (
    pytest_collection_finish as pytest_collection_finish,
    pytest_generate_tests as pytest_generate_tests,
)
from tierwise.pytest_plugin.doubles import (
    mock_provider as mock_provider,
    scripted_provider as scripted_provider,
)
from tierwise.pytest_plugin.environment_fixtures import clean_env as clean_env
from tierwise.pytest_plugin.gateway_fixtures import (
    gateway as gateway,
    gateway_server as gateway_server,
)
from tierwise.pytest_plugin.live_fixtures import live as live
from tierwise.pytest_plugin.options import pytest_addoption as pytest_addoption
from tierwise.pytest_plugin.starting import (
    pytest_configure as pytest_configure,
    pytest_load_initial_conftests as pytest_load_initial_conftests,
)

__all__ = [
    "clean_env",
    "clock",
    "gateway",
    "gateway_server",
    "live",
    "mock_provider",
    "pytest_addoption",
    "pytest_collection_finish",
    "pytest_configure",
    "pytest_generate_tests",
    "pytest_load_initial_conftests",
    "scripted_provider",
]
