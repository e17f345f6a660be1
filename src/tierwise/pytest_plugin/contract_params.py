"""Contracts and parity suites as ordinary tests: each clause once for each implementation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

_MODULE = "tierwise.contracts.contract"
_CLAUSES = "tierwise-clauses"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each clause its implementations, by name; nobody has one before contracts load."""
    if _MODULE in sys.modules:
        from tierwise.pytest_plugin.contract_items import give_sides  # noqa: PLC0415

        give_sides(metafunc)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Watch the clauses where contracts were imported; other suites do not pay for it."""
    plugins = session.config.pluginmanager
    if _MODULE in sys.modules and not plugins.has_plugin(_CLAUSES):
        from tierwise.pytest_plugin.contract_clauses import Clauses  # noqa: PLC0415
        from tierwise.pytest_plugin.contract_facts import declare  # noqa: PLC0415

        plugins.register(Clauses(), _CLAUSES)
        declare(session.config)
