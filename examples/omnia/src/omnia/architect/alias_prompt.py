"""The prompt that asks what a viewer would call a stranger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omnia.llm import Prompt

if TYPE_CHECKING:
    from omnia.core import World

SYSTEM: Final = (
    "Describe this person in at most five words, as a stranger would: no name, only what is seen."
)


def build_alias_prompt(world: World, viewer_id: str, target_id: str) -> Prompt:
    """Return the prompt: what the viewer sees of the target, and no id of anybody."""
    target = world.require_entity(target_id)
    return Prompt(system=SYSTEM, user=target.facts.describe_for(viewer_id), viewer=viewer_id)
