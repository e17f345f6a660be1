"""What keeps trials from going on, as it is said."""

from __future__ import annotations

import asyncio

from tierwise.domain import Event, Message, RunHeldUp
from tierwise.evals.calling import Caller
from tierwise.evals.holding import TOLD_EVERY_S, HeldCalls, Notices
from tierwise.evals.retrying import RetryPolicy
from tierwise.providers import Answer, Failure, FailureKind, Request


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return what it was set to."""
        return self.now


def test_the_same_hold_is_told_once_in_ten_seconds() -> None:
    """A log of an hour without an answer is a page, not a book."""
    clock, told = Clock(), list[Event]()
    notices = Notices(told.append, clock=clock)
    notices.say("")
    for _ in range(3):
        notices.say("waiting")
    clock.now = TOLD_EVERY_S - 0.1
    notices.say("waiting")
    assert told == [RunHeldUp(text="waiting")]
    clock.now = TOLD_EVERY_S
    notices.say("still waiting")
    assert told[1:] == [RunHeldUp(text="still waiting")]


def test_calls_that_wait_are_counted_with_the_next_try_and_the_reason() -> None:
    """Who waits, for what, and for how long."""
    clock = Clock()
    held = HeldCalls("fake", clock=clock)
    assert held.say() == ""
    with held.holding(8, "unavailable: no connection"):
        assert held.say() == (
            "waiting: 1 call of fake to be tried again after unavailable: no connection; "
            "the next try is in 8 s"
        )
        clock.now = 1.0
        with held.holding(3, "busy: slow down"):
            assert held.say() == (
                "waiting: 2 calls of fake to be tried again after busy: slow down; "
                "the next try is in 3 s"
            )
    assert held.say() == ""


def test_a_caller_says_what_its_calls_wait_for() -> None:
    """Those of a judge that is asked beside it included."""
    said = list[tuple[str, ...]]()

    class Refusing:
        """Refuses, and looks at what is said of the call that waits meanwhile."""

        real = False

        def __init__(self, name: str) -> None:
            self.name, self.n = name, 0

        async def generate(self, _request: object) -> Answer[object] | Failure:
            """Refuse the first call."""
            self.n += 1
            if self.n > 1:
                return Answer(text="yes")
            loop = asyncio.get_running_loop()
            loop.call_soon(lambda: loop.call_soon(lambda: said.append(caller.say_held())))
            return Failure(kind=FailureKind.UNAVAILABLE, message="no connection")

    retry = RetryPolicy(first_wait_s=0.01, jitter_s=0)
    caller = Caller(Refusing("main"), retry=retry)
    judge = caller.beside(Refusing("judge"))
    ask: Request[object] = Request(messages=(Message(role="user", content="hello"),))
    for each in (caller, judge):
        asyncio.run(each.call(ask, eval_id="e", index=0))
    again = "to be tried again after unavailable: no connection; the next try is in 0 s"
    assert said == [(f"waiting: 1 call of {name} {again}",) for name in ("main", "judge")]
    assert caller.say_held() == ()
