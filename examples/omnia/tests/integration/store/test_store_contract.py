from __future__ import annotations

import functools
import itertools
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from entries import DEED, entry, memory
from omnia.core import Location, Portal, Visibility, World, describe_objectively
from omnia.memory import HandoffPlan, Outcome
from omnia.store import InMemoryStore, SqliteStore, Store, StoreError
from worlds import build_inn

from tierwise.contracts import Contract, require

MakeStore = Callable[[Path], Store]


def rich_world() -> World:
    world = build_inn()
    world.add_location(
        Location(
            id="loc-loft",
            parent_id="loc-hall",
            portals=(Portal(target_id="loc-cellar", name="a chute", bidirectional=False),),
        )
    )
    bran = world.require_entity("ent-bran")
    bran.is_agent, bran.location_id = False, None
    bran.facts.add("badge", "brass", visibility=Visibility.PUBLIC)
    mira = world.require_entity("ent-mira")
    mira.facts.system_attribute("secret").grant("ent-bran")
    mira.facts.system_attribute("secret").grant("ent-ada")
    world.clock.advance(123)
    return world


def same(one: World | None, other: World) -> bool:
    return one is not None and describe_objectively(one) == describe_objectively(other)


def on_a_fresh_store(
    clause: Callable[[Any, Store], None],
) -> Callable[[Any, MakeStore], None]:
    """Give a clause a store of its own, and close it afterwards."""

    @functools.wraps(clause)
    def run(self: Any, implementation: MakeStore) -> None:  # noqa: ANN401  the contract itself
        with (
            tempfile.TemporaryDirectory() as folder,
            closing(implementation(Path(folder))) as store,
        ):
            clause(self, store)

    # Through it, pytest would ask for a fixture named `store`.
    del run.__wrapped__
    return run


