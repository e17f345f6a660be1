"""What was said between a program and a model, labelled with why and for whom."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  pydantic and readers resolve it at run time
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]
"""Who speaks in one turn of a conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A model's wish to have a tool called."""

    name: str
    arguments: Mapping[str, Any]
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens read and written by one call; never negative."""

    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """Return the sum of both."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One call of a provider as a recording keeps it: everything copied, nothing shared."""

    prompt: tuple[Message, ...]
    reply: str
    """The model's text; empty when there was none."""
    purpose: str = ""
    """Why the call was made: `intent`, `validator`, `judge` ..."""
    viewer: str | None = None
    """Who the prompt speaks for and who may therefore read it; None is the system itself."""
    data: Mapping[str, Any] | None = None
    failure: str | None = None
    """The failure's kind, or None after success."""
    provider: str = ""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    latency_s: float = 0.0
    attached: str = ""
    """What a model reads beside the prompt: the tools it was offered and the schema, as JSON."""

    @property
    def prompt_text(self) -> str:
        """Return all turns of the prompt as one text, a line break between turns."""
        return "\n".join(message.content for message in self.prompt)
