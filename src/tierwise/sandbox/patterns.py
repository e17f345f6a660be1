"""What of a target is the same in the next run: without temporary folders, ports and numbers."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from tierwise.domain import Capability
from tierwise.sandbox.places import place_of
from tierwise.sandbox.targets import SHELL, format_endpoint, parse_endpoint
from tierwise.sandbox.world import Place

if TYPE_CHECKING:
    from tierwise.sandbox.world import World

TMP, PORT, NUMBER, NAME, TIME, HOME = "{tmp}", "{port}", "{n}", "{id}", "{time}", "~"
_FIRST_EPHEMERAL = 32768
"""Ports from here on are given out by the system, another one each time."""
_UUID = re.compile(r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b")
_HEXADECIMAL = re.compile(r"(?<![0-9a-zA-Z])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}(?![0-9a-zA-Z])")
_LONG_NUMBER = re.compile(r"(?<!\d)\d{4,}(?!\d)")
_WHOLE_NUMBER = re.compile(r"(?<=/)\d+(?=/|$)")
_PATHS = (Capability.TMP, Capability.READ, Capability.WRITE)
_PATH_IN_TEXT = re.compile(r"/[^\s'\":;,()\[\]{}<>|&]+")
_MOST_LETTERS = 120


def pattern_of(capability: Capability, target: str, world: World, home: str) -> str:
    """Return the target as it is written in a baseline."""
    if capability in _PATHS:
        return _path(target, world, home)
    if capability in (Capability.LOOPBACK, Capability.NETWORK):
        return _endpoint(target, world, home)
    if capability is Capability.SUBPROCESS:
        return _program(target, world, home)
    return TIME if capability is Capability.SLEEP else target


def _path(path: str, world: World, home: str) -> str:
    if place_of(path, world) is Place.TMP:
        return TMP
    root = world.project_root
    if (path + os.sep).startswith(root):
        inside = path[len(root) :] or "."
        return _steady(f"/{inside}")[1:].replace(os.sep, "/")
    if home and path.startswith(home.rstrip(os.sep) + os.sep):
        return HOME + _steady(path[len(home.rstrip(os.sep)) :])
    return _steady(path)


def _endpoint(target: str, world: World, home: str) -> str:
    if target.startswith(os.sep):
        return _path(target, world, home)  # a socket with a path
    host, port = parse_endpoint(target)
    if port is None or not port.isdigit():
        return _steady(target) if target.startswith("@") else target
    is_given_out = int(port) >= _FIRST_EPHEMERAL or int(port) == 0
    return format_endpoint(host, PORT) if is_given_out else target


def _program(target: str, world: World, home: str) -> str:
    program, shell, command = target.partition(SHELL)
    name = os.path.basename(program)  # noqa: PTH119  text in, text out
    if not shell:
        return name
    steady = _PATH_IN_TEXT.sub(lambda found: _path(found.group(), world, home), command)
    return f"{name}{SHELL}{_steady(steady)[:_MOST_LETTERS]}"


def _steady(text: str) -> str:
    """Put a word in place of what is counted or drawn: ids, dates, process ids."""
    text = _UUID.sub(NAME, text)
    text = _HEXADECIMAL.sub(NAME, text)
    return _LONG_NUMBER.sub(NUMBER, _WHOLE_NUMBER.sub(NUMBER, text))
