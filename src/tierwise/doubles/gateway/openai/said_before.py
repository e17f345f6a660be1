"""What the assistant said, in a list of input: the vendor takes it without id and status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.asked import Endpoint

if TYPE_CHECKING:
    from collections.abc import Mapping

    Body = Mapping[str, Any]

_WITH_INPUT = (Endpoint.RESPONSES, Endpoint.COUNT_TOKENS)
_GIVEN = {"type": "message", "id": "msg_", "status": "completed"}
_PARTS = ("output_text", "refusal")


def complete(endpoint: Endpoint, body: Body) -> Body:
    """Return a body whose messages of the assistant have all that the SDK's type asks for.

    The type of such a message is that of an output, and the vendor's own examples leave out what
    an output has: a list of `output_text` under the role `assistant` is enough.
    """
    items = body.get("input")
    if endpoint not in _WITH_INPUT or not isinstance(items, list):
        return body
    if not any(_is_short(item) for item in items):
        return body
    return {**body, "input": [_GIVEN | item if _is_short(item) else item for item in items]}


def _is_short(item: Any) -> bool:  # noqa: ANN401  JSON
    if not isinstance(item, dict) or item.get("role") != "assistant":
        return False
    content = item.get("content")
    if not isinstance(content, list) or _GIVEN.keys() <= item.keys():
        return False
    return all(isinstance(part, dict) and part.get("type") in _PARTS for part in content)
