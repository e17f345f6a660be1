"""One thread's wait, as the clock sees it."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from threading import get_ident
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType


def _nothing() -> None:
    """Leave a waiting thread to notice by itself."""


def _no_files() -> Mapping[int, object]:
    """Say that no file descriptor is watched."""
    return {}


@dataclass(slots=True, kw_only=True, eq=False)
class Wait:
    """Somebody waits, for what and until when; the clock jumps when all do.

    `is_over` must say yes as soon as the thread could go on, even before it runs again.
    """

    what: str
    is_over: Callable[[], bool]
    deadline: int | None = None
    """Nanoseconds of virtual time since the clock started; None for a wait without an end."""
    wake: Callable[[], None] = _nothing
    files: Callable[[], Mapping[int, object]] = _no_files
    """The file descriptors whose readiness ends the wait as well."""
    thread: int = field(default_factory=get_ident)

    @property
    def place(self) -> str:
        """Where the thread waits: the nearest line that is not of the standard library."""
        frame = sys._current_frames().get(self.thread)  # noqa: SLF001  the only way to ask another thread
        return place_of(frame)


def place_of(frame: FrameType | None) -> str:
    """Return `file:line in function` of the nearest frame that is not machinery."""
    here = frame
    while here is not None and _is_machinery(here.f_code.co_filename):
        here = here.f_back
    if here is None:
        return "the standard library" if frame is None else frame.f_code.co_qualname
    return f"{here.f_code.co_filename}:{here.f_lineno} in {here.f_code.co_name}"


def _is_machinery(path: str) -> bool:
    stdlib = _folder_of(threading_file=sys.modules["threading"].__file__ or "")
    ours = __file__.rpartition("clock")[0]
    is_stdlib = path.startswith((stdlib, "<frozen")) and "site-packages" not in path
    return is_stdlib or path.startswith(ours)


def _folder_of(*, threading_file: str) -> str:
    return threading_file.rpartition("threading")[0]
