"""`datetime.now` and `datetime.utcnow`, of every subclass and every reference taken before.

`date.today` and `datetime.today` ask `time.time`, so they need nothing of their own.
"""

from __future__ import annotations

import ctypes
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any

from tierwise.errors import ClockError
from tierwise.sandbox.clock.builtin import MethodDefinition

if TYPE_CHECKING:
    from collections.abc import Callable

_BILLION = 1_000_000_000
_NO_ARGUMENTS = 0x4 | 0x10
_FAST_WITH_KEYWORDS = 0x80 | 0x2 | 0x10
_Now = ctypes.PYFUNCTYPE(
    ctypes.c_void_p,
    ctypes.py_object,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_ssize_t,
    ctypes.c_void_p,
)
_UtcNow = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)


class _Descriptor(ctypes.Structure):
    """PyMethodDescrObject, as far as the definition."""

    _fields_ = (
        ("head", ctypes.c_char * object.__basicsize__),
        ("type", ctypes.c_void_p),
        ("name", ctypes.c_void_p),
        ("qualified_name", ctypes.c_void_p),
        ("definition", ctypes.c_void_p),
    )


class ReplacedDates:
    """Both class methods, led to a function that tells nanoseconds since 1970."""

    def __init__(self, wall_ns: Callable[[], int]) -> None:
        def now(cls: type[datetime], given: Any, n: int, names: int | None) -> int | None:  # noqa: ANN401  a C pointer
            return _handed_over(lambda: at(wall_ns(), cls, _zone(given, n, names)))

        def utcnow(cls: type[datetime], _nothing: int | None) -> int | None:
            return _handed_over(lambda: at(wall_ns(), cls, UTC).replace(tzinfo=None))

        self._now = (_definition("now", _FAST_WITH_KEYWORDS), _Now(now))
        self._utcnow = (_definition("utcnow", _NO_ARGUMENTS), _UtcNow(utcnow))
        self._before = (self._now[0].start, self._utcnow[0].start)

    def put_in(self) -> None:
        """Lead both to the virtual time."""
        for definition, function in (self._now, self._utcnow):
            definition.start = ctypes.cast(function, ctypes.c_void_p).value

    def put_back(self) -> None:
        """Lead both back to the time of the machine."""
        self._now[0].start, self._utcnow[0].start = self._before


def at(wall_ns: int, cls: type[datetime], zone: tzinfo | None) -> datetime:
    """Return the moment as a value of that class, exact to the microsecond."""
    seconds, rest = divmod(wall_ns, _BILLION)
    return cls.fromtimestamp(seconds, zone).replace(microsecond=rest // 1000)


def _handed_over(make: Callable[[], datetime]) -> int | None:
    """Return the address of a new reference; None is NULL, which Python turns into SystemError.

    An exception cannot leave a function that C calls: ctypes would print it and return anything.
    """
    try:
        made = make()
    except BaseException:  # noqa: BLE001  as said
        return None
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
    return id(made)


def _zone(given: Any, n: int, names: int | None) -> tzinfo | None:  # noqa: ANN401  a C pointer
    """Return the argument `tz` of a call, given by place or by name, or not at all."""
    names_given = () if not names else ctypes.cast(names, ctypes.py_object).value
    if n + len(names_given) > 1 or names_given not in {(), ("tz",)}:
        raise TypeError("now() takes one argument, tz")
    if not n and not names_given:
        return None
    zone: tzinfo | None = ctypes.cast(given[0], ctypes.py_object).value
    return zone


def _definition(name: str, flags: int) -> MethodDefinition:
    view = _Descriptor.from_address(id(datetime.__dict__[name]))
    if view.type == id(datetime) and view.definition:
        definition = MethodDefinition.from_address(view.definition)
        if definition.name == name.encode() and definition.flags == flags:
            return definition
    raise ClockError(
        f"datetime.{name} has a layout in memory that tierwise does not know, so time cannot be"
        " made virtual on this Python, or another library has replaced it. Expected: CPython 3.11"
        " or newer."
    )
