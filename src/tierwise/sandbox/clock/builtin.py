"""Functions written in C, replaced where they are: whoever imported one before sees it too.

A name in a module can be replaced, but `from time import monotonic`, a default argument and a
dataclass field have copies of the reference. So the function object itself is changed, by the
layout that CPython has had since 3.9. Nothing is written before the layout was recognised.
"""

from __future__ import annotations

import ctypes
from types import BuiltinFunctionType
from typing import TYPE_CHECKING, Any

from tierwise.errors import ClockError

if TYPE_CHECKING:
    from collections.abc import Callable

__tracebackhide__ = True  # a failing test shows lines of its own

_VARARGS, _KEYWORDS = 0x1, 0x2


class MethodDefinition(ctypes.Structure):
    """PyMethodDef: what a function of C is called, where it starts and what it takes."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("start", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _FunctionObject(ctypes.Structure):
    """PyCFunctionObject."""

    _fields_ = (
        ("head", ctypes.c_char * object.__basicsize__),
        ("definition", ctypes.c_void_p),
        ("owner", ctypes.c_void_p),
        ("module", ctypes.c_void_p),
        ("weak_references", ctypes.c_void_p),
        ("vectorcall", ctypes.c_void_p),
    )


class ReplacedBuiltin:
    """One builtin function that calls `stand_in` until it is put back."""

    def __init__(self, function: BuiltinFunctionType, stand_in: Callable[..., Any]) -> None:
        self._function = function
        self._stand_in = stand_in
        self._view = recognised(function)
        before = (self._view.definition, self._view.owner, self._view.vectorcall)
        self._before: tuple[int | None, ...] = before
        original = MethodDefinition.from_address(self._view.definition)
        self._definition = MethodDefinition(
            original.name,
            ctypes.cast(ctypes.pythonapi.PyObject_Call, ctypes.c_void_p).value,
            _VARARGS | _KEYWORDS,
            original.doc,
        )

    def put_in(self) -> None:
        """Make every call of the function, through whatever reference, a call of the stand-in."""
        # The function object owns what it is bound to: the collector counts on that.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._stand_in))
        self._view.vectorcall = None
        self._view.owner = id(self._stand_in)
        self._view.definition = ctypes.addressof(self._definition)

    def put_back(self) -> None:
        """Make the function what it was."""
        self._view.definition, self._view.owner, self._view.vectorcall = self._before
        ctypes.pythonapi.Py_DecRef(ctypes.py_object(self._stand_in))


def recognised(function: BuiltinFunctionType) -> _FunctionObject:
    """Return a view of the function's memory, once everything in it is what it should be."""
    view = _FunctionObject.from_address(id(function))
    if view.owner == id(function.__self__) and view.definition:
        definition = MethodDefinition.from_address(view.definition)
        if definition.name == function.__name__.encode():
            return view
    raise ClockError(
        f"{function.__qualname__} has a layout in memory that tierwise does not know, so time"
        " cannot be made virtual on this Python. Expected: CPython 3.11 or newer."
    )


def copied(function: BuiltinFunctionType) -> Callable[..., Any]:
    """Return another function object that goes on doing what this one does now."""
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
    made: Callable[..., Any] = make(
        recognised(function).definition, function.__self__, function.__module__
    )
    return made


def builtin_below(function: object) -> BuiltinFunctionType:
    """Return the builtin that stand-ins of the sandbox wrap."""
    below = function
    while not isinstance(below, BuiltinFunctionType) and hasattr(below, "__wrapped__"):
        below = below.__wrapped__
    if isinstance(below, BuiltinFunctionType):
        return below
    raise ClockError(
        f"{function!r} stands where a function of Python's own is expected: something else has"
        " replaced it (freezegun does so). Use one library for time in a test: take the other out."
    )
