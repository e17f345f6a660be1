"""One provider as all trials of a run call it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic

from tierwise.evals.waiting import Waiting
from tierwise.providers.protocol import Answer, Failure, T

if TYPE_CHECKING:
    from tierwise.domain import Attempt, Source
    from tierwise.providers import Provider, Request


@dataclass(slots=True, kw_only=True)
class Course:
    """How a call goes: filled while it runs, so that a call that is cut off has its attempts."""

    waiting: Waiting = field(default_factory=Waiting)
    attempts: list[Attempt] = field(default_factory=list)
    cost_usd: float | None = None


# No slots: on a frozen generic with slots, `Called[Note](...)` raises TypeError (Python 3.11).
@dataclass(frozen=True, kw_only=True)
class Called(Generic[T]):
    """The reply to a call and what it took to get it."""

    reply: Answer[T] | Failure
    attempts: tuple[Attempt, ...] = ()
    cost_usd: float | None = None
    source: Source = "live"
    waited_s: float = 0.0


class Caller:
    """One provider as all trials of a run call it."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    @property
    def name(self) -> str:
        """The name of the provider that answers."""
        return self._provider.name

    @property
    def real(self) -> bool:
        """Does calling it reach a model?"""
        return self._provider.real

    async def call(
        self,
        request: Request[T],
        *,
        eval_id: str,  # noqa: ARG002  what a budget and a cache go by
        index: int,  # noqa: ARG002  what a cache goes by
        case_id: str = "",  # noqa: ARG002  what a cache goes by
        number: int = 0,  # noqa: ARG002  what a cache goes by
        seed: int | None = None,
        course: Course | None = None,
    ) -> Called[T]:
        """Ask the provider; `seed` is for a request that has none."""
        course = Course() if course is None else course
        if request.seed is None and seed is not None:
            request = replace(request, seed=seed)
        reply = await self._provider.generate(request)
        return Called(reply=reply, attempts=tuple(course.attempts), cost_usd=course.cost_usd)
