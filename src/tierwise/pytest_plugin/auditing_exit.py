"""What is alive at the end, and where an error came from."""

from __future__ import annotations

import sys
import threading
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

    import pytest

_HARNESS = ("pluggy", "_pytest", "tierwise", "threading.py", "importlib", "<frozen", "runpy.py")


def list_threads() -> list[dict[str, object]]:
    """Return the threads beside this one: name, kind, and the innermost line that is known."""
    frames = sys._current_frames()  # noqa: SLF001  no other way to see where a thread stands
    return [
        {
            "name": thread.name,
            "daemon": thread.daemon,
            "where": where_stands(frames.get(thread.ident or 0)),
        }
        for thread in threading.enumerate()
        if thread is not threading.current_thread() and not thread.name.startswith("tierwise")
    ]


def where_stands(frame: FrameType | None) -> str:
    """Return the innermost line outside the threading module."""
    while frame is not None:
        if not any(part in frame.f_code.co_filename for part in _HARNESS):
            return f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"
        frame = frame.f_back
    return ""


def where_raised(error: BaseException) -> str:
    """Return the innermost line of the project's own that an error passed through."""
    lines = [
        f"{entry.filename}:{entry.lineno}"
        for entry in traceback.extract_tb(error.__traceback__)
        if not any(part in entry.filename for part in _HARNESS)
    ]
    return lines[-1] if lines else ""


def find_plugin(error: BaseException, plugins: pytest.PytestPluginManager) -> str:
    """Return the name under which `-p no:NAME` leaves out the plugin that an error came from.

    "" when it came from the project itself or from pytest: neither can be left out.
    """
    installed = {
        id(plugin): distribution.metadata["Name"]
        for plugin, distribution in plugins.list_plugin_distinfo()
    }
    names = {
        getattr(plugin, "__file__", None): name
        for name, plugin in plugins.list_name_plugin()
        if id(plugin) in installed and name != "tierwise"
    }
    for entry in reversed(traceback.extract_tb(error.__traceback__)):
        if entry.filename in names:
            return names[entry.filename]
    return ""
