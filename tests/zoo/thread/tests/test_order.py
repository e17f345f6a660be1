"""A test leaves a thread that still runs."""

import threading

import shop


def test_polluter():
    threading.Thread(target=shop.STOP.wait, args=(5,), name="poller", daemon=True).start()


def test_victim():
    assert "poller" not in [thread.name for thread in threading.enumerate()]
