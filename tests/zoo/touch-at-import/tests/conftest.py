"""Connects while it is imported."""

import contextlib
import socket

with contextlib.suppress(OSError):
    socket.create_connection(("192.0.2.1", 443), timeout=0.1)
