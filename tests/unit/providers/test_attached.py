"""The context audit reads all that is sent, not the turns alone."""

from __future__ import annotations

import asyncio

import pytest
from pydantic import BaseModel, Field

from tierwise.domain import Message, Verdict
from tierwise.leaks import Secret, audit_context
from tierwise.providers import Request, SchemaProvider, Tool

CODE = Secret("zx-7f3a-91", viewers=frozenset({"keeper"}))


class Telling(BaseModel):
    """An answer."""

    door: str = Field(description="opens with zx-7f3a-91")


class Silent(BaseModel):
    """An answer."""

    door: str


@pytest.mark.parametrize(
    ("tools", "schema", "verdict"),
    [
        ((Tool(name="open", description="opens zx-7f3a-91"),), None, Verdict.REFUTED),
        ((Tool(name="o", parameters={"enum": ["zx-7f3a-91"]}),), None, Verdict.REFUTED),
        ((), Telling, Verdict.REFUTED),
        ((Tool(name="open", description="opens a door"),), Silent, Verdict.PROVEN),
    ],
    ids=["description", "parameters", "schema", "clean"],
)
def test_a_secret_in_tools_or_schema_is_a_leak(
    tools: tuple[Tool, ...], schema: type[BaseModel] | None, verdict: Verdict
) -> None:
    """A tool's description and a field's reach the model as the prompt does."""
    provider = SchemaProvider()
    asked = Message(role="user", content="Open the door.")
    request = Request(messages=(asked,), tools=tools, schema=schema, viewer="tom")
    asyncio.run(provider.generate(request))
    assert audit_context(provider, [CODE]).verdict is verdict
