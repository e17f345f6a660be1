"""pytest-xdist: the seed goes to the workers, what they left out comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.pytest_plugin.facts import violations_from_json, violations_to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from tierwise.domain import Violation
    from tierwise.pytest_plugin.state import State

_SEED = "tierwise_order_seed"
_DESELECTED = "tierwise_deselected"
_LEFT_OUT = "tierwise_left_out"
_LATE = "tierwise_late"
_FAULTS = "tierwise_faults"
DECLARED_CONTRACTS = "tierwise_contracts"
"""Where a worker leaves the contracts that it has collected."""


class Controller:
    """The side that hands out tests."""

    def __init__(
        self, state: State, *, take_late: Callable[[Sequence[Violation], Sequence[str]], None]
    ) -> None:
        self._state = state
        self._take_late = take_late

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:  # noqa: ANN401  xdist's own type
        """Send the seed: all workers must have one order."""
        node.workerinput[_SEED] = self._state.order_seed

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:  # noqa: ANN401  xdist's own type
        """Take what the worker left out; each worker collects everything, so one is enough."""
        output = getattr(node, "workeroutput", None) or {}
        left_out = output.get(_LEFT_OUT)
        if left_out is not None:
            self._state.left_out, hints = left_out
            self._state.hints = tuple(hints)
        self._state.deselected.update(output.get(_DESELECTED, ()))
        if self._state.recording is not None:
            self._state.recording.declare(output.get(DECLARED_CONTRACTS, ()))
        violations = violations_from_json({"violations": output.get(_LATE, [])})
        self._take_late(violations, output.get(_FAULTS, []))


class Worker:
    """The side that runs tests."""

    def __init__(self, state: State) -> None:
        self._state = state

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send along where the test stands: the controller has not collected it."""
        report = yield
        if call.when == "setup":
            facts = self._state.places.of(item).facts
            report.tierwise = facts  # type: ignore[attr-defined]  # ours
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send what was left out."""
        output = session.config.workeroutput  # type: ignore[attr-defined]  # xdist's
        output[_DESELECTED] = sorted(self._state.deselected)
        output[_LEFT_OUT] = [self._state.left_out, list(self._state.hints)]


def send_late(
    config: pytest.Config, violations: Sequence[Violation], faults: Sequence[str]
) -> None:
    """Hand what threads of ended tests did, and what could not be judged, to the controller."""
    output = config.workeroutput  # type: ignore[attr-defined]  # xdist's
    output[_LATE] = violations_to_json(violations)
    output[_FAULTS] = list(faults)


def is_worker(config: pytest.Config) -> bool:
    """Tell whether this process runs tests for a controller elsewhere."""
    return hasattr(config, "workerinput")


def seed_from_controller(config: pytest.Config) -> int | None:
    """Return the seed that the controller chose."""
    return config.workerinput.get(_SEED)  # type: ignore[attr-defined,no-any-return]  # xdist's
