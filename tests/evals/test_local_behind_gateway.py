"""A real small model behind a vendor's protocol: any client of the vendor's can call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openai import OpenAI
from pydantic import BaseModel

from tierwise.providers import LocalProvider

if TYPE_CHECKING:
    from tierwise.gateway import Gateway


class City(BaseModel):
    name: str
    people: int


def test_a_local_model_answers_a_vendor_s_client(gateway: Gateway) -> None:
    """The schema is enforced while the model writes; a stream and the token limit reach it."""
    provider = LocalProvider()
    gateway.when().provider(provider)
    client = OpenAI(max_retries=0)
    parsed = client.chat.completions.parse(
        model="gpt-4o",
        messages=[{"role": "user", "content": "Name a city and how many people live there."}],
        response_format=City,
        max_tokens=128,
    )
    assert isinstance(parsed.choices[0].message.parsed, City)
    stream = client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "user", "content": "Tell a long story."}],
        max_tokens=8,
        stream=True,
    )
    choices = [chunk.choices[0] for chunk in stream if chunk.choices]
    assert "".join(choice.delta.content or "" for choice in choices)
    assert choices[-1].finish_reason == "length"
    provider.close()
