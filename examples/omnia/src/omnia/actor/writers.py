"""Who writes an actor's prose: a model, or a person at a keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pydantic import BaseModel, ConfigDict, Field

from omnia.llm import Prompt, Purpose, Sampling, ask
from tierwise.providers import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.providers import Provider


class Prose(BaseModel):
    """What an actor writes: one field, which even a small model fills."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    prose: str = Field(min_length=1)


class Writer(Protocol):
    """Something that goes on from a prompt."""

    async def write(self, prompt: Prompt) -> str | Failure:
        """Return prose, or why there is none."""
        ...


class ModelWriter:
    """Lets a model write."""

    def __init__(self, provider: Provider, sampling: Sampling | None = None) -> None:
        self._provider = provider
        self._sampling = sampling

    async def write(self, prompt: Prompt) -> str | Failure:
        """Return the model's prose, or its failure."""
        reply = await ask(
            self._provider, prompt, Prose, purpose=Purpose.ACTOR, sampling=self._sampling
        )
        return reply if isinstance(reply, Failure) else reply.prose


class HumanWriter:
    """Shows the prompt to a person, who is told no more than a model would be."""

    def __init__(self, read: Callable[[Prompt], str]) -> None:
        self._read = read

    async def write(self, prompt: Prompt) -> str:
        """Return what the person wrote."""
        return self._read(prompt)
