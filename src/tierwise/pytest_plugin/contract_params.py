"""Contracts as ordinary test classes: each clause once for each implementation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

_MODULE = "tierwise.contracts.contract"
_CLAUSES = "tierwise-clauses"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each clause of a contract its implementations, by name."""
    if "implementation" not in metafunc.fixturenames or not is_contract(metafunc.cls):
        return
    named = metafunc.cls.implementations
    if not named:
        raise pytest.UsageError(
            f"{metafunc.cls.__name__} is a contract without implementations: nothing would be "
            "checked. Name them in the class: implementations = {'mine': ...}."
        )
    metafunc.parametrize("implementation", list(named.values()), ids=list(named))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Watch the clauses where contracts were imported; other suites do not pay for it."""
    plugins = session.config.pluginmanager
    if _MODULE in sys.modules and not plugins.has_plugin(_CLAUSES):
        plugins.register(Clauses(), _CLAUSES)


class Clauses:
    """Runs around each test function of a suite that has contracts."""

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
        """Show a clause that could not be tried as skipped, with its reason, never as passed."""
        del pyfuncitem
        try:
            return (yield)
        except Exception as error:
            if not is_unobservable(error):
                raise
            reason = f"unobservable: {error}"
        pytest.skip(reason)


def is_contract(cls: object) -> bool:
    """Return True for a contract class; nobody has one before contracts are imported."""
    contracts = sys.modules.get(_MODULE)
    return contracts is not None and isinstance(cls, type) and issubclass(cls, contracts.Contract)


def is_unobservable(error: BaseException) -> bool:
    """Return True when a clause said that it can't be tried."""
    contracts = sys.modules.get(_MODULE)
    return contracts is not None and isinstance(error, contracts.UnobservableError)
