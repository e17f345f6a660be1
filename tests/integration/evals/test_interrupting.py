"""Signals while trials run, and after."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tierwise.evals.interrupting import Interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Put back what a test sets."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_asks_and_the_second_raises(number: signal.Signals) -> None:
    """Whichever of the two comes."""
    asked: list[bool] = []
    with Interrupts(lambda: asked.append(True)):
        os.kill(os.getpid(), number)
        assert asked == [True]
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert asked == [True]


def test_the_handlers_of_before_are_put_back() -> None:
    """Ctrl-C outside of trials is whatever it was."""

    def own(*_: object) -> None:
        """Handle it in a way of one's own."""

    signal.signal(signal.SIGTERM, own)
    with pytest.raises(ValueError, match="ends"), Interrupts(lambda: None):
        raise ValueError("the run ends")
    assert signal.getsignal(signal.SIGTERM) is own
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_signal_that_is_ignored_stays_so() -> None:
    """A job in the background has nobody who could press Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked: list[bool] = []
    with Interrupts(lambda: asked.append(True)):
        os.kill(os.getpid(), signal.SIGINT)
    assert asked == []
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_another_thread_changes_nothing() -> None:
    """Handlers belong to the main thread."""
    found: list[object] = []

    def enter() -> None:
        with Interrupts(lambda: None):
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert found == [signal.default_int_handler]
