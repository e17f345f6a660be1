"""When the last test has ended, and when pytest is done: what comes then is watched."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from tierwise.sandbox.exit_watch import ExitWatch

if TYPE_CHECKING:
    from collections.abc import Generator

    from tierwise.config import Config
    from tierwise.pytest_plugin.tally import Tally
    from tierwise.sandbox.exit_report import ExitReport

LEAVING = pytest.StashKey["Leaving"]()


class Leaving:
    """Hands over to the watch over the end of the process: in the outermost session alone."""

    def __init__(self, config: Config, path: str | None) -> None:
        self._began = perf_counter()
        self._last_test: float | None = None
        self._watch = ExitWatch(
            patience_s=config.exit.patience_s,
            path=Path(path).absolute() if path else None,
            root=config.root,
            tells=config.exit.tell and config.declared,
        )
        self.tally: Tally | None = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """Remember when all tests were done."""
        try:
            return (yield)
        finally:
            self._last_test = perf_counter()

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Say what the session took; the process is to end now."""
        now = perf_counter()
        self._watch.begin(lambda: self._report(now))

    def _report(self, now: float) -> ExitReport:
        from tierwise.sandbox.exit_report import ExitReport  # noqa: PLC0415  few sessions hang

        tiers = self.tally.tiers.values() if self.tally else ()
        return ExitReport(
            wall_s=now - self._began,
            tests_s=sum(tier.duration_s for tier in tiers),
            after_tests_s=now - (self._last_test or now),
        )


def is_watched(config: Config, path: str | None, *, depth: int) -> bool:
    """Tell whether anybody wants to know; a session within a session ends no process."""
    return depth == 1 and bool(path or (config.declared and config.exit.tell))
