"""A wrapper that keeps each prompt and each reply of another provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.providers.log import CallLog

if TYPE_CHECKING:
    from tierwise.domain import Exchange
    from tierwise.providers.log import Call
    from tierwise.providers.protocol import Answer, Failure, Provider, Request, T


class RecordingProvider:
    """Passes calls through to `inner` unchanged and keeps a copy of each.

    Failures and exceptions are kept too, and a call counts from the moment it begins, so a
    prompt that is still being answered is already there. Safe under concurrent calls.
    """

    def __init__(self, inner: Provider) -> None:
        self.inner = inner
        self._log = CallLog()

    @property
    def name(self) -> str:
        """The name of the wrapped provider."""
        return self.inner.name

    @property
    def real(self) -> bool:
        """Does calling the wrapped provider reach a model?"""
        return self.inner.real

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls in the order in which they began."""
        return self._log.calls

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All calls as labelled exchanges, in the order in which they began."""
        return self._log.exchanges(self.name)

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Answer as the wrapped provider does."""
        return await self._log.keep(request, self.inner.generate)
