"""An actor reads its world and says what it means to do; it changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from omnia.actor.prompt import build_actor_prompt
from omnia.intent import DecodingFailure
from tierwise.providers import Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omnia.actor.writers import Writer
    from omnia.core import World
    from omnia.intent import Decoded, Decoder, Intent
    from omnia.llm import Prompt
    from omnia.memory import Entry, Memory


class NotAnAgentError(ValueError):
    """A thing was asked to act."""


class PromptBuilder(Protocol):
    """Makes an actor's prompt out of what the actor may know."""

    def __call__(
        self,
        world: World,
        actor_id: str,
        *,
        lately: Sequence[Entry] = ...,
        remembered: Sequence[Memory] = ...,
    ) -> Prompt:
        """Return the prompt."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Mind:
    """What an actor brings along: recent entries, memories, and what others just did."""

    lately: tuple[Entry, ...] = ()
    remembered: tuple[Memory, ...] = ()
    others: tuple[Intent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Prose from a writer, intents from a decoder; a model and a person act the same way."""

    writer: Writer
    decoder: Decoder
    build_prompt: PromptBuilder = field(default=build_actor_prompt)

    async def act(
        self, world: World, actor_id: str, mind: Mind | None = None
    ) -> Decoded | DecodingFailure:
        """Return what the actor means to do; a thing is refused before anybody is asked."""
        if not world.require_entity(actor_id).is_agent:
            raise NotAnAgentError(f"{actor_id!r} is a thing and does not act")
        mind = mind or Mind()
        prompt = self.build_prompt(world, actor_id, lately=mind.lately, remembered=mind.remembered)
        prose = await self.writer.write(prompt)
        if isinstance(prose, Failure):
            return DecodingFailure(message=f"Nothing was written: {prose.message}")
        return await self.decoder.decode(world, actor_id, prose, mind.others)
