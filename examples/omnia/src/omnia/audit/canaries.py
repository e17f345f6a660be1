"""A word that occurs nowhere else in place of every private fact."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from omnia.core import Visibility
from tierwise.leaks import Secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omnia.core import Attribute, World


def plant_canaries(world: World) -> tuple[World, tuple[Secret, ...]]:
    """Return a copy of the world with canaries for values, and who may read which.

    The values change, who may know them does not: a canary in a prompt for somebody who is
    not on its list came through a hole, and no model has to say anything for it to be seen.
    """
    twin = world.copy()
    secrets = []
    for name, fact in _private_facts(twin):
        canary = f"zx-{hashlib.sha256(name.encode()).hexdigest()[:10]}"
        fact.value = canary
        secrets.append(Secret(canary, viewers=frozenset(fact.allowed()), name=name))
    return twin, tuple(secrets)


def _private_facts(world: World) -> Iterator[tuple[str, Attribute]]:
    holders = [
        ("world", world.facts),
        *((location.id, location.facts) for location in world.locations.values()),
        *((entity.id, entity.facts) for entity in world.entities.values()),
    ]
    for holder_id, facts in holders:
        for fact in facts.system_all():
            if fact.visibility is Visibility.PRIVATE:
                yield f"{holder_id}: {fact.name}", fact
