"""Where in the user's own code an error happened."""

from __future__ import annotations

import traceback
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

_INSTALLED = frozenset({"site-packages", "dist-packages"})


def locate(error: BaseException, root: PurePath | None) -> str:
    """Return the innermost line below `root` that the error passed through; empty if none did.

    What is installed below it, such as in a virtual environment, is not the user's own.
    """
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if root is not None and (path := _own_path(frame, root)):
            place = f"{path}:{line}"
    return place


def locate_frame(frame: FrameType | None, root: PurePath | None) -> str:
    """Return the innermost line below `root` that a thread is in; empty where it is in none."""
    while frame is not None and root is not None:
        if path := _own_path(frame, root):
            return f"{path}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def _own_path(frame: FrameType, root: PurePath) -> str:
    path = PurePath(frame.f_code.co_filename)
    if not path.is_relative_to(root) or _INSTALLED & set(path.parts):
        return ""
    if str(frame.f_globals.get("__name__", "")).partition(".")[0] == "tierwise":
        return ""
    return path.relative_to(root).as_posix()
