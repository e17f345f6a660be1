"""Process state as it is at one moment, and what differs between two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.state.watchers import make_watchers

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tierwise.domain.watching import Change
    from tierwise.sandbox.state.watcher import Watcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What each watcher has taken; later changes of the process do not change it."""

    watchers: tuple[Watcher, ...]
    taken: Mapping[str, Any]


def take_snapshot(
    watchers: Collection[str] | None = None,
    packages: Sequence[str] = (),
    *,
    thorough: bool = False,
) -> Snapshot:
    """Return the state of this process now, as these watchers see it; None is all of them.

    `packages` are the folders of first-party code, such as `/srv/shop/src/shop`.
    """
    made = make_watchers(watchers, packages, thorough=thorough)
    return Snapshot(watchers=made, taken={watcher.name: watcher.take() for watcher in made})


def retake(snapshot: Snapshot) -> Snapshot:
    """Return the state now, as the watchers of an earlier snapshot see it."""
    taken = {watcher.name: watcher.take() for watcher in snapshot.watchers}
    return Snapshot(watchers=snapshot.watchers, taken=taken)


def changes_between(before: Snapshot, after: Snapshot) -> tuple[Change, ...]:
    """Return what is not as it was, for each watcher that both snapshots have."""
    return tuple(
        change
        for watcher in before.watchers
        if watcher.name in after.taken
        for change in watcher.compare(before.taken[watcher.name], after.taken[watcher.name])
    )
