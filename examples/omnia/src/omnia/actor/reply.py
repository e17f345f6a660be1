"""A prompt so short that a model of a few hundred megabytes can follow it: one question."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ConfigDict

from omnia.core import one_line
from omnia.llm import Prompt, Purpose, Sampling, ask, form_request
from tierwise.providers import Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from omnia.core import FactBag, World
    from tierwise.providers import Provider, Request

SAMPLING: Final = Sampling(temperature=0.7, max_tokens=32)
_SENTENCE: Final = re.compile(r"[^.!?]*[.!?]")
_PERSONA: Final = ("name", "look")


class Reply(BaseModel):
    """What a character says: one field, which the engine's grammar makes a small model fill."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    answer: str


def build_reply_prompt(world: World, speaker_id: str, question: str) -> Prompt:
    """Return the prompt: who the speaker is, what it knows beyond that, and the question."""
    speaker = world.require_entity(speaker_id)
    persona = [
        one_line(known.text)
        for known in speaker.facts.visible_for(speaker_id)
        if known.name in _PERSONA
    ]
    system = f"You are {', '.join(persona) or 'a guest'}."
    known = " ".join(_sentences(_bags(world, speaker_id), speaker_id))
    if known:
        system += f" What you know: {known}"
    return Prompt(system=system, user=one_line(question), viewer=speaker_id)


def form_reply_request(prompt: Prompt, *, sampling: Sampling = SAMPLING) -> Request[Reply]:
    """Return the request that `reply` sends, for those who want the whole answer back."""
    return form_request(prompt, Reply, purpose=Purpose.ACTOR, sampling=sampling)


async def reply(
    provider: Provider, prompt: Prompt, *, sampling: Sampling = SAMPLING
) -> str | Failure:
    """Return what the character says; a reply cut off in mid-speech counts up to there."""
    answer = await ask(provider, prompt, Reply, purpose=Purpose.ACTOR, sampling=sampling)
    if not isinstance(answer, Failure):
        return answer.answer.strip()
    return salvage(answer.text) if answer.kind is FailureKind.CUT_OFF else answer


def salvage(text: str) -> str:
    """Return the whole sentences of a JSON answer that was cut off, or what there is."""
    _, _, spoken = text.partition('":')
    spoken = spoken.strip().removeprefix('"')
    try:
        spoken = json.loads(f'"{spoken}"')
    except ValueError:
        spoken = spoken.rstrip("\\")
    whole = "".join(_SENTENCE.findall(spoken)).strip()
    return whole or spoken.strip()


def _bags(world: World, speaker_id: str) -> Iterator[FactBag]:
    speaker = world.require_entity(speaker_id)
    yield speaker.facts
    for companion in world.companions(speaker_id):
        yield companion.facts
    location = world.location(speaker.location_id)
    if location is not None:
        yield location.facts


def _sentences(bags: Iterable[FactBag], viewer_id: str) -> Iterator[str]:
    for bag in bags:
        for known in bag.visible_for(viewer_id):
            # What anybody sees is no news, and a small model loses the thread over it.
            if known.name not in _PERSONA:
                text = one_line(known.text).rstrip(".")
                yield f"{text[:1].upper()}{text[1:]}."
