"""A random order that one number repeats."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from hashlib import blake2b as Hash  # noqa: N812  the type of what it makes


class Group(NamedTuple):
    """What a test stands in."""

    module: str
    name: str
    """Its class, or its module when it stands in none."""


def shuffle(places: Iterable[tuple[Group, str]], seed: int) -> list[int]:
    """Return the indexes of `places` in the random order of `seed`; a place is a group and a name.

    Modules are shuffled, within them the classes, within those the tests; a module's tests and
    a class's stay together. Each place is ordered by a keyed hash of its own, so that a selection
    of the suite keeps the order that the whole suite has under the same seed.
    """
    keyed = hashlib.blake2b(
        key=seed.to_bytes(16, "big", signed=True), digest_size=8, usedforsecurity=False
    )
    begun: dict[Group, tuple[str, Hash]] = {}
    keys: list[str] = []
    for group, test in places:
        if group not in begun:
            in_group = _add(keyed, group.name)
            rank = _add(keyed, group.module).hexdigest() + in_group.hexdigest()
            begun[group] = rank, in_group
        rank, in_group = begun[group]
        keys.append(rank + _add(in_group, test).hexdigest())
    return sorted(range(len(keys)), key=keys.__getitem__)


def _add(begun: Hash, name: str) -> Hash:
    copied = begun.copy()  # half the price of a new one
    copied.update(name.encode("utf-8", "surrogatepass"))
    return copied


def choose_seed(asked: int | None, *, is_random: bool, draw: Callable[[], int]) -> int | None:
    """Return the seed of this run: the one asked for, a drawn one, or None for no shuffling."""
    if asked is not None:
        return asked
    return draw() if is_random else None
