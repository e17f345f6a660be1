"""A turn of a conversation as chat completions write it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tierwise.domain import Message


def form_message(message: Message) -> dict[str, Any]:
    """Return a turn of a conversation as chat completions write it."""
    formed: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_call_id is not None:
        formed["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        formed["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments))},
            }
            for call in message.tool_calls
        ]
    return formed
