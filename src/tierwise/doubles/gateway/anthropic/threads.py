"""Threads: conversations that the vendor holds, so that a turn brings only what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.saying import Ground, Refusal
from tierwise.doubles.gateway.vendor import RequestRule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.anthropic.rule import Body

THREAD_KNOWN = RequestRule(
    name="thread-known",
    ground=Ground.TYPED,
    says="A thread goes on from a message that began or continued one.",
    status=404,
)
THREAD_ONCE = RequestRule(
    name="thread-once", ground=Ground.TYPED, says="Each message of a thread is gone on from once."
)
THREAD_RULES = (THREAD_KNOWN, THREAD_ONCE)
_KEPT = ("system", "tools")
"""What a thread was begun with, and no later turn brings again."""


class Threads:
    """The conversations that are held, each under the id of its latest message."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, Any]] = {}
        self._continued: set[str] = set()

    def restore(self, body: Body) -> Body | Refusal:
        """Return a body with all that was said before in its thread, or why there is none."""
        before = _find_previous(body)
        if before is None:
            return body
        if before in self._continued:
            return Refusal(
                status=THREAD_ONCE.status,
                message=f"thread: {before} has already been continued",
                code="thread_already_continued",
                rule=THREAD_ONCE.name,
                ground=THREAD_ONCE.ground,
            )
        held = self._held.get(before)
        if held is None:
            return Refusal(
                status=THREAD_KNOWN.status,
                message=f"thread: no thread was found for {before}",
                code="thread_not_found",
                rule=THREAD_KNOWN.name,
                ground=THREAD_KNOWN.ground,
            )
        kept = {name: held[name] for name in _KEPT if name in held}
        return {**body, **kept, "messages": [*held["messages"], *body["messages"]]}

    def hold(self, body: Body, message: Mapping[str, Any]) -> None:
        """Hold a conversation with the message that answered it, if its client wants that."""
        if not body.get("thread"):
            return
        before = _find_previous(body)
        if before is not None:
            self._continued.add(before)
        self._continued.discard(message["id"])
        turn = {"role": "assistant", "content": message["content"]}
        self._held[message["id"]] = {**body, "messages": [*body["messages"], turn]}


def _find_previous(body: Body) -> str | None:
    found: str | None = (body.get("thread") or {}).get("previous_message_id")
    return found
