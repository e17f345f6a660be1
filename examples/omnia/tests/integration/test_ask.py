from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from omnia.actor import Prose
from omnia.llm import Prompt, Purpose, Sampling, ask

from tierwise.domain import Usage
from tierwise.providers import Answer, Failure, FailureKind, MockProvider, Request

if TYPE_CHECKING:
    from tierwise.providers.protocol import T

MakeMock = Callable[..., MockProvider]
PROMPT = Prompt(system="be brief", user="hello", viewer="ent-mira")


def test_a_prompt_is_sent_with_its_labels_and_sampling(mock_provider: MakeMock) -> None:
    """Two turns, the schema, why and for whom, and how freely to answer."""
    provider = mock_provider([{"prose": "hm"}])
    how = Sampling(temperature=0.25, max_tokens=7, seed=3)
    reply = asyncio.run(ask(provider, PROMPT, Prose, purpose=Purpose.ACTOR, sampling=how))
    assert reply == Prose(prose="hm")
    (call,) = provider.calls
    assert [(m.role, m.content) for m in call.request.messages] == [
        ("system", "be brief"),
        ("user", "hello"),
    ]
    assert (call.request.purpose, call.request.viewer) == ("actor", "ent-mira")
    assert (call.request.temperature, call.request.max_tokens, call.request.seed) == (0.25, 7, 3)


def test_what_the_model_does_wrong_is_returned(mock_provider: MakeMock) -> None:
    """Malformed text and a broken schema are failures with their text, never exceptions."""
    provider = mock_provider(["no json", {"prose": ""}])
    for kind in (FailureKind.MALFORMED, FailureKind.SCHEMA_MISMATCH):
        reply = asyncio.run(ask(provider, PROMPT, Prose, purpose=Purpose.ACTOR))
        assert isinstance(reply, Failure)
        assert reply.kind is kind


class SaysSuccess:
    """A provider that reports success and brings no data."""

    name = "says-success"
    real = False

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Return half an answer."""
        return Answer(text="oops", data=None, usage=Usage(), model="m")


def test_success_without_data_is_a_failure_here() -> None:
    """Whoever sends half an answer, nobody in Omnia takes it for a whole one."""
    reply = asyncio.run(ask(SaysSuccess(), PROMPT, Prose, purpose=Purpose.ACTOR))
    assert isinstance(reply, Failure)
    assert reply.kind is FailureKind.SCHEMA_MISMATCH
    assert reply.text == "oops"
