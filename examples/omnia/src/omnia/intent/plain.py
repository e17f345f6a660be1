"""From prose to intents by rule, for models too small to do it, and for impatient people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from omnia.intent.decoder import Decoded, DecodingFailure, assemble
from omnia.intent.intents import Intent, IntentKind
from omnia.intent.schema import IntentDraft

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omnia.core import World

_LOUDNESS = {"whisper ": "whisper", "shout ": "shout"}
_VERBS = {"whisper": "whispered", "shout": "shouted"}


class PlainDecoder:
    """Reads `*a deed*`, `(a thought)` and everything else as talk; needs no model."""

    async def decode(
        self, world: World, actor_id: str, prose: str, recent: Sequence[Intent] = ()
    ) -> Decoded | DecodingFailure:
        """Return one intent, aimed at those here whom the prose calls by name."""
        del recent  # a rule has no use for what was just done
        draft = _draft(prose.strip())
        if draft is None:
            return Decoded(intents=())
        actor = world.require_entity(actor_id)
        named = [
            other.id
            for other in world.companions(actor_id)
            if actor.knows(other.id) and actor.aliases[other.id].casefold() in prose.casefold()
        ]
        aimed = draft.model_copy(update={"target_ids": [] if draft.type == "monologue" else named})
        return assemble(world, actor_id, [aimed])


def _draft(prose: str) -> IntentDraft | None:
    if not prose.strip("*() "):
        return None
    if prose.startswith("*"):
        deed = prose.strip("* ").rstrip(".")
        return _plain(IntentKind.ACTION, f"I tried to {deed}.")
    if prose.startswith("("):
        return _plain(IntentKind.MONOLOGUE, f"I thought: {prose.strip('() ')}")
    return _speech(prose)


def _speech(prose: str) -> IntentDraft:
    modifiers = [word for start, word in _LOUDNESS.items() if prose.casefold().startswith(start)]
    words = prose[len(modifiers[0]) + 1 :] if modifiers else prose
    verb = _VERBS[modifiers[0]] if modifiers else "said"
    spoken = re.sub(r'["“”]', "'", words).strip()
    return _plain(IntentKind.DIALOGUE, f'I {verb}: "{spoken}"', modifiers)


def _plain(kind: IntentKind, content: str, modifiers: Sequence[str] = ()) -> IntentDraft:
    return IntentDraft(type=kind, content=content, target_ids=[], modifiers=list(modifiers))
