"""Who started a thread: noted at its start on the thread itself, asked when it does not end."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

_ATTRIBUTE = "_tierwise_origin"
_FARTHEST = 60
_OURS = os.path.dirname(os.path.dirname(__file__)) + os.sep  # noqa: PTH120  text
_LIBRARY = os.path.dirname(os.__file__) + os.sep  # noqa: PTH120  text
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


@dataclass(frozen=True, slots=True)
class Origin:
    """The code that started a thread."""

    starter: str
    """`module.function` of the nearest frame outside the standard library."""
    place: str
    """`file:line` of the nearest frame outside all libraries, or else of the starter's."""
    test: str


def note_origin(target: object, frame: FrameType | None, test: str) -> None:
    """Note on the thread that begins with `target`, its own bound method, where it comes from."""
    thread = getattr(target, "__self__", None)
    if thread is None or not hasattr(thread, "daemon"):
        return  # started without an object that anybody could ask
    thread.__dict__[_ATTRIBUTE] = _find(frame, test)


def origin_of(thread: object) -> Origin | None:
    """Return what was noted; None for a thread that was started unwatched."""
    found = getattr(thread, _ATTRIBUTE, None)
    return found if isinstance(found, Origin) else None


def name_of(frame: FrameType) -> str:
    """Return `module.function` of the code that runs in a frame."""
    return f"{frame.f_globals.get('__name__', '?')}.{frame.f_code.co_qualname}"


def place_of(frame: FrameType) -> str:
    """Return `file:line` of what runs in a frame."""
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def is_of_library(path: str) -> bool:
    """Tell whether code is of the standard library, frozen or ours: nobody's to mend."""
    if path.startswith(("<", _OURS)):
        return True
    return path.startswith(_LIBRARY) and not is_installed(path)


def is_installed(path: str) -> bool:
    """Tell whether code lies where packages are installed."""
    return any(part in path for part in _INSTALLED)


def _find(frame: FrameType | None, test: str) -> Origin | None:
    starter = place = ""
    for _ in range(_FARTHEST):
        if frame is None:
            break
        path = frame.f_code.co_filename
        if not is_of_library(path):
            starter = starter or name_of(frame)
            if not is_installed(path):
                return Origin(starter, place_of(frame), test)
            place = place or place_of(frame)
        frame = frame.f_back
    return Origin(starter, place, test) if starter else None
