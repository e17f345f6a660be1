"""From prose to intents, by a model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from omnia.core import one_line
from omnia.intent.dehydrate import Dehydrated, dehydrate, names_known_to
from omnia.intent.hydrate import hydrate
from omnia.intent.intents import Intent
from omnia.intent.schema import IntentDraft, IntentSequence
from omnia.intent.words import expand_contractions
from omnia.llm import Prompt, Purpose, ask
from tierwise.providers import Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omnia.core import World
    from tierwise.providers import Provider

RECENT_SHOWN: Final = 3

SYSTEM: Final = (
    "Split the prose into intents, in order. Each has a type (dialogue, action or thought), "
    "the content in the author's words, the target_ids it is aimed at, and modifiers such as "
    "whisper or shout. Use only the ids that are listed."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """The intents of a turn, and what looked odd on the way."""

    intents: tuple[Intent, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingFailure:
    """No intents: the model did not answer as asked."""

    message: str


class Decoder(Protocol):
    """Something that reads intents out of prose."""

    async def decode(
        self, world: World, actor_id: str, prose: str, recent: Sequence[Intent] = ()
    ) -> Decoded | DecodingFailure:
        """Return the actor's intents, or why there are none."""
        ...


class ModelDecoder:
    """Asks a model. Who acts is never the model's to say, and whom it names is checked."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    async def decode(
        self, world: World, actor_id: str, prose: str, recent: Sequence[Intent] = ()
    ) -> Decoded | DecodingFailure:
        """Return the actor's intents; an actor that is not in the world is refused."""
        world.require_entity(actor_id)
        if not prose.strip():
            return Decoded(intents=())
        prompt = build_decoder_prompt(world, actor_id, prose, recent)
        reply = await ask(self._provider, prompt, IntentSequence, purpose=Purpose.INTENT)
        if isinstance(reply, Failure):
            return DecodingFailure(message=f"Intent decoding failed: {reply.message}")
        return assemble(world, actor_id, reply.intents)


def build_decoder_prompt(
    world: World, actor_id: str, prose: str, recent: Sequence[Intent] = ()
) -> Prompt:
    """Return the prompt: who is here by the actor's own names, what was just done, the prose."""
    actor = world.require_entity(actor_id)
    here = [
        f"{one_line(actor.name_for(other.id))} = {other.id}"
        for other in world.companions(actor_id)
    ]
    others = [intent for intent in recent if intent.actor_id != actor_id][-RECENT_SHOWN:]
    lines = ["Here:", *(here or ["nobody"])]
    if others:
        lines += ["Just before:", *(hydrate(intent.content, actor) for intent in others)]
    lines += ["Prose:", expand_contractions(prose)]
    return Prompt(system=SYSTEM, user="\n".join(lines), viewer=actor_id)


def assemble(world: World, actor_id: str, drafts: Sequence[IntentDraft]) -> Decoded:
    """Return drafts as the actor's intents, with targets checked and people tagged."""
    warnings = [] if drafts else ["the prose holds no intent"]
    intents = []
    for draft in drafts:
        intent, tagged = _assemble_one(world, actor_id, draft)
        intents.append(intent)
        warnings += [f"no such target here: {target}" for target in intent.unresolved_targets]
        warnings += [f"more than one answers to {name!r}" for name in tagged.ambiguous]
    return Decoded(intents=tuple(intents), warnings=tuple(warnings))


def _assemble_one(world: World, actor_id: str, draft: IntentDraft) -> tuple[Intent, Dehydrated]:
    here = {actor_id, *(other.id for other in world.companions(actor_id))}
    named = tuple(dict.fromkeys(draft.target_ids))
    intent = Intent(
        actor_id=actor_id,
        kind=draft.type,
        content=draft.content,
        target_ids=tuple(target for target in named if target in here),
        unresolved_targets=tuple(target for target in named if target not in here),
        modifiers=tuple(draft.modifiers),
    )
    tagged = dehydrate(
        expand_contractions(draft.content),
        actor_id=actor_id,
        names=names_known_to(world, actor_id),
        target_ids=intent.target_ids,
    )
    return replace(intent, content=tagged.text), tagged
