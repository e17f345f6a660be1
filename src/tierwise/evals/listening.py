"""The provider that one trial talks to: seeded, recorded, its failures remembered."""

from __future__ import annotations

import hashlib
import itertools
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tierwise.evals.budget import BudgetReached
from tierwise.evals.calling import Course
from tierwise.evals.waiting import Waiting
from tierwise.providers import Answer, Failure, FailureKind
from tierwise.providers.log import (
    Call,
    copy_request,
    copy_tool_calls,
    form_exchange,
    name_error,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

    from tierwise.domain import Exchange
    from tierwise.evals.calling import Caller
    from tierwise.providers import Provider, Request
    from tierwise.providers.protocol import T

_GIVEN_UP = Failure(
    kind=FailureKind.TIMEOUT, message="the call was given up before it was answered"
)
_SEEDS = 2**31  # what every provider takes, llama.cpp's 32 bits included


class TrialProvider:
    """Passes calls on and gives those without a seed one that follows from the trial's.

    The calls of a trial are numbered in the order in which they begin, so that two of them differ
    and a rerun repeats both.
    """

    def __init__(
        self, caller: Caller, *, seed: int, eval_id: str, index: int, case_id: str = ""
    ) -> None:
        self._caller = caller
        self._seed = seed
        self._eval_id = eval_id
        self._index = index
        self._case_id = case_id
        self._numbers = itertools.count()
        self._calls: list[_Call] = []
        self._open: dict[int, Failure] = {}
        """By number: the calls without an answer, those under way included."""
        self._failed: dict[Hashable, deque[int]] = {}
        """By what was asked: the calls that failed and that nobody asked again."""
        self._waiting = Waiting(caller.clock)
        self._stopped_by: BudgetReached | None = None

    @property
    def name(self) -> str:
        """The name of the provider that answers."""
        return self._caller.name

    @property
    def real(self) -> bool:
        """Does calling it reach a model?"""
        return self._caller.real

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was said in this trial so far, copied."""
        return tuple(call.exchange or call.form(None) for call in tuple(self._calls))

    @property
    def waited_s(self) -> float:
        """Seconds for which limits and retries held the trial back, a wait under way included.

        The trial's time-out leaves them out.
        """
        return self._waiting.waited_s

    @property
    def stopped_by(self) -> BudgetReached | None:
        """The budget that let no further call be made, whatever the body made of that."""
        return self._stopped_by

    @property
    def open_failure(self) -> Failure | None:
        """The failure of a request that was never answered, if there is one.

        Asking the same again and getting an answer settles one such failure: only a call that
        began after the failed one had ended is asking again. A call that raised or was cancelled,
        as by a time-out of the app's own, was not answered either. One that is not the model's
        own doing comes first.
        """
        failures = sorted(self._open.values(), key=lambda each: each.kind.outcome is None)
        return failures[0] if failures else None

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Answer as the provider does."""
        return await self._ask(self._caller, request)

    def beside(self, provider: Provider) -> Provider:
        """Return another provider, such as a judge's, whose calls are part of this trial too."""
        return _Beside(self._caller.beside(provider), self._ask)

    async def _ask(self, caller: Caller, request: Request[T]) -> Answer[T] | Failure:
        number = next(self._numbers)
        call = _Call(caller, request, Course(waiting=self._waiting))
        self._calls.append(call)
        asked = (id(caller), _what_was_asked(request))
        self._begin(number, asked)
        try:
            reply = await self._call(caller, request, number, call.course)
        except BaseException as error:
            call.end(None, raised=name_error(error))
            if isinstance(error, Exception):
                said = f"the provider raised {type(error).__name__}: {error}"
                self._open[number] = Failure(kind=FailureKind.UNAVAILABLE, message=said)
            elif isinstance(error, BudgetReached):
                self._stopped_by = error
            self._failed.setdefault(asked, deque()).append(number)
            raise
        call.end(reply)
        if isinstance(reply, Failure):
            self._open[number] = reply
            self._failed.setdefault(asked, deque()).append(number)
        else:
            self._open.pop(number, None)
        return reply

    def _begin(self, number: int, asked: Hashable) -> None:
        """Open a call; it stands in for one that asked the same and had failed before.

        Samples of one prompt that are under way at once do not settle each other.
        """
        if failed := self._failed.get(asked):
            self._open.pop(failed.popleft(), None)
        self._open[number] = _GIVEN_UP

    async def _call(
        self, caller: Caller, request: Request[T], number: int, course: Course
    ) -> Answer[T] | Failure:
        called = await caller.call(
            request,
            eval_id=self._eval_id,
            case_id=self._case_id,
            index=self._index,
            number=number,
            seed=None if request.seed is not None else derive_seed(self._seed, number),
            course=course,
        )
        return called.reply


class _Beside:
    """Another provider that a trial talks to, by a caller of its own."""

    def __init__(
        self,
        caller: Caller,
        ask: Callable[[Caller, Request[Any]], Awaitable[Answer[Any] | Failure]],
    ) -> None:
        self._caller = caller
        self._ask = ask

    @property
    def name(self) -> str:
        """The name of the provider that answers."""
        return self._caller.name

    @property
    def real(self) -> bool:
        """Does calling it reach a model?"""
        return self._caller.real

    async def generate(self, request: Request[T]) -> Answer[T] | Failure:
        """Answer as the provider does."""
        return await self._ask(self._caller, request)


class _Call:
    """One call on its way to an exchange, which is made when it ends and shares nothing."""

    __slots__ = ("_attached", "_provider", "_request", "course", "exchange")

    def __init__(self, caller: Caller, request: Request[Any], course: Course) -> None:
        self._provider = caller.name
        self._attached = caller.attachments.of(request)
        self._request = copy_request(request)
        self.course = course
        self.exchange: Exchange | None = None

    def end(self, reply: Answer[Any] | Failure | None, *, raised: str | None = None) -> None:
        """Keep how it ended."""
        if isinstance(reply, Answer) and reply.tool_calls:
            reply = replace(reply, tool_calls=copy_tool_calls(reply.tool_calls))
        self.exchange = self.form(reply, raised=raised)

    def form(self, reply: Answer[Any] | Failure | None, *, raised: str | None = None) -> Exchange:
        """Return the call as it stands."""
        call = Call(
            request=self._request,
            reply=reply,
            raised=raised,
            attempts=tuple(self.course.attempts),
            cost_usd=self.course.cost_usd,
        )
        return form_exchange(call, provider=self._provider, attached=self._attached)


def _what_was_asked(request: Request[Any]) -> Hashable:
    # The arguments of tool calls are dicts, which nothing can be looked up by.
    said = tuple(
        (turn.role, turn.content, turn.tool_call_id, repr(turn.tool_calls))
        if turn.tool_calls
        else (turn.role, turn.content)
        for turn in request.messages
    )
    tools = tuple(tool.name for tool in request.tools)
    settings = (request.temperature, request.max_tokens, request.seed)
    return request.purpose, said, request.schema, tools, settings


def derive_seed(seed: int, number: int) -> int:
    """Return the seed of a trial's call number `number`, counted from 0."""
    return int.from_bytes(hashlib.sha256(b"%d/%d" % (seed, number)).digest()[:8]) % _SEEDS
