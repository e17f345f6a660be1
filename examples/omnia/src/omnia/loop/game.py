"""A world under way: its present state, its store, and the number of the last event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omnia.intent import IntentKind
from omnia.loop.witness import Happening, record
from omnia.memory import Outcome

if TYPE_CHECKING:
    from omnia.architect import Referee, Ruling
    from omnia.core import World
    from omnia.intent import Intent
    from omnia.store import Store


@dataclass(slots=True, kw_only=True)
class Game:
    """The one place where the present world is replaced by the next one."""

    world: World
    store: Store
    seq: int = 0

    @classmethod
    def begin(cls, world: World, store: Store) -> Game:
        """Return a game whose first state is kept."""
        store.save_world(world)
        return cls(world=world, store=store, seq=store.last_seq())

    @classmethod
    def resume(cls, store: Store) -> Game | None:
        """Return the game that the store holds, or None."""
        world = store.load_world()
        return None if world is None else cls(world=world, store=store, seq=store.last_seq())

    async def carry_out(self, intent: Intent, referee: Referee) -> Ruling:
        """Let one intent come true, or not: world and entries change together or not at all."""
        ruling = await referee.process(
            self.world, intent, commit=lambda after: self._commit(after, intent)
        )
        if intent.is_thought:
            self._keep(Happening(world=self.world, intent=intent, seq=self.seq + 1))
        elif not ruling.valid and self._is_visible_failure(intent):
            failed = Outcome(succeeded=False, reason=ruling.shown)
            self._keep(
                Happening(world=self.world, intent=intent, seq=self.seq + 1, outcome=failed)
            )
        return ruling

    def _is_visible_failure(self, intent: Intent) -> bool:
        """Return whether others see it fail: a deed, yes; words that were not said, no."""
        is_here = self.world.entity(intent.actor_id) is not None
        return intent.kind is IntentKind.ACTION and is_here

    def change(self, after: World) -> None:
        """Replace the world by a later state that no intent brought about."""
        self.store.save_world(after)
        self.world = after

    def _commit(self, after: World, intent: Intent) -> None:
        outcome = Outcome(succeeded=True) if intent.kind is IntentKind.ACTION else None
        happening = Happening(world=after, intent=intent, seq=self.seq + 1, outcome=outcome)
        with self.store.atomic():
            self.store.save_world(after)
            self.store.save_entries(record(happening))
        self.world, self.seq = after, happening.seq

    def _keep(self, happening: Happening) -> None:
        self.store.save_entries(record(happening))
        self.seq = happening.seq