class TestStoreContract(Contract):
    """What every store promises; each clause gets a fresh, empty one."""

    implementations: ClassVar[Mapping[str, MakeStore]] = {
        "memory": lambda _: InMemoryStore("inn"),
        "sqlite": lambda _: SqliteStore.open(":memory:", "inn"),
        "sqlite-file": lambda folder: SqliteStore.open(folder / "worlds.db", "inn"),
    }

    @on_a_fresh_store
    def test_a_world_comes_back_identical(self, store: Store) -> None:
        """Facts, visibility, lists in order, aliases, clock, parents, portals: byte by byte."""
        require(store.load_world() is None, "an empty store holds a world")
        store.save_world(rich_world())
        require(same(store.load_world(), rich_world()), "the world came back different")

    @on_a_fresh_store
    def test_public_again_survives_a_reload(self, store: Store) -> None:
        """A fact that was private with a list and became public reloads as it is."""
        world = rich_world()
        world.require_entity("ent-mira").facts.system_attribute("secret").make_public()
        store.save_world(world)
        require(same(store.load_world(), world), "the list of a public fact was not the same")

    @on_a_fresh_store
    def test_saving_again_replaces_everything(self, store: Store) -> None:
        """What was removed, revoked or renamed in memory is gone from the store."""
        world = rich_world()
        store.save_world(world)
        world.require_entity("ent-mira").facts.system_attribute("secret").revoke("ent-mira")
        world.require_entity("ent-tomas").facts.remove("secret")
        world.require_entity("ent-tomas").aliases.clear()
        world.locations["loc-hall"].portals = ()
        world.remove_entity("ent-bran")
        store.save_world(world)
        require(same(store.load_world(), world), "something of the first world is still there")

    @on_a_fresh_store
    def test_nothing_is_shared_with_what_was_saved(self, store: Store) -> None:
        """Changing the world afterwards, or what was loaded, changes nothing in the store."""
        world = rich_world()
        store.save_world(world)
        world.clock.advance(5)
        loaded = store.load_world()
        require(loaded is not None, "nothing was loaded")
        if loaded is not None:
            loaded.facts.add("war", "begins")
        require(same(store.load_world(), rich_world()), "the store's world was changed")

    @on_a_fresh_store
    def test_entries_come_back_in_order(self, store: Store) -> None:
        """By moment and sequence, with every field; the highest sequence number is known."""
        store.save_world(build_inn())
        odd = replace(DEED, target_ids=("a",), unresolved_targets=("b",), modifiers=("shout",))
        entries = [
            replace(entry(3), outcome=Outcome(succeeded=False, reason="why")),
            replace(entry(2, intent=odd), outcome=Outcome(succeeded=True)),
            entry(7, minutes_ago=3, place=None, pinned=True),
        ]
        require(store.last_seq() == 0, "a store without entries counts some")
        store.save_entries(entries)
        found = store.entries_of("ent-tomas")
        require(found == [entries[2], entries[1], entries[0]], f"came back as {found}")
        require(store.entries_of("ent-mira") == [], "an entry is in another's buffer")
        require(store.last_seq() == 7, f"the last sequence number is {store.last_seq()}")

    @on_a_fresh_store
    def test_an_entry_with_a_known_id_replaces_the_old_one(self, store: Store) -> None:
        """Saving is an upsert."""
        store.save_world(build_inn())
        store.save_entries([entry(1)])
        store.save_entries([entry(1, pinned=True)])
        require(store.entries_of("ent-tomas") == [entry(1, pinned=True)], "it did not replace")

    @on_a_fresh_store
    def test_memories_come_back_with_those_involved(self, store: Store) -> None:
        """Saving again replaces the set of those involved."""
        store.save_world(build_inn())
        first = memory(1, involved=frozenset({"a", "b"}), embedding=(0.25, 1e-9))
        store.save_memories([first, memory(2, hours_ago=3)])
        require(store.memories_of("ent-tomas") == [memory(2, hours_ago=3), first], "not the same")
        changed = replace(first, involved=frozenset({"c"}), quotes=("hm",))
        store.save_memories([changed])
        require(store.memories_of("ent-tomas")[1] == changed, "the old set is still there")

    @on_a_fresh_store
    def test_a_block_is_kept_whole_or_not_at_all(self, store: Store) -> None:
        """An exception undoes everything since the outermost block began."""
        store.save_world(build_inn())
        try:
            with store.atomic():
                store.save_world(rich_world())
                with store.atomic():
                    store.save_entries([entry(1)])
                store.save_entries([replace(entry(2), owner_id="ent-ghost")])
        except StoreError:
            pass
        require(same(store.load_world(), build_inn()), "the world of a broken block was kept")
        require(store.entries_of("ent-tomas") == [], "the entry of a broken block was kept")

    @on_a_fresh_store
    def test_a_handoff_is_written_whole(self, store: Store) -> None:
        """Memories with vectors in, pinned entries pinned, deleted ones gone."""
        store.save_world(build_inn())
        store.save_entries([entry(1), entry(2), entry(3)])
        plan = HandoffPlan(
            owner_id="ent-tomas",
            memories=(memory(1),),
            pinned_ids=("e2",),
            deleted_ids=("e1",),
        )
        store.commit_handoff(plan, {"m001": (1.0, 2.0)})
        require(store.entries_of("ent-tomas") == [entry(2, pinned=True), entry(3)], "entries")
        require(
            store.memories_of("ent-tomas") == [replace(memory(1), embedding=(1.0, 2.0))],
            "memories",
        )

    @on_a_fresh_store
    def test_an_owner_who_is_gone_takes_its_buffer_along(self, store: Store) -> None:
        """Entries and memories go with the entity; those of others stay."""
        world = build_inn()
        store.save_world(world)
        other = replace(entry(9), owner_id="ent-mira")
        store.save_entries([entry(1), other])
        store.save_memories([memory(1)])
        world.remove_entity("ent-tomas")
        store.save_world(world)
        require(store.entries_of("ent-tomas") == [], "its buffer is still there")
        require(store.memories_of("ent-tomas") == [], "its ledger is still there")
        require(store.entries_of("ent-mira") == [other], "another's buffer is gone")

    @on_a_fresh_store
    def test_saving_a_world_keeps_the_buffers_of_those_who_stay(self, store: Store) -> None:
        """Entities are updated in place: nothing that hangs on them is lost."""
        world = build_inn()
        store.save_world(world)
        store.save_entries([entry(1)])
        store.save_memories([memory(1, involved=frozenset({"x"}))])
        store.save_world(world)
        require(store.entries_of("ent-tomas") == [entry(1)], "the buffer is gone")
        require(len(store.memories_of("ent-tomas")[0].involved) == 1, "the ledger is not whole")

    @on_a_fresh_store
    def test_nobody_unknown_owns_anything(self, store: Store) -> None:
        """An entry or a memory without an owner in the world is refused."""
        store.save_world(build_inn())
        orphan = replace(entry(1), owner_id="ent-ghost")
        lost = replace(memory(1), owner_id="ent-ghost")
        for save in (lambda: store.save_entries([orphan]), lambda: store.save_memories([lost])):
            require(_is_refused(save), "an orphan was kept")

    @on_a_fresh_store
    def test_a_store_keeps_its_own_world_only(self, store: Store) -> None:
        """Another world is refused, not stored under a wrong name."""
        require(_is_refused(lambda: store.save_world(World("other"))), "it took another world")

    @on_a_fresh_store
    def test_every_order_of_saving_gives_the_same_buffer(self, store: Store) -> None:
        """Equal moments are told apart by sequence, not by when they were saved."""
        entries = [entry(1), entry(2), entry(3)]
        store.save_world(build_inn())
        for n, order in enumerate(itertools.permutations(entries)):
            owner = ("ent-tomas", "ent-mira", "ent-bran")[n % 3]
            named = [
                replace(e, id=f"{n}-{e.id}", owner_id=owner, seq=10 * n + e.seq) for e in order
            ]
            store.save_entries(named)
            seqs = [e.seq for e in store.entries_of(owner)]
            require(seqs == sorted(seqs), f"saved as {order}, read as {seqs}")


def _is_refused(save: Callable[[], None]) -> bool:
    try:
        save()
    except StoreError:
        return True
    return False
