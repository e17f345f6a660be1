"""One protocol to talk to a model; misbehaviour of a model is returned, never raised."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

from tierwise.domain import Message, Outcome, ToolCall, Usage
from tierwise.domain.exchange import Source  # noqa: TC001  part of a public value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

    T = TypeVar("T", bound=BaseModel)
else:
    T = TypeVar("T")


class FailureKind(StrEnum):
    """Why a call gave no valid answer."""

    MALFORMED = "malformed"
    """The model's text is not the JSON that was asked for."""
    SCHEMA_MISMATCH = "schema_mismatch"
    REFUSED = "refused"
    CUT_OFF = "cut_off"
    GARBLED = "garbled"
    """The body of the response is no JSON at all: the wire's fault, not the model's."""
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    BUSY = "busy"
    RETIRED = "retired"
    NO_ENTITLEMENT = "no_entitlement"
    NOT_FOUND = "not_found"
    AUTH = "auth"
    BAD_REQUEST = "bad_request"
    EXHAUSTED = "exhausted"
    """A script has no answer left, or no rule for this request."""

    @property
    def is_scored(self) -> bool:
        """True when the model itself did this: the text is kept and scored."""
        return self in _MODEL_S_OWN

    @property
    def is_retried(self) -> bool:
        """True when another attempt may succeed."""
        return self in _RETRIED

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of a trial that ends in this failure; None when the text is scored."""
        if self.is_scored:
            return None
        return Outcome.UNOBSERVABLE if self in _UNOBSERVABLE else Outcome.ERROR


_MODEL_S_OWN = frozenset(
    {
        FailureKind.MALFORMED,
        FailureKind.SCHEMA_MISMATCH,
        FailureKind.REFUSED,
        FailureKind.CUT_OFF,
    }
)
_RETRIED = frozenset(
    {FailureKind.GARBLED, FailureKind.TIMEOUT, FailureKind.UNAVAILABLE, FailureKind.BUSY}
)
_UNOBSERVABLE = frozenset(
    {
        FailureKind.BUSY,
        FailureKind.RETIRED,
        FailureKind.NO_ENTITLEMENT,
        FailureKind.NOT_FOUND,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool that the model may ask for; `parameters` is a JSON schema."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


# No slots: on a frozen generic with slots, `Request[Note](...)` raises TypeError (Python 3.11).
@dataclass(frozen=True, kw_only=True)
class Request(Generic[T]):
    """What is asked of a model, with two labels (`purpose`, `viewer`) that never reach it."""

    messages: tuple[Message, ...]
    schema: type[T] | None = None
    tools: tuple[Tool, ...] = ()
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    purpose: str = ""
    viewer: str | None = None

    @property
    def prompt_text(self) -> str:
        """Return all turns as one text, a line break between turns."""
        return "\n".join(message.content for message in self.messages)


# No slots: on a frozen generic with slots, `Answer[Note](...)` raises TypeError (Python 3.11).
@dataclass(frozen=True, kw_only=True)
class Answer(Generic[T]):
    """A valid reply: `data` is an instance of the schema exactly when one was asked for."""

    text: str
    data: T | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    latency_s: float = 0.0
    source: Source = "live"
    """A reply from a cache brings the usage and the latency of the call that it came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """No valid reply. `text` keeps what the model said, if it said anything."""

    kind: FailureKind
    message: str
    text: str = ""
    retry_after_s: float | None = None
    attempts: int = 1
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    latency_s: float = 0.0
    source: Source = "live"

    @property
    def retryable(self) -> bool:
        """True when another attempt may succeed."""
        return self.kind.is_retried


Reply = Answer[T] | Failure
"""What a provider returns: success with data, or a failure; never both."""


@runtime_checkable
class Provider(Protocol):
    """Something that answers requests as a model does."""

    @property
    def name(self) -> str:
        """Who answers, for tables and errors."""
        ...

    @property
    def real(self) -> bool:
        """Does calling it reach a model?"""
        ...

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Answer the request; return a `Failure` for whatever the model does wrong."""
        ...
