"""An event loop whose clock jumps: minutes of backoff take no time, and nothing sleeps."""

from __future__ import annotations

import asyncio
import selectors
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine


class _JumpingSelector(selectors.DefaultSelector):
    """Moves the clock on instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        """Return what is ready; with nothing left to come the test would hang."""
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "the loop waits for something that will never happen"
            self.now += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop that is never late and never waits."""

    def __init__(self) -> None:
        self.jumping = _JumpingSelector()
        super().__init__(self.jumping)

    def time(self) -> float:
        """Return the jumping clock's seconds."""
        return self.jumping.now


@pytest.fixture
def jumping() -> Callable[[Callable[[Callable[[], float]], Coroutine[Any, Any, Any]]], Any]:
    """Run `scenario(clock)` to its end in jumping time and return what it returns."""

    def run(scenario: Callable[[Callable[[], float]], Coroutine[Any, Any, Any]]) -> Any:
        with asyncio.Runner(loop_factory=JumpingLoop) as runner:
            return runner.run(scenario(runner.get_loop().time))

    return run
