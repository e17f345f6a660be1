"""A test leaves a signal handler."""

import signal


def test_polluter():
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)


def test_victim():
    assert signal.getsignal(signal.SIGUSR1) == signal.SIG_DFL
