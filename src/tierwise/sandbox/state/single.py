"""One change put back, and all others left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.state.looking import Look
from tierwise.sandbox.state.places import restore_kept
from tierwise.sandbox.state.watcher import differing

if TYPE_CHECKING:
    from tierwise.domain.watching import Change
    from tierwise.sandbox.state.places import Kept
    from tierwise.sandbox.state.snapshot import Snapshot
    from tierwise.sandbox.state.watcher import Watcher


def restore_change(before: Snapshot, change: Change) -> bool:
    """Put back what one change is about, and tell whether that could be done.

    A watcher of a single thing, such as the working folder, puts back all that it watches.
    """
    watcher = next((one for one in before.watchers if one.name == change.watcher), None)
    if watcher is None or watcher.restore is None:
        return False
    taken = before.taken[watcher.name]
    if isinstance(taken, Look):
        return _restore_name(taken, change.owner)
    if isinstance(taken, Mapping):
        return _restore_key(watcher, taken, change.owner)
    watcher.restore(taken)
    return True


def _restore_name(look: Look, owner: str) -> bool:
    for part in look.parts.values():
        for kept in part.kept.values():
            start, _, name = owner.rpartition(".")
            if start == kept.place.owner:
                restore_kept(_only(kept, name))
                return True
    return False


def _only(kept: Kept, name: str) -> Kept:
    """Return the namespace as it is now, but for one name."""
    watched = kept.place.is_watched
    values = {key: value for key, value in [*kept.place.names.items()] if watched(key)}
    values.pop(name, None)
    if name in kept.values:
        values[name] = kept.values[name]
    contents = {name: kept.contents[name]} if name in kept.contents else {}
    return replace(kept, values=values, contents=contents)


def _restore_key(watcher: Watcher, taken: Mapping[Any, Any], owner: str) -> bool:
    assert watcher.restore is not None  # noqa: S101  asked before
    now = watcher.take()
    for key in differing(taken, now):
        single = {other: value for other, value in now.items() if other != key}
        if key in taken:
            single[key] = taken[key]
        if any(found.owner == owner for found in watcher.compare(single, now)):
            watcher.restore(single)
            return True
    return False
