"""Touches of files, from the arguments of audit events."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tierwise.domain import Capability, Touch
from tierwise.sandbox.places import locate, place_of
from tierwise.sandbox.world import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.sandbox.world import World

    Classifier = Callable[[str, tuple[Any, ...], World], tuple[Touch, ...]]

_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_WRITE_MODES = frozenset("wax+")
_FREE_TO_READ = frozenset({Place.PROJECT, Place.LIBRARY, Place.EXEMPT})


def classify_open(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge `open(path, mode, flags)` by mode and flags; `os.open` has flags alone."""
    path, mode, flags = args
    if isinstance(path, int):
        return ()
    is_write = (isinstance(flags, int) and flags & _WRITE_FLAGS) or (
        isinstance(mode, str) and not _WRITE_MODES.isdisjoint(mode)
    )
    return written(event, path, world) if is_write else read(event, path, world)


def classify_change(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge an event whose first argument is changed; the last may be a folder's descriptor."""
    return written(event, args[0], world, args[-1] if len(args) > 1 else -1)


def classify_plain_change(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge an event whose first argument is changed and whose last is no descriptor."""
    return written(event, args[0], world)


def classify_rename(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge both ends: one vanishes, the other is overwritten."""
    source, target, source_fd, target_fd = args
    touches = written(event, source, world, source_fd) + written(event, target, world, target_fd)
    return tuple(dict.fromkeys(touches))


def classify_link(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge the new name as written and the old one as read."""
    source, target, source_fd, target_fd = args
    return read(event, source, world, source_fd) + written(event, target, world, target_fd)


def classify_symlink(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge the new name alone: a symbolic link may point anywhere, or nowhere."""
    return written(event, args[1], world, args[2] if len(args) > 2 else -1)  # noqa: PLR2004


def classify_listing(event: str, args: tuple[Any, ...], world: World) -> tuple[Touch, ...]:
    """Judge the listing of a folder as reading it."""
    return read(event, args[0], world)


def read(event: str, path: object, world: World, dir_fd: object = -1) -> tuple[Touch, ...]:
    """Return the touch that reading `path` is."""
    located = locate(path, world, dir_fd)
    if located is None:
        return ()
    place = place_of(located, world)
    if place in _FREE_TO_READ:
        return ()
    capability = Capability.TMP if place is Place.TMP else Capability.READ
    return (Touch(capability=capability, target=located, event=event),)


def written(event: str, path: object, world: World, dir_fd: object = -1) -> tuple[Touch, ...]:
    """Return the touch that changing `path` is.

    In the temporary folder links are followed, so that one planted there opens no way out.
    """
    located = locate(path, world, dir_fd)
    if located is None:
        return ()
    place = place_of(located, world)
    if place is Place.TMP:
        folder, name = os.path.split(located)
        followed = world.real_path(located) if event == "open" else None
        located = followed or os.path.join(world.real_path(folder), name)  # noqa: PTH118
        place = place_of(located, world)
    if place is Place.EXEMPT:
        return ()
    capability = Capability.TMP if place is Place.TMP else Capability.WRITE
    return (Touch(capability=capability, target=located, event=event),)


CLASSIFIERS: Mapping[str, Classifier] = {
    "open": classify_open,
    "os.chflags": classify_plain_change,
    "os.chmod": classify_change,
    "os.chown": classify_change,
    "os.link": classify_link,
    "os.listdir": classify_listing,
    "os.mkdir": classify_change,
    "os.mkfifo": classify_change,
    "os.mknod": classify_change,
    "os.remove": classify_change,
    "os.removexattr": classify_plain_change,
    "os.rename": classify_rename,
    "os.rmdir": classify_change,
    "os.scandir": classify_listing,
    "os.setxattr": classify_plain_change,
    "os.symlink": classify_symlink,
    "os.truncate": classify_plain_change,
    "os.utime": classify_change,
}
