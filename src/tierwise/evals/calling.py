"""One provider as all trials of a run call it: limited, retried, paid for, perhaps cached."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic

from tierwise.errors import EvalUsageError
from tierwise.evals.attempting import Attempter
from tierwise.evals.budget import BudgetReached
from tierwise.evals.holding import HeldCalls
from tierwise.evals.paying import Payer
from tierwise.evals.retrying import Again, RetryPolicy, decide_retry
from tierwise.evals.waiting import Waiting, pause
from tierwise.providers.log import Attachments
from tierwise.providers.protocol import Answer, Failure, T
from tierwise.providers.spec import identify_provider, is_kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.domain import Attempt, Source
    from tierwise.evals.caching import ReplyCache
    from tierwise.evals.limiting import Limiter
    from tierwise.evals.pricing import PriceList
    from tierwise.evals.purse import Purse
    from tierwise.providers import Provider, Request

_MOST_OTHERS = 64


@dataclass(slots=True, kw_only=True)
class Course:
    """How one call goes: filled while it runs, so that a call that is cut off has its attempts."""

    eval_id: str = ""
    waiting: Waiting = field(default_factory=Waiting)
    attempts: list[Attempt] = field(default_factory=list)
    cost_usd: float | None = 0.0
    """What the attempts so far have cost; None from the first of which nobody knows it."""
    held_s: float = 0.0
    """For how long the vendor has held the call back, by Retry-After and by backoff."""


# No slots: on a frozen generic with slots, `Called[Note](...)` raises TypeError (Python 3.11).
@dataclass(frozen=True, kw_only=True)
class Called(Generic[T]):
    """The reply to a call and what it took to get it."""

    reply: Answer[T] | Failure
    attempts: tuple[Attempt, ...] = ()
    cost_usd: float | None = None
    waited_s: float = 0.0
    """For how long limits, the vendor, the budget and backoff held it back."""

    @property
    def source(self) -> Source:
        """Return where the reply came from."""
        return self.reply.source


class Caller:
    """One provider as all trials of a run call it: limited, retried, paid for, perhaps cached.

    Without options it asks once and adds next to nothing. `identity` tells the provider from all
    others where replies are cached; it is the provider's name unless said.
    """

    def __init__(  # noqa: PLR0913  each is a concern of its own, and off by default
        self,
        provider: Provider,
        *,
        limiter: Limiter | None = None,
        retry: RetryPolicy | None = None,
        purse: Purse | None = None,
        prices: PriceList | None = None,
        cache: ReplyCache | None = None,
        identity: str = "",
        call_timeout_s: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._provider = provider
        self._limiter = limiter
        self._shared: dict[str, Any] = {
            "retry": retry,
            "purse": purse,
            "prices": prices,
            "cache": cache,
            "call_timeout_s": call_timeout_s,
            "clock": clock,
            "chance": chance,
        }
        self._others: dict[int, Caller] = {}
        self._retry = RetryPolicy(retries=0) if retry is None else retry
        self._purse = purse
        self._cache = cache
        self._identity = identity or provider.name
        self._chance = chance
        self._held = HeldCalls(provider.name, clock=clock)
        self._attempter = Attempter(
            provider,
            limiter=limiter,
            payer=Payer(provider, purse=purse, prices=prices),
            call_timeout_s=call_timeout_s,
            clock=clock,
            total_wait_s=self._retry.total_wait_s,
            held=self._held,
        )
        self.clock = clock
        self.attachments = Attachments()

    @property
    def name(self) -> str:
        """The name of the provider that answers."""
        return self._provider.name

    @property
    def real(self) -> bool:
        """Does calling it reach a model?"""
        return self._provider.real

    def say_held(self) -> tuple[str, ...]:
        """Return what calls wait for, a line a provider: this one and those asked beside it."""
        callers = (self, *self._others.values())
        return tuple(said for caller in callers if (said := caller._held.say()))  # noqa: SLF001  of the same class

    def beside(self, provider: Provider) -> Caller:
        """Return the caller of another provider in the same run, such as a judge's: one for each.

        Budget, prices, retries and cache are shared; its limiter is its own. In a dry run others
        are not asked either: their answers are made up like all.
        """
        if provider is self._provider or is_kind(self._provider, "schema"):
            return self
        found = self._others.get(id(provider))
        if found is None:
            if len(self._others) == _MOST_OTHERS:
                raise EvalUsageError(
                    f"More than {_MOST_OTHERS} providers like {provider.name!r} were asked beside "
                    f"{self.name!r}: make a judge's provider once, outside of the eval's body, so "
                    "that its limits hold for all trials."
                )
            found = Caller(
                provider,
                limiter=None
                if self._limiter is None
                else self._limiter.make_another(provider.name),
                identity=identify_provider(provider, None),
                **self._shared,
            )
            found._others = self._others
            self._others[id(provider)] = found
        return found

    async def call(
        self,
        request: Request[T],
        *,
        eval_id: str,
        index: int,
        case_id: str = "",
        number: int = 0,
        seed: int | None = None,
        course: Course | None = None,
    ) -> Called[T]:
        """Return the reply and what it took to get it.

        `index` is that of the trial and `number` that of the call in it. A request without a seed
        is sent with `seed`, which is no part of what a cached reply is found by: a trial keeps its
        replies when the eval's code changes what its seeds are. Raises `BudgetReached` when no
        further attempt is covered.
        """
        key = ""
        if self._cache is not None:
            namespace = (eval_id, case_id, index, number)
            key = self._cache.key(request, identity=self._identity, namespace=namespace)
            kept = self._cache.find(key, request)
            if kept is not None:
                return Called(reply=kept, cost_usd=0.0)
        course = Course(waiting=Waiting(self.clock)) if course is None else course
        course.eval_id = eval_id
        sent = request if seed is None or request.seed is not None else replace(request, seed=seed)
        try:
            reply = await self._ask_until_settled(sent, course)
        except BudgetReached as stop:
            raise _name_last_failure(stop, course) from None
        if self._cache is not None and (isinstance(reply, Answer) or reply.kind.is_scored):
            self._cache.keep(key, request, reply)
        return Called(
            reply=reply,
            attempts=tuple(course.attempts),
            cost_usd=course.cost_usd,
            waited_s=sum(attempt.waited_s for attempt in course.attempts),
        )

    async def _ask_until_settled(self, request: Request[T], course: Course) -> Answer[T] | Failure:
        began = self.clock()
        while True:
            n_before = len(course.attempts)
            reply = await self._attempter.attempt(request, course, began=began)
            n_attempts = len(course.attempts)
            if isinstance(reply, Answer):
                return reply
            if n_attempts == n_before:  # the vendor's rest is too long to ask again, or at all
                return _final(reply, n_attempts)
            decided = decide_retry(
                self._retry,
                reply,
                n_attempts=n_attempts,
                held_s=course.held_s,
                chance=self._chance,
            )
            if not isinstance(decided, Again):
                return _final(reply, n_attempts, decided.reason)
            if self._attempter.silence:
                return _final(reply, n_attempts, f"given up: {self._attempter.silence}")
            began = self.clock()
            with self._held.holding(decided.wait_s, f"{reply.kind}: {reply.message}"):
                await self._hold_back(decided.wait_s, course)

    async def _hold_back(self, seconds: float, course: Course) -> None:
        if self._purse is not None:
            self._purse.check_wait(course.eval_id, seconds)
        course.held_s += seconds
        with course.waiting.counted():
            await pause(seconds)


def _name_last_failure(stop: BudgetReached, course: Course) -> BudgetReached:
    # A budget that was spent on a vendor that does not answer is no reason to raise it.
    last = course.attempts[-1] if course.attempts else None
    if last is None or last.failure is None:
        return stop
    return BudgetReached(f"{stop}; the attempt before ended in {last.failure}: {last.message}")


def _final(failure: Failure, n_attempts: int, reason: str = "") -> Failure:
    if n_attempts == failure.attempts and not reason:
        return failure
    message = f"{failure.message} ({reason})" if reason else failure.message
    return replace(failure, attempts=n_attempts, message=message)
