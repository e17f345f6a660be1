"""A C library opens a socket that no audit event tells of."""

import ctypes
import struct


def test_touches():
    libc = ctypes.CDLL(None)
    handle = libc.socket(2, 2, 0)
    address = struct.pack("=HHI8x", 2, 0x3500, 0x010200C0)
    libc.sendto(handle, b"x", 1, 0, address, len(address))
    libc.close(handle)
