"""Whether files are ready is asked without disturbing who waits for them."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from typing import TYPE_CHECKING

import pytest

from tierwise.sandbox.clock.readiness import CAN_ASK, is_any_ready

if TYPE_CHECKING:
    from tierwise.clock import VirtualClock

pytestmark = pytest.mark.skipif(not CAN_ASK, reason="this system has no poll")


def test_reading_and_writing_are_told_apart() -> None:
    """An empty connection can be written and not read, until something was sent, or it is gone."""
    one, other = socket.socketpair()
    number = one.fileno()
    assert is_any_ready({number: selectors.EVENT_WRITE})
    assert not is_any_ready({number: selectors.EVENT_READ})
    other.send(b"x")
    assert is_any_ready({number: selectors.EVENT_READ})
    one.close()
    other.close()
    assert is_any_ready({number: selectors.EVENT_READ})


def test_a_selector_of_another_thread_is_left_in_peace(clock: VirtualClock) -> None:
    """A poll object that a thread waits with is not used by a second one to look."""
    one, other = socket.socketpair()
    rounds: list[float] = []
    failures: list[BaseException] = []

    def watch() -> None:
        with selectors.PollSelector() as selector:
            selector.register(one, selectors.EVENT_READ)
            try:
                while not selector.select(0.7):
                    rounds.append(clock.elapsed)
            except RuntimeError as error:
                failures.append(error)

    thread = threading.Thread(target=watch)
    thread.start()
    time.sleep(70)
    other.send(b"x")
    thread.join()
    one.close()
    other.close()
    assert failures == []
    assert len(rounds) >= 99
