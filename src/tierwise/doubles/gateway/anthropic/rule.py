"""A rule about bodies: what it rests on, and how a body that breaks it is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.saying import Ground

if TYPE_CHECKING:
    from tierwise.doubles.gateway.vendor import RequestRule

Body = Mapping[str, Any]
Block = Mapping[str, Any]

DOCUMENTED, OBSERVED, TYPED = Ground.DOCUMENTED, Ground.OBSERVED, Ground.TYPED
OLDER = ("-4-5", "-4-1", "-4-0", "-4-2", "-3-")
"""Parts of the names of models up to 4.5."""
NEWEST = "2026-10-21"
"""The version of the API that takes sampling parameters no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyRule:
    """A rule, and the function that returns the vendor's message for a body that breaks it."""

    rule: RequestRule
    find: Callable[[Body], str | None]
    needs: str = ""
    """A field without which no body breaks it, or `blocks` for content that is no plain text."""
    versions: frozenset[str] = frozenset()
    """The versions of the API that have this rule; empty for all of them."""
    unless: str = ""
    """What the name of a beta begins with that lifts this rule."""


def list_blocks(message: Mapping[str, Any]) -> list[Block]:
    """Return the blocks of one message; a text is one block."""
    content = message.get("content", "")  # a turn of the system may hold settings alone
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(content)


def each_block(body: Body, role: str | None = None) -> Iterator[tuple[str, Block]]:
    """Yield each block of the messages with its place, of one role or of all."""
    for number, message in enumerate(body["messages"]):
        if role in {None, message["role"]}:
            content = message.get("content", "")
            for index, block in enumerate(() if isinstance(content, str) else content):
                yield f"messages.{number}.content.{index}", block


def list_last_of_assistant(body: Body) -> list[Block] | None:
    """Return the blocks of a last turn of the assistant's, or None where another turn is last."""
    messages = body["messages"]
    if not messages or messages[-1]["role"] != "assistant":
        return None
    return list_blocks(messages[-1])


def each_tool(body: Body) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield each tool of the client's own with its number."""
    for number, tool in enumerate(body.get("tools", ())):
        if tool.get("type") in {None, "custom"}:
            yield number, tool


def thinks(body: Body) -> str | None:
    """Return how thinking is switched on, `enabled` or `adaptive`, or None."""
    kind = body.get("thinking", {}).get("type")
    return kind if kind in {"enabled", "adaptive"} else None
