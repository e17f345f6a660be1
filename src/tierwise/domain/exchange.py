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
    """Tokens read and written by one call; never negative.

    The last two are parts of the first two, told apart because their price differs.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    """Of `input_tokens`: read from the vendor's prompt cache."""
    reasoning_tokens: int = 0
    """Of `output_tokens`: thought and not said."""

    @property
    def total_tokens(self) -> int:
        """Return the sum of both."""
        return self.input_tokens + self.output_tokens


Source = Literal["live", "cache", "made_up"]
"""Where a reply came from: a provider that was called, an answer kept from before, or nowhere.

A made-up reply follows a schema and is about nothing, as in a dry run.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt of a call: how it ended, and what it cost in time."""

    failure: str | None = None
    """The failure's kind; None when it was answered."""
    message: str = ""
    latency_s: float = 0.0
    retry_after_s: float | None = None
    """How long the vendor asked to be left alone."""
    waited_s: float = 0.0
    """How long this attempt was held back: by a rate limit, or after the one before it."""


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
    """Of the attempt that ended the call; waiting is not in it."""
    attempts: tuple[Attempt, ...] = ()
    """All attempts in order, the last included; empty when nobody counted them."""
    source: Source = "live"
    cost_usd: float | None = None
    """What all attempts cost; None where no price is known."""
    attached: str = ""
    """What a model reads beside the prompt: the tools it was offered and the schema, as JSON."""
    tool_calls: tuple[ToolCall, ...] = ()
    """What the reply asks to have called, in the model's order."""

    @property
    def prompt_text(self) -> str:
        """Return all turns of the prompt as one text, a line break between turns."""
        return "\n".join(message.content for message in self.prompt)
