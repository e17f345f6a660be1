"""What pytest's own `--junitxml` says of each test besides: tier, level, outcome, violations."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tierwise.domain.masking import Masker, secrets_of_environment
from tierwise.pytest_plugin.eval_items import SESSION
from tierwise.pytest_plugin.tally import Tally
from tierwise.pytest_plugin.terminal import add_report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.pytest_plugin.state import State
    from tierwise.pytest_plugin.tally import Result


def register_junit(config: pytest.Config, state: State) -> None:
    """Watch the reports where an XML file is asked for, and nowhere else."""
    if getattr(config.option, "xmlpath", None) and not state.is_worker:
        config.pluginmanager.register(JUnitProperties(config, state), "tierwise-junit")


class JUnitProperties:
    """Adds properties to the last report of each test, which is where the file is made of."""

    def __init__(self, config: pytest.Config, state: State) -> None:
        self._config = config
        self._tally = Tally(state.facts_of_nodeid)
        self._mask = Masker(secrets_of_environment(os.environ))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up a test's phases; say what they came to before the file is written."""
        add_report(self._tally.result_of(report.nodeid), report)
        if report.when in ("setup", "call"):
            return
        result = self._tally.close(report.nodeid)
        found = [*properties_of(result), *self._of_eval(report.nodeid)]
        report.user_properties += [(self._mask(name), self._mask(value)) for name, value in found]

    def _of_eval(self, nodeid: str) -> Iterator[tuple[str, str]]:
        evals = self._config.stash.get(SESSION, None)
        summaries = [one for one in evals.summaries if one.eval_id == nodeid] if evals else []
        if not summaries:
            return
        from tierwise.report.machine.of_evals import properties_of_eval  # noqa: PLC0415  slow

        for summary in summaries:
            yield from properties_of_eval(summary)


def properties_of(result: Result) -> Iterator[tuple[str, str]]:
    """Yield the properties of one test; a test that no tier claims has no tier."""
    if result.tier:
        yield "tier", result.tier
    if result.level:
        yield "level", result.level
    yield "outcome", "undecided" if result.is_undecided else str(result.outcome)
    yield "violations", str(len(result.violations))
    for violation in result.violations:
        yield "violation", f"{violation.capability}: {violation.target}"
