"""What a client asked of a vendor, in words that are the same for all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain import ToolCall
    from tierwise.doubles.gateway.wire import HttpRequest
    from tierwise.providers import Tool


class Endpoint(StrEnum):
    """What kind of thing is asked for."""

    CHAT = "chat"
    """OpenAI's chat completions."""
    RESPONSES = "responses"
    """OpenAI's responses."""
    MESSAGES = "messages"
    """Anthropic's messages."""
    GENERATE = "generate"
    """Gemini's generateContent and streamGenerateContent."""
    EMBED = "embed"
    COUNT_TOKENS = "count_tokens"
    MODELS = "models"

    @property
    def is_generation(self) -> bool:
        """True where a model is to say something: what the rules of a scenario answer."""
        return self in _GENERATION


_GENERATION = frozenset({Endpoint.CHAT, Endpoint.RESPONSES, Endpoint.MESSAGES, Endpoint.GENERATE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of the conversation that was sent; `role` is one of the domain's roles."""

    role: str
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    """What the model had asked to have called, in a turn of the assistant."""
    tool_name: str = ""
    """Whose result this is, where the vendor or an earlier turn tells it."""
    tool_call_id: str = ""
    media: tuple[str, ...] = ()
    """The kind of each part that is no text: `image/png`, `audio/wav`, `application/pdf`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request that the vendor would serve: read, validated, and in neutral words."""

    vendor: str
    endpoint: Endpoint
    model: str
    http: HttpRequest
    turns: tuple[Turn, ...] = ()
    tools: tuple[Tool, ...] = ()
    must_call: str | None = None
    """A tool that has to be called: its name, or `*` for any; None leaves it to the model."""
    schema: Mapping[str, Any] | None = None
    """The JSON schema that the answer has to keep, or None."""
    wants_json: bool = False
    """Any JSON object is asked for, without a schema."""
    stream: bool = False
    n: int = 1
    max_tokens: int | None = None
    texts: tuple[str, ...] = ()
    """What is to be embedded."""
    dimensions: int | None = None
    is_held: bool = False
    """The vendor holds the conversation: the same request is not the same the next time."""
    body: Mapping[str, Any] = field(default_factory=dict)
    """The decoded body; nothing in it may be changed."""

    @property
    def system(self) -> str:
        """Return what the system said, turns joined by line breaks."""
        return "\n".join(turn.text for turn in self.turns if turn.role == "system")

    @property
    def last_user(self) -> str:
        """Return the text of the last turn of the user; empty when there is none."""
        for turn in reversed(self.turns):
            if turn.role == "user":
                return turn.text
        return ""

    @property
    def text(self) -> str:
        """Return the text of all turns, a line break between turns."""
        return "\n".join(turn.text for turn in self.turns)
