"""The declared tokenizer of the doubles, so that arithmetic on usage can be asserted."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tierwise.domain import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.domain import ToolCall
    from tierwise.providers.protocol import Request

_TOKEN = re.compile(r"\w+|[^\w\s]")


def count_tokens(text: str) -> int:
    """Count runs of word characters, and each other visible character, as one token.

    This is the doubles' rule and no vendor's: `count_tokens("Hello, world!")` is 4.
    """
    return len(_TOKEN.findall(text))


def count_usage(request: Request[Any], text: str, tool_calls: Iterable[ToolCall] = ()) -> Usage:
    """Return the tokens of all messages as input, of the text and the tool calls as output."""
    wishes = sum(
        count_tokens(f"{call.name} {json.dumps(dict(call.arguments), default=str)}")
        for call in tool_calls
    )
    return Usage(
        input_tokens=sum(count_tokens(message.content) for message in request.messages),
        output_tokens=count_tokens(text) + wishes,
    )
