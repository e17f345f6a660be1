"""A scripted evening: a guest tries the wrong door, the referee talks too much, others look on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omnia.actor import Actor, ModelWriter
from omnia.architect import Architect
from omnia.intent import ModelDecoder
from omnia.llm import Purpose, WordEmbedder
from omnia.loop import Game, Rules, take_turn
from omnia.store import InMemoryStore
from tierwise.providers import RecordingProvider, Rule, ScriptedProvider

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omnia.architect import ShowReason
    from omnia.core import World
    from tierwise.leaks import Secret

TURNS: Final = ("ent-guest", "ent-tomas", "ent-mira", "ent-guest")


async def run_scripted_evening(
    world: World, secrets: Iterable[Secret], show_reason: ShowReason
) -> RecordingProvider:
    """Play the evening and return the recording of every prompt.

    The scripted validator does the worst that a real one may do: it knows everything, and names
    every secret in its reason.
    """
    provider = RecordingProvider(ScriptedProvider(_script(secrets)))
    game = Game.begin(world, InMemoryStore(world.id))
    actor = Actor(writer=ModelWriter(provider), decoder=ModelDecoder(provider))
    rules = Rules(
        referee=Architect(provider, show_reason=show_reason),
        embedder=WordEmbedder(),
        chores=provider,
    )
    for actor_id in TURNS:
        report = await take_turn(game, actor_id, actor, rules)
        if report.problem:
            raise RuntimeError(f"the scripted evening stopped: {report.problem}")
    return provider


def _script(secrets: Iterable[Secret]) -> list[Rule]:
    told = ", ".join(f"{secret.name} is {secret.value}" for secret in secrets)
    action = {"type": "action", "content": "I tried the clock.", "target_ids": [], "modifiers": []}
    return [
        Rule(purpose=Purpose.ACTOR, answer={"prose": "I try to open the clock."}),
        Rule(purpose=Purpose.INTENT, answer={"intents": [action]}),
        Rule(
            purpose=Purpose.VALIDATOR,
            answer={"valid": False, "reason": f"It is locked; {told}.", "cause": "blocked"},
        ),
        Rule(purpose=Purpose.ALIAS, answer={"alias": "the quiet one"}, optional=True),
    ]
