"""Prompts that see the whole world; they speak for the system and to nobody in the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omnia.core import describe_objectively
from omnia.llm import Prompt

if TYPE_CHECKING:
    from omnia.core import World
    from omnia.intent import Intent

VALIDATOR_SYSTEM: Final = (
    "You judge whether an intent can be carried out in this world. Answer with valid, reason "
    "and cause. The reason is for the log; the actor only ever reads the cause."
)
DELTA_SYSTEM: Final = (
    "The action succeeds. Answer how many whole minutes it takes, with a short explanation, "
    "and list the facts of entities that it changes, if any."
)


def build_validator_prompt(world: World, intent: Intent) -> Prompt:
    """Return the prompt for the validator: everything, so its answer is nobody's to read."""
    return Prompt(system=VALIDATOR_SYSTEM, user=_world_and_intent(world, intent), viewer=None)


def build_delta_prompt(world: World, intent: Intent) -> Prompt:
    """Return the prompt for an action's consequences."""
    return Prompt(system=DELTA_SYSTEM, user=_world_and_intent(world, intent), viewer=None)


def _world_and_intent(world: World, intent: Intent) -> str:
    targets = ", ".join(intent.target_ids) or "nobody"
    return (
        f"{describe_objectively(world)}\n# Intent\n"
        f"{intent.kind} by {intent.actor_id}, aimed at {targets}: {intent.content}"
    )
