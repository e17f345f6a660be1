"""A random order that one number repeats."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Place(NamedTuple):
    """Where a test stands in its suite; each has one, and no other value is made as fast."""

    module: str
    group: str
    """Its class, or its module when it stands in none."""
    test: str


def shuffle(places: Sequence[Place], seed: int) -> list[int]:
    """Return the indexes of `places` in the random order of `seed`.

    Modules are shuffled, within them the classes, within those the tests; a module's tests and
    a class's stay together. Each place is ordered by a keyed hash of its own, so that a selection
    of the suite keeps the order that the whole suite has under the same seed.
    """
    ranks: dict[str, bytes] = {}
    keyed = hashlib.blake2b(
        key=seed.to_bytes(16, "big", signed=True), digest_size=8, usedforsecurity=False
    )

    def hash_of(name: str) -> bytes:
        copied = keyed.copy()  # half the price of a new one
        copied.update(name.encode("utf-8", "surrogatepass"))
        return copied.digest()

    def rank(name: str) -> bytes:
        known = ranks.get(name)
        if known is None:
            known = ranks[name] = hash_of(name)
        return known

    keys = [(rank(p.module), rank(p.group), hash_of(p.test)) for p in places]
    return sorted(range(len(places)), key=keys.__getitem__)


def choose_seed(asked: int | None, *, is_random: bool, draw: Callable[[], int]) -> int | None:
    """Return the seed of this run: the one asked for, a drawn one, or None for no shuffling."""
    if asked is not None:
        return asked
    return draw() if is_random else None
