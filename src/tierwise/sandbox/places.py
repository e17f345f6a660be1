"""Which place does a path lie in?"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tierwise.sandbox.world import Place

if TYPE_CHECKING:
    from tierwise.sandbox.world import World

_DEVICES = frozenset(
    {
        os.devnull,
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
        "nul",
        "NUL",
    }
)
_DESCRIPTOR_FOLDERS = ("/dev/fd/", "/proc/self/fd/")
_HERE = -1
_FOLDS_CASE = os.name == "nt"


def locate(path: object, world: World, dir_fd: object = _HERE) -> str | None:
    """Return the absolute, normalised text of a path argument.

    None stands for what is no new touch: a descriptor, whose opening was judged, and a device
    without a memory such as /dev/null.
    """
    if path is None:
        return world.cwd()
    if isinstance(path, int):
        return None
    # Audit events carry what the caller passed, most often plain text.
    text = path if isinstance(path, str) else os.fsdecode(path)  # type: ignore[arg-type]
    if text in _DEVICES or text.startswith(_DESCRIPTOR_FOLDERS):
        return None
    if _is_plain(text):
        return text
    if not os.path.isabs(text):  # noqa: PTH117  hot path, text in, text out
        text = os.path.join(_base_of(dir_fd, world), text)  # noqa: PTH118
    return os.path.normpath(text)


def _is_plain(text: str) -> bool:
    """Is this an absolute path that normalising would not change? It would cost the most."""
    return (
        not _FOLDS_CASE
        and text[:1] == "/"
        and "/." not in text
        and "//" not in text
        and text[-1] != "/"
    )


def place_of(path: str, world: World) -> Place:
    """Return the place of the most specific root that the path lies in."""
    probe = (os.path.normcase(path) if _FOLDS_CASE else path) + os.sep
    for root, place in world.roots:
        if probe.startswith(root):
            return place
    return Place.OUTSIDE


def _base_of(dir_fd: object, world: World) -> str:
    if not isinstance(dir_fd, int) or dir_fd == _HERE:
        return world.cwd()
    # A folder that cannot be told is none that is allowed.
    return world.path_of_descriptor(dir_fd) or f"{os.sep}descriptor {dir_fd}"
