"""What the bodies that come back have in common, and those that go out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.domain import Message

_MOST_TOKENS = 10**12
"""No call reads or writes more; a larger number is a fault of the server's."""


def decode(body: bytes) -> Any:  # noqa: ANN401  JSON
    """Return a body as the JSON that it is, or None for what is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def count(found: Any, name: str) -> int:  # noqa: ANN401  JSON
    """Return a number of tokens; 0 for what was not counted, or can't be a number of them."""
    value = found.get(name) if isinstance(found, dict) else None
    if isinstance(value, int) and 0 < value <= _MOST_TOKENS and value is not True:
        return value
    return 0


def text_or_empty(value: Any) -> str:  # noqa: ANN401  JSON
    """Return a text, and an empty one for all else."""
    return value if isinstance(value, str) else ""


def split_system(messages: Sequence[Message]) -> tuple[Sequence[Message], Sequence[Message]]:
    """Return what the system says at the start, and all that follows."""
    n = next((n for n, one in enumerate(messages) if one.role != "system"), len(messages))
    return messages[:n], messages[n:]
