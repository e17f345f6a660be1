"""Signals while trials run, and after."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.evals import interrupting
from tierwise.evals.interrupting import Interrupts, ended_as_by_ctrl_c

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.clock import VirtualClock

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


def test_code_that_swallows_the_second_signal_is_given_up(
    clock: VirtualClock,
) -> None:
    """From another thread, since this one does not come back."""
    given_up = threading.Event()
    with Interrupts(lambda: None, give_up=given_up.set):
        os.kill(os.getpid(), signal.SIGINT)
        assert not given_up.wait(600)
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        assert given_up.wait(interrupting._GRACE_S + 1)


def test_what_ends_in_time_is_not_given_up(clock: VirtualClock) -> None:
    """The process goes on to say what it has kept."""
    given_up = threading.Event()
    with contextlib.suppress(KeyboardInterrupt), Interrupts(lambda: None, give_up=given_up.set):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
    assert not given_up.wait(600)


def test_sigterm_is_made_what_ctrl_c_is() -> None:
    """Whoever is ended can clean up; afterwards it is as it was."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with pytest.raises(KeyboardInterrupt), ended_as_by_ctrl_c():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


@pytest.mark.parametrize("own", [signal.SIG_IGN, lambda *_: None])
def test_whoever_handles_sigterm_goes_on_doing_so(own: Any) -> None:
    """A handler of the user's, or none at all, stays."""
    signal.signal(signal.SIGTERM, own)
    with ended_as_by_ctrl_c():
        assert signal.getsignal(signal.SIGTERM) == own
    assert signal.getsignal(signal.SIGTERM) == own


SPEAKING = """
import atexit, os, signal, sys
from tierwise.evals.interrupting import end_at_once_from_now, ended_as_by_ctrl_c

def late():
    os.kill(os.getpid(), signal.SIGTERM)
    print("left", flush=True)

if "late" in sys.argv:
    atexit.register(late)  # runs last: what is registered later runs before it
with ended_as_by_ctrl_c():
    end_at_once_from_now(2)
print("kept", flush=True)
if "late" not in sys.argv:
    os.kill(os.getpid(), signal.{signal})
    print("never said", flush=True)
sys.exit(2)
"""


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("when", ["printing", "late"])
def test_a_signal_after_the_end_changes_no_exit_code(number: str, when: str) -> None:
    """The run was interrupted, and told so; a second signal has nothing to add."""
    result = subprocess.run(
        [sys.executable, "-c", SPEAKING.format(signal=number), when],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2, result.stderr
    assert result.stdout.split() == (["kept", "left"] if when == "late" else ["kept"])
    assert result.stderr == ""
