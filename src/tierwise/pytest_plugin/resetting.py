"""A project's own resets: run after each test, and before the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tierwise.sandbox.resetting import Resets


class Resetting:
    """Runs them when the test's own fixtures are done, before wider ones end with its module.

    So whoever compares state before and after a test sees what resets have left. Registered with
    the first reset: a suite without any pays nothing.
    """

    def __init__(self, resets: Resets) -> None:
        self._resets = resets
        self._has_run = self._is_due = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Have the first test begin where all others do."""
        if not self._has_run:
            _raise(self._run())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object]
    ) -> Generator[None, object, object]:
        """Come before the end of a fixture that may end with this test, but is not its own."""
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                fixturedef.addfinalizer(self._run_when_due)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_teardown(self) -> Generator[None, object, object]:
        """Run them in any case, whatever became of the fixtures."""
        self._is_due = True
        try:
            result = yield
        except BaseException as error:
            for failure in self._run() if self._is_due else ():
                error.add_note(f"{failure.__notes__[-1]}\n{type(failure).__name__}: {failure}")
            raise
        self._run_when_due()
        return result

    def _run_when_due(self) -> None:
        if self._is_due:
            _raise(self._run())

    def _run(self) -> tuple[BaseException, ...]:
        self._has_run, self._is_due = True, False
        return tuple(_explain(name, error) for name, error in self._resets.run())


def _explain(name: str, error: BaseException) -> BaseException:
    if isinstance(error, pytest.exit.Exception):
        raise error
    if isinstance(error, pytest.skip.Exception):
        # As it is it would turn a test that has run into one that was skipped.
        error = MisuseError(f"It skipped ({error}), and a reset either resets or fails.")
    error.add_note(f"in the reset {name}, registered by tierwise.reset_each_test")
    return error


def _raise(failures: Sequence[BaseException]) -> None:
    if len(failures) == 1:
        raise failures[0]
    if failures:
        raise BaseExceptionGroup(f"{len(failures)} resets raised", failures)
