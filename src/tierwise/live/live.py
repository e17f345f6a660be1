"""What the `live` fixture hands to a test: walking and seeing, with notes for the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tierwise.live.secret import RequireSecret
from tierwise.live.seeing import see
from tierwise.live.table import VerdictTable
from tierwise.live.walking import Walk, WalkLimits, walk, walk_async

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from tierwise.live.signature import Signature

R = TypeVar("R")
A = TypeVar("A")


class Live:
    """Walks candidates and judges answers for one test; `notes` say what was used."""

    def __init__(self, *, rotation: int = 0, table: VerdictTable | None = None) -> None:
        self.rotation = rotation
        self.table = table or VerdictTable.known()
        self.limits = WalkLimits()
        self.notes: list[str] = []

    def know(self, *signatures: Signature) -> None:
        """Try signatures of one's own before the known ones of their kind."""
        self.table = self.table.extended(*signatures)

    def walk(
        self,
        candidates: Mapping[str, R],
        probe: Callable[[R], A],
        *,
        limits: WalkLimits | None = None,
    ) -> Walk[R, A]:
        """Do as `tierwise.live.walk` does, beginning where this run's rotation falls."""
        __tracebackhide__ = True
        return self._note(
            walk(
                candidates,
                probe,
                rotation=self.rotation,
                limits=limits or self.limits,
                table=self.table,
            )
        )

    async def walk_async(
        self,
        candidates: Mapping[str, R],
        probe: Callable[[R], Awaitable[A]],
        *,
        limits: WalkLimits | None = None,
    ) -> Walk[R, A]:
        """Do as `walk` does, with a probe that is awaited."""
        __tracebackhide__ = True
        return self._note(
            await walk_async(
                candidates,
                probe,
                rotation=self.rotation,
                limits=limits or self.limits,
                table=self.table,
            )
        )

    def see(self, answer: A, *, sent_key: bool | None = None) -> A:
        """Return the answer if its subject is usable, as `tierwise.live.see` does."""
        __tracebackhide__ = True
        return see(answer, table=self.table, sent_key=sent_key)

    def secret(self, name: str) -> str:
        """Return a secret, as `RequireSecret(name).get()` does."""
        __tracebackhide__ = True
        return RequireSecret(name).get()

    def _note(self, found: Walk[R, A]) -> Walk[R, A]:
        self.notes.append(str(found))
        return found
