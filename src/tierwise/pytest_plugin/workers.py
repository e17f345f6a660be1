"""pytest-xdist: the seed goes to the workers, what they left out comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tierwise.pytest_plugin.state import State

_SEED = "tierwise_order_seed"
_LEFT_OUT = "tierwise_left_out"


class Controller:
    """The side that hands out tests."""

    def __init__(self, state: State) -> None:
        self._state = state

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


class Worker:
    """The side that runs tests."""

    def __init__(self, state: State) -> None:
        self._state = state

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send what was left out."""
        output = session.config.workeroutput  # type: ignore[attr-defined]  # xdist's
        output[_LEFT_OUT] = [self._state.left_out, list(self._state.hints)]


def is_worker(config: pytest.Config) -> bool:
    """Tell whether this process runs tests for a controller elsewhere."""
    return hasattr(config, "workerinput")


def seed_from_controller(config: pytest.Config) -> int | None:
    """Return the seed that the controller chose."""
    return config.workerinput.get(_SEED)  # type: ignore[attr-defined,no-any-return]  # xdist's
