"""Pact files of version 4: consumer-driven contracts over HTTP."""

from tierwise.contracts.pact.files import (
    Pact as Pact,
    PactInteraction as PactInteraction,
    PactRequest as PactRequest,
    PactResponse as PactResponse,
    read_pact as read_pact,
    write_pact as write_pact,
)
from tierwise.contracts.pact.sides import (
    PactDouble as PactDouble,
    ask_at as ask_at,
    verify_pact as verify_pact,
)

__all__ = [
    "Pact",
    "PactDouble",
    "PactInteraction",
    "PactRequest",
    "PactResponse",
    "ask_at",
    "read_pact",
    "verify_pact",
    "write_pact",
]
