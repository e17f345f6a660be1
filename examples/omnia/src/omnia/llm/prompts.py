"""One way to ask a model: a prompt, labelled with why and for whom."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from tierwise.domain import Message
from tierwise.providers import Answer, Failure, FailureKind, Request

if TYPE_CHECKING:
    from tierwise.providers import Provider

M = TypeVar("M", bound=BaseModel)


class Purpose(StrEnum):
    """Why a model is asked; scripts and audits go by it."""

    ACTOR = "actor"
    INTENT = "intent"
    VALIDATOR = "validator"
    DELTA = "delta"
    ALIAS = "alias"
    HANDOFF = "handoff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a model is told, and who may therefore read it: `viewer` None is the system alone."""

    system: str
    user: str
    viewer: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How freely and how long a model may answer."""

    temperature: float = 0.7
    max_tokens: int | None = None
    seed: int | None = None


def form_request(
    prompt: Prompt,
    schema: type[M],
    *,
    purpose: Purpose,
    sampling: Sampling | None = None,
) -> Request[M]:
    """Return the prompt as a provider takes it, with its labels."""
    how = sampling or Sampling()
    return Request(
        messages=(
            Message(role="system", content=prompt.system),
            Message(role="user", content=prompt.user),
        ),
        schema=schema,
        temperature=how.temperature,
        max_tokens=how.max_tokens,
        seed=how.seed,
        purpose=purpose,
        viewer=prompt.viewer,
    )


async def ask(
    provider: Provider,
    prompt: Prompt,
    schema: type[M],
    *,
    purpose: Purpose,
    sampling: Sampling | None = None,
) -> M | Failure:
    """Return the model's answer as the schema says, or the failure; never half of each.

    An answer that says success and brings no data is a failure here, whoever sent it.
    """
    reply = await provider.generate(
        form_request(prompt, schema, purpose=purpose, sampling=sampling)
    )
    if isinstance(reply, Failure):
        return reply
    return reply.data if reply.data is not None else _half_an_answer(reply)


def _half_an_answer(reply: Answer[M]) -> Failure:
    return Failure(
        kind=FailureKind.SCHEMA_MISMATCH,
        message="the provider said success and brought no data",
        text=reply.text,
        usage=reply.usage,
        model=reply.model,
    )
