"""Talk to a model: one protocol, many implementations."""

from tierwise.providers.protocol import (
    Answer as Answer,
    Failure as Failure,
    FailureKind as FailureKind,
    Provider as Provider,
    Reply as Reply,
    Request as Request,
    Tool as Tool,
)

__all__ = [
    "Answer",
    "Failure",
    "FailureKind",
    "Provider",
    "Reply",
    "Request",
    "Tool",
]
