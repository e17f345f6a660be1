"""One turn: hand over what is old, get to know who is here, act, and let it come true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omnia.actor import Mind
from omnia.architect import name_stranger
from omnia.intent import Decoded
from omnia.loop.focus import find_focus
from omnia.memory import Handoff, Situation, Trigger, find_trigger, recall
from omnia.store import StoreError

if TYPE_CHECKING:
    from omnia.actor import Actor
    from omnia.architect import Referee, Ruling
    from omnia.intent import Intent
    from omnia.llm import Embedder
    from omnia.loop.game import Game
    from omnia.memory import HandoffReport
    from tierwise.providers import Provider


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """An intent and what became of it."""

    intent: Intent
    ruling: Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReport:
    """What happened in a turn. With a `problem`, the steps before it did come true."""

    actor_id: str
    steps: tuple[Step, ...] = ()
    warnings: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a turn goes by: who judges, who embeds, and which model does the system's chores."""

    referee: Referee
    embedder: Embedder
    chores: Provider


async def take_turn(game: Game, actor_id: str, actor: Actor, rules: Rules) -> TurnReport:
    """Play one actor's turn. Each intent is carried out whole or not at all, in order."""
    await hand_over(game, actor_id, rules)
    await get_to_know(game, actor_id, rules.chores)
    acted = await actor.act(game.world, actor_id, _mind(game, actor_id))
    if not isinstance(acted, Decoded):
        return TurnReport(actor_id=actor_id, problem=acted.message)
    steps: list[Step] = []
    problem = ""
    for intent in acted.intents:
        try:
            ruling = await game.carry_out(intent, rules.referee)
        except StoreError as error:
            problem = str(error)
            break
        steps.append(Step(intent=intent, ruling=ruling))
    return TurnReport(
        actor_id=actor_id, steps=tuple(steps), warnings=acted.warnings, problem=problem
    )


async def hand_over(game: Game, owner_id: str, rules: Rules) -> HandoffReport | None:
    """Hand the owner's buffer over when that is due; None when it is not."""
    owner = game.world.require_entity(owner_id)
    entries = game.store.entries_of(owner_id)
    if find_trigger(owner, entries) is Trigger.NONE:
        return None
    handoff = Handoff(provider=rules.chores, embedder=rules.embedder, store=game.store)
    return await handoff.run(owner, entries, game.world.clock.now)


async def get_to_know(game: Game, viewer_id: str, provider: Provider) -> None:
    """Give the viewer a phrase for everybody here that it has none for."""
    strangers = [
        other.id
        for other in game.world.companions(viewer_id)
        if not game.world.require_entity(viewer_id).knows(other.id)
    ]
    for stranger_id in strangers:
        phrase = await name_stranger(game.world, viewer_id, stranger_id, provider)
        after = game.world.copy()
        after.require_entity(viewer_id).aliases[stranger_id] = phrase
        game.change(after)


def _mind(game: Game, actor_id: str) -> Mind:
    lately = tuple(game.store.entries_of(actor_id))
    actor = game.world.require_entity(actor_id)
    situation = Situation(
        owner_id=actor_id,
        now=game.world.clock.now,
        location_id=actor.location_id,
        involved=frozenset(find_focus(game.world, actor_id, lately)),
    )
    return Mind(
        lately=lately,
        remembered=tuple(recall(game.store.memories_of(actor_id), situation)),
        others=tuple(entry.intent for entry in lately if entry.intent.actor_id != actor_id),
    )
