"""The code swallows what stops it."""

import socket


def test_touches():
    try:
        socket.create_connection(("192.0.2.1", 443), timeout=0.1)
    except BaseException:
        pass
