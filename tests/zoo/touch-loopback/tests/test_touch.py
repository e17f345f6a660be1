"""A test connects to this machine."""

import contextlib
import socket


def test_touches():
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", 9), timeout=1)
