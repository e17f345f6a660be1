"""Around each clause: skip what can't be tried, make its implementation, tell what it tried."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.contracts import Implementation, UnobservableError
from tierwise.contracts.implementation import list_arguments, opened, why_not_here
from tierwise.contracts.running import check_can_be_made
from tierwise.errors import MisuseError
from tierwise.pytest_plugin.contract_items import facts_of_clause, find_side
from tierwise.pytest_plugin.eval_compat import fixture_value

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tierwise.pytest_plugin.contract_items import Suite


class Clauses:
    """Runs around each test function of a suite that has contracts."""

    def __init__(self) -> None:
        self._found: tuple[pytest.Item, tuple[Suite, Implementation] | None] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip a clause whose implementation can't be tried here, before anything is set up."""
        found = self._find(item)
        reason = why_not_here(found[1]) if found is not None else None
        if reason is not None:
            pytest.skip(f"unobservable: {reason}")

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
        """Show a clause that could not be tried as skipped, with its reason, never as passed."""
        try:
            with made_for(pyfuncitem, self._find(pyfuncitem)):
                return (yield)
        except UnobservableError as error:
            reason = f"unobservable: {error}"
        except MisuseError as error:
            pytest.fail(str(error), pytrace=False)
        pytest.skip(reason)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send along which clause the test tries, and on what."""
        report = yield
        found = self._find(item) if call.when == "setup" else None
        if found is not None:
            known = report.__dict__.get("tierwise", {})
            facts = {**known, "clause": facts_of_clause(*found)}
            report.tierwise = facts  # type: ignore[attr-defined]  # ours
        return report

    def _find(self, item: pytest.Item) -> tuple[Suite, Implementation] | None:
        if self._found is None or self._found[0] is not item:
            self._found = (item, find_side(item))
        return self._found[1]


@contextmanager
def made_for(item: pytest.Function, found: tuple[Suite, Implementation] | None) -> Iterator[None]:
    """Put what the clause is tried on in place of its `Implementation`, as long as it runs."""
    name = found[0].argument if found is not None else ""
    side = item.funcargs.get(name)
    if not isinstance(side, Implementation):
        yield
        return
    check_can_be_made(side, item.function, item.function.__name__)
    arguments = {wanted: fixture_value(item, wanted) for wanted in list_arguments(side)}
    with opened(side, arguments) as made:
        item.funcargs[name] = made
        yield
