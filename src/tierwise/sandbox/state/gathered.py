"""Words of memory, wherever they lie, compared in one go with what they were.

The buffers of Python may lead to their items through pointers (PEP 3118, suboffsets), and a
memoryview is compared with another word by word in C. Nothing is copied: a thousand words take
two microseconds, and the caches stay with whatever runs next.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from functools import cache, partial
from operator import eq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.sandbox.state.checks import Check

WORD = ctypes.sizeof(ctypes.c_void_p)
_UNSIGNED = b"Q"
"""A word, as formats of buffers call it; the views hold its bare address."""
_join = b"".join
_Sizes = ctypes.POINTER(ctypes.c_ssize_t)
_Size = ctypes.c_ssize_t * 1
_Pointers = ctypes.Array[ctypes.c_void_p]


class _Buffer(ctypes.Structure):
    """A Py_buffer, whose layout is part of the stable ABI since 3.11."""

    _fields_ = (
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", _Sizes),
        ("strides", _Sizes),
        ("suboffsets", _Sizes),
        ("internal", ctypes.c_void_p),
    )


def watch_words(addresses: Sequence[int], kept: Sequence[int] | None = None) -> Check:
    """Return what tells whether the words at some addresses are what was kept, or what they are.

    They have to stay readable for as long as it is asked: whoever asks holds the objects. They are
    compared in their order, and none behind the first that differs is read.
    """
    if not addresses:
        return _nothing_differs
    pointers = (ctypes.c_void_p * len(addresses))(*addresses)
    return (_followed if _follows() else _viewed)(pointers, kept)


def _nothing_differs() -> bool:
    return True


def _viewed(pointers: _Pointers, kept: Sequence[int] | None = None) -> Check:
    kind = ctypes.c_ubyte * WORD
    views = [memoryview(kind.from_address(int(address or 0))).cast("B") for address in pointers]
    words = views if kept is None else [n.to_bytes(WORD, sys.byteorder) for n in kept]
    return partial(eq, views, [*map(bytes, words)])


def _followed(pointers: _Pointers, kept: Sequence[int] | None = None) -> Check:
    buffer = _Buffer(
        buf=ctypes.addressof(pointers),
        len=len(pointers) * WORD,
        itemsize=WORD,
        readonly=1,
        ndim=1,
        format=_UNSIGNED,
        shape=_Size(len(pointers)),
        strides=_Size(WORD),
        suboffsets=_Size(0),
    )
    make = ctypes.pythonapi.PyMemoryView_FromBuffer
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p,)
    view: memoryview = make(ctypes.addressof(buffer))
    words = view.tobytes() if kept is None else array("Q", kept).tobytes()
    check = partial(eq, view, memoryview(words).cast("Q"))
    vars(check)["pointers"] = pointers  # the view has a bare address of them
    return check


@cache
def _follows() -> bool:
    """Try it on an example: three numbers, of which one changes and changes back."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_uint64) != WORD:
        return False
    numbers = [ctypes.c_uint64(n) for n in (3 << 40, 1, 2)]
    are_same = _followed((ctypes.c_void_p * len(numbers))(*map(ctypes.addressof, numbers)))
    said = [are_same()]
    for value in (7, 1):
        numbers[1].value = value
        said.append(are_same())
    return said == [True, False, True]
