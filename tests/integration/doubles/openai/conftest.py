"""Clients of the SDK that accept nothing but what its types say, and never retry."""

from typing import Any

import pytest
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel

KEY = "sk-test-0123456789"
ASK: list[Any] = [{"role": "user", "content": "Where is the harbour?"}]
WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a place",
        "parameters": {
            "type": "object",
            "properties": {"place": {"type": "string"}},
            "required": ["place"],
            "additionalProperties": False,
        },
        "strict": True,
    },
}


class Place(BaseModel):
    """What a parsed answer is."""

    name: str
    depth: int


@pytest.fixture(scope="session")
def client() -> OpenAI:
    """Return a client that validates strictly; it was made before any gateway."""
    return OpenAI(api_key=KEY, max_retries=0, _strict_response_validation=True)


@pytest.fixture(scope="session")
def async_client() -> AsyncOpenAI:
    """Return the same for event loops."""
    return AsyncOpenAI(api_key=KEY, max_retries=0, _strict_response_validation=True)


@pytest.fixture(scope="session")
def ask() -> list[Any]:
    """Return a conversation of one turn."""
    return ASK


@pytest.fixture(scope="session")
def weather() -> Any:
    """Return a strict tool."""
    return WEATHER


@pytest.fixture(scope="session")
def place() -> type[Place]:
    """Return a schema."""
    return Place


@pytest.fixture(scope="session")
def lenient() -> OpenAI:
    """Return a client as users have it: the SDK's strict one refuses the base64 it asks for."""
    return OpenAI(api_key=KEY, max_retries=0)
