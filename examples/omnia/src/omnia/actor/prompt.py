"""What an actor is told before it acts: the moment, its world, what it remembers and lived."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from omnia.core import describe_subjectively, naturalize
from omnia.llm import Prompt
from omnia.memory import in_order, render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from omnia.core import Entity, World
    from omnia.memory import Entry, Memory

LATELY_SHOWN: Final = 20
SYSTEM: Final = (
    "You are one character of a living world. Write in the first person what you say, do or "
    "think next. Say only what you know."
)


def build_actor_prompt(
    world: World,
    actor_id: str,
    *,
    lately: Sequence[Entry] = (),
    remembered: Sequence[Memory] = (),
) -> Prompt:
    """Return the prompt, made of nothing but what the actor may know."""
    actor = world.require_entity(actor_id)
    lines = [
        f"It is {world.clock.time_of_day()}.",
        describe_subjectively(world, actor_id),
        *_memories(world, remembered),
        *_lately(world, actor, lately),
    ]
    return Prompt(system=SYSTEM, user="\n".join(lines), viewer=actor_id)


def _memories(world: World, remembered: Sequence[Memory]) -> Iterator[str]:
    if remembered:
        yield "You remember:"
    for memory in remembered:
        yield f"* {naturalize(world.clock.now, memory.moment)}: {memory.content}"


def _lately(world: World, actor: Entity, lately: Sequence[Entry]) -> Iterator[str]:
    shown = in_order(lately)[-LATELY_SHOWN:]
    if shown:
        yield "Lately:"
    for phrase, entries in groupby(shown, lambda e: naturalize(world.clock.now, e.moment)):
        yield f"{phrase}:"
        for entry in entries:
            yield f"* {render(entry, actor)}"
