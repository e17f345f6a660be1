"""A call of a trial: limited, retried, cut off, paid for, and each attempt kept."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Message, Usage
from tierwise.evals.budget import Budget, BudgetReached, Cost
from tierwise.evals.calling import Called, Caller, Course
from tierwise.evals.limiting import Limiter
from tierwise.evals.pricing import Price, PriceList
from tierwise.evals.purse import Purse
from tierwise.evals.retrying import RetryPolicy
from tierwise.evals.waiting import Waiting
from tierwise.providers import Answer, Failure, FailureKind, Request

if TYPE_CHECKING:
    from collections.abc import Callable

Run = Any
ASK: Request[Any] = Request(messages=(Message(role="user", content="hi"),))
USAGE = Usage(input_tokens=10, output_tokens=5)
FINE: Answer[Any] = Answer(text="fine", usage=USAGE, model="m")
BUSY = Failure(kind=FailureKind.BUSY, message="slow down")


class Vendor:
    """Answers with what it was given, one after the other, each after so many seconds."""

    name, real, model = "vendor", True, "m"

    def __init__(self, *replies: Any, takes_s: float = 0.0) -> None:
        self.replies = list(replies)
        self.takes_s = takes_s
        self.requests: list[Request[Any]] = []
        self.times: list[float] = []

    async def generate(self, request: Request[Any]) -> Any:
        """Give the next reply, raise it, or hang."""
        self.requests.append(request)
        self.times.append(asyncio.get_running_loop().time())
        reply = self.replies.pop(0)
        if reply == "hang":
            await asyncio.Event().wait()
        if self.takes_s:
            await tick(self.takes_s)
        if isinstance(reply, BaseException):
            raise reply
        return reply


async def tick(seconds: float) -> None:
    loop = asyncio.get_running_loop()
    over = loop.create_future()
    loop.call_later(seconds, over.set_result, None)
    await over


def call(run: Run, vendor: Vendor, **options: Any) -> Called[Any]:
    """Make one call in jumping time."""

    async def scenario(clock: Callable[[], float]) -> Called[Any]:
        caller = Caller(vendor, clock=clock, chance=lambda: 0.0, **options)
        return await caller.call(ASK, eval_id="e", index=0)

    found: Called[Any] = run(scenario)
    return found


def test_a_plain_caller_asks_once(jumping: Run) -> None:
    """With one line about it."""
    found = call(jumping, Vendor(BUSY))
    assert found.reply == BUSY
    assert [attempt.failure for attempt in found.attempts] == ["busy"]
    assert (found.source, found.waited_s) == ("live", 0.0)


def test_a_failure_that_passes_is_tried_again(jumping: Run) -> None:
    """Each attempt is kept with its kind, its words, its time and its wait."""
    garbled = Failure(kind=FailureKind.GARBLED, message="<html>", latency_s=0.25)
    vendor = Vendor(BUSY, garbled, FINE, takes_s=2.0)
    found = call(jumping, vendor, retry=RetryPolicy())
    assert found.reply == FINE
    kept = [(a.failure, a.message, a.latency_s, a.waited_s) for a in found.attempts]
    assert kept == [
        ("busy", "slow down", 2.0, 0.0),
        ("garbled", "<html>", 0.25, 0.5),
        (None, "", 2.0, 1.0),
    ]
    assert found.waited_s == 1.5


@pytest.mark.parametrize(
    "kind", [kind for kind in FailureKind if not kind.is_retried], ids=lambda kind: kind.value
)
def test_what_was_wrong_is_never_tried_again(jumping: Run, kind: FailureKind) -> None:
    """Neither a wrong request nor an answer that the model got wrong."""
    vendor = Vendor(Failure(kind=kind, message="no"), FINE)
    found = call(jumping, vendor, retry=RetryPolicy())
    assert isinstance(found.reply, Failure)
    assert len(vendor.requests) == 1


def test_the_last_failure_says_how_often_was_tried(jumping: Run) -> None:
    """A throttled vendor is reported as that, with the trace of attempts."""
    found = call(jumping, Vendor(*[BUSY] * 9), retry=RetryPolicy())
    assert isinstance(found.reply, Failure)
    assert found.reply.kind is FailureKind.BUSY
    assert found.reply.attempts == len(found.attempts) == 9
    assert found.reply.message == "slow down (given up after 9 attempts)"
    assert sum(attempt.waited_s for attempt in found.attempts) > 60


def test_no_retries_is_honoured(jumping: Run) -> None:
    """One attempt, though the vendor says when to come back."""
    busy = Failure(kind=FailureKind.BUSY, message="later", retry_after_s=1.0)
    vendor = Vendor(busy, FINE)
    assert call(jumping, vendor, retry=RetryPolicy(retries=0)).reply == busy


def test_retry_after_is_obeyed(jumping: Run) -> None:
    """Not a moment earlier."""
    vendor = Vendor(Failure(kind=FailureKind.BUSY, message="later", retry_after_s=42.0), FINE)
    found = call(jumping, vendor, retry=RetryPolicy())
    assert vendor.times == [0.0, 42.0]
    assert found.attempts[0].retry_after_s == 42.0


def test_a_rest_beyond_the_total_is_given_up(jumping: Run) -> None:
    """Rather than to sleep for an hour."""
    vendor = Vendor(Failure(kind=FailureKind.BUSY, message="later", retry_after_s=3600.0), FINE)
    found = call(jumping, vendor, retry=RetryPolicy())
    assert isinstance(found.reply, Failure)
    assert "the vendor asks for 3600 s of rest" in found.reply.message
    assert vendor.times == [0.0]


def test_a_hanging_attempt_is_cut_and_tried_again(jumping: Run) -> None:
    """Its kind is `timeout`, which is an error and no failure of the model."""
    found = call(jumping, Vendor("hang", FINE), retry=RetryPolicy(), call_timeout_s=30.0)
    assert found.reply == FINE
    first = found.attempts[0]
    assert (first.failure, first.latency_s) == ("timeout", 30.0)
    assert first.message == "no answer within the 30 s that one call may take"


def test_a_time_out_of_the_provider_s_own_code_is_raised(jumping: Run) -> None:
    """It is not ours, so it is not mistaken for ours."""
    with pytest.raises(TimeoutError, match="its own"):
        call(jumping, Vendor(TimeoutError("its own")), call_timeout_s=30.0, retry=RetryPolicy())


def test_what_a_provider_raises_is_an_attempt_too(jumping: Run) -> None:
    """The attempts of a call that never returned are at hand."""
    course = Course()

    async def scenario(clock: Callable[[], float]) -> None:
        caller = Caller(Vendor(BUSY, KeyError("x")), clock=clock, retry=RetryPolicy())
        with pytest.raises(KeyError):
            await caller.call(ASK, eval_id="e", index=0, course=course)

    jumping(scenario)
    kept = [(attempt.failure, attempt.message) for attempt in course.attempts]
    assert kept == [("busy", "slow down"), ("raised:KeyError", "'x'")]


def test_the_seed_is_for_requests_without_one(jumping: Run) -> None:
    """A body's own choice stands."""
    vendor = Vendor(FINE, FINE)

    async def scenario(_clock: Callable[[], float]) -> None:
        caller = Caller(vendor)
        await caller.call(ASK, eval_id="e", index=0, seed=7)
        own: Request[Any] = Request(messages=ASK.messages, seed=3)
        await caller.call(own, eval_id="e", index=0, seed=7)

    jumping(scenario)
    assert [request.seed for request in vendor.requests] == [7, 3]


def test_calls_wait_for_a_place_in_flight(jumping: Run) -> None:
    """The wait is kept with the attempt that it held back, and is no working time."""
    vendor = Vendor(FINE, FINE, takes_s=3.0)

    async def scenario(clock: Callable[[], float]) -> tuple[list[float], float]:
        caller = Caller(vendor, limiter=Limiter(ceiling=1, clock=clock), clock=clock)
        course = Course(waiting=Waiting(clock))
        await asyncio.gather(
            caller.call(ASK, eval_id="e", index=0),
            caller.call(ASK, eval_id="e", index=1, course=course),
        )
        return [attempt.waited_s for attempt in course.attempts], course.waiting.waited_s

    assert jumping(scenario) == ([3.0], 3.0)


def test_retry_after_holds_all_calls_back(jumping: Run) -> None:
    """Those that begin later too, and they do not return in one moment."""
    busy = Failure(kind=FailureKind.BUSY, message="later", retry_after_s=20.0)
    vendor = Vendor(busy, FINE, FINE, FINE)
    chances = iter([0.0, 0.1, 0.2, 0.9])

    async def scenario(clock: Callable[[], float]) -> int:
        limiter = Limiter(ceiling=8, clock=clock, chance=lambda: next(chances))
        caller = Caller(
            vendor, limiter=limiter, clock=clock, chance=lambda: 0.0, retry=RetryPolicy()
        )
        first = asyncio.create_task(caller.call(ASK, eval_id="e", index=0))
        await tick(1.0)
        others = [caller.call(ASK, eval_id="e", index=n) for n in (1, 2)]
        await asyncio.gather(first, *others)
        return limiter.n_in_flight

    assert jumping(scenario) == 0
    assert vendor.times == pytest.approx([0.0, 20.0, 20.0, 20.2])


@pytest.mark.parametrize(
    ("reply", "limit"),
    [
        (BUSY, 2),
        (FINE, 5),
        (Failure(kind=FailureKind.REFUSED, message="no", text="no"), 5),
        (Failure(kind=FailureKind.UNAVAILABLE, message="down"), 4),
    ],
    ids=["busy", "answer", "refusal", "down"],
)
def test_the_limit_follows_what_the_vendor_says(jumping: Run, reply: Any, limit: int) -> None:
    """Busy halves it, whatever the model itself said raises it, and trouble tells nothing."""

    async def scenario(clock: Callable[[], float]) -> int:
        limiter = Limiter(ceiling=8, start=4, clock=clock)
        caller = Caller(Vendor(*[reply] * 5), limiter=limiter, clock=clock)
        for index in range(5 if limit > 4 else 1):
            await caller.call(ASK, eval_id="e", index=index)
        return limiter.limit

    assert jumping(scenario) == limit


def test_all_waits_of_a_call_count_together(jumping: Run) -> None:
    """0.5 s and 1 s fit into 3 s, and the 2 s that would follow do not."""
    policy = RetryPolicy(total_wait_s=3.0)
    found = call(jumping, Vendor(*[BUSY] * 9), retry=policy)
    assert len(found.attempts) == 3


def test_a_gate_that_stays_closed_too_long_ends_calls_at_once(jumping: Run) -> None:
    """A thousand trials are not held for an hour each: the vendor was busy."""
    busy = Failure(kind=FailureKind.BUSY, message="later", retry_after_s=3600.0)
    vendor = Vendor(busy)

    async def scenario(clock: Callable[[], float]) -> tuple[Called[Any], float, int]:
        limiter = Limiter(ceiling=8, clock=clock)
        caller = Caller(vendor, limiter=limiter, clock=clock, retry=RetryPolicy())
        await caller.call(ASK, eval_id="e", index=0)
        return await caller.call(ASK, eval_id="e", index=1), clock(), limiter.n_in_flight

    found, time_s, n_in_flight = jumping(scenario)
    assert isinstance(found.reply, Failure)
    assert (found.reply.kind, found.reply.attempts) == (FailureKind.BUSY, 0)
    assert found.reply.message == (
        "the vendor asked to be left alone, for longer than the 180 s for which one call is held "
        "back"
    )
    assert (found.attempts, time_s, n_in_flight) == ((), 0.0, 0)


@pytest.mark.parametrize(
    "reply", [FINE, BUSY, KeyError("x"), "hang"], ids=["answer", "busy", "raised", "cancelled"]
)
def test_a_call_gives_its_place_and_its_lease_back(jumping: Run, reply: Any) -> None:
    """However it ends."""

    async def scenario(clock: Callable[[], float]) -> tuple[int, Cost]:
        limiter, purse = Limiter(ceiling=1, clock=clock), Purse(Budget(calls=5))
        caller = Caller(Vendor(reply), limiter=limiter, purse=purse, clock=clock)
        task = asyncio.create_task(caller.call(ASK, eval_id="e", index=0))
        await tick(1.0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        (await purse.reserve("e", Cost(calls=4))).settle(Cost())
        return limiter.n_in_flight, purse.spent()

    n_in_flight, spent = jumping(scenario)
    assert (n_in_flight, spent.calls) == (0, 1)


def test_each_attempt_is_paid(jumping: Run) -> None:
    """It reached the vendor; one that failed with tokens costs those."""
    cut = Failure(kind=FailureKind.UNAVAILABLE, message="cut", usage=Usage(input_tokens=10))
    purse = Purse(Budget(tokens=10_000))
    call(jumping, Vendor(cut, BUSY, FINE), retry=RetryPolicy(), purse=purse)
    assert purse.spent() == Cost(tokens=25, calls=3)


@pytest.mark.parametrize("lost", ["hang", Failure(kind=FailureKind.GARBLED, message="<")])
def test_an_attempt_whose_answer_was_lost_counts_as_it_was_estimated(
    jumping: Run, lost: Any
) -> None:
    """The vendor may bill what never arrived."""
    purse = Purse(Budget(tokens=10_000))
    vendor = Vendor(lost, FINE)
    call(jumping, vendor, retry=RetryPolicy(), purse=purse, call_timeout_s=9.0)
    assert purse.spent().tokens > 1000 + 15


def test_an_answer_without_usage_counts_as_it_was_estimated(jumping: Run) -> None:
    """A server that counts no tokens does not make a budget endless."""
    purse = Purse(Budget(tokens=10_000))
    call(jumping, Vendor(Answer(text="hi")), purse=purse)
    assert purse.spent().tokens > 1000


def test_no_call_is_made_that_the_budget_does_not_cover(jumping: Run) -> None:
    """It ends the body with words, and the vendor is not asked."""
    vendor = Vendor(FINE, FINE)

    async def scenario(clock: Callable[[], float]) -> str:
        caller = Caller(vendor, purse=Purse(Budget(calls=1)), clock=clock)
        await caller.call(ASK, eval_id="e", index=0)
        with pytest.raises(BudgetReached) as caught:
            await caller.call(ASK, eval_id="e", index=1)
        return str(caught.value)

    assert jumping(scenario) == (
        "stopped by budget: the budget of the run is reached: 1 of 1 calls spent"
    )
    assert len(vendor.requests) == 1


def test_a_retry_needs_the_budget_too(jumping: Run) -> None:
    """A storm of 429s does not overspend."""
    with pytest.raises(BudgetReached):
        call(jumping, Vendor(BUSY, FINE), retry=RetryPolicy(), purse=Purse(Budget(calls=1)))


def test_no_wait_outlasts_the_seconds_of_a_budget(jumping: Run) -> None:
    """A backoff that ends after the time is over is not begun."""

    async def scenario(clock: Callable[[], float]) -> float:
        purse = Purse(Budget(seconds=10), clock=clock)
        vendor = Vendor(Failure(kind=FailureKind.BUSY, message="later", retry_after_s=60.0))
        caller = Caller(vendor, purse=purse, retry=RetryPolicy(), clock=clock)
        with pytest.raises(BudgetReached, match="its 10 s are over"):
            await caller.call(ASK, eval_id="e", index=0)
        return clock()

    assert jumping(scenario) == 0.0


PRICES = PriceList({"m": Price(input=1.0, output=10.0)})


def test_a_call_costs_what_all_its_attempts_cost(jumping: Run) -> None:
    """In USD, where the price is known."""
    cut = Failure(kind=FailureKind.UNAVAILABLE, message="cut", usage=Usage(input_tokens=10))
    found = call(jumping, Vendor(cut, FINE), retry=RetryPolicy(), prices=PRICES)
    assert found.cost_usd == pytest.approx((10 + 10 + 50) / 1e6)


@pytest.mark.parametrize(
    ("replies", "prices"),
    [([FINE], PriceList({})), (["hang", FINE], PRICES), ([Answer(text="hi")], PRICES)],
    ids=["no price", "an answer that was lost", "no usage"],
)
def test_a_cost_that_nobody_knows_is_none(
    jumping: Run, replies: list[Any], prices: PriceList
) -> None:
    """And not 0."""
    found = call(jumping, Vendor(*replies), retry=RetryPolicy(), prices=prices, call_timeout_s=9.0)
    assert found.cost_usd is None


def test_what_reaches_no_model_costs_nothing(jumping: Run) -> None:
    """Also when its answer is lost."""
    vendor = Vendor("hang", FINE)
    vendor.real = False  # type: ignore[misc]
    found = call(jumping, vendor, retry=RetryPolicy(), call_timeout_s=9.0)
    assert found.cost_usd == 0.0


def test_dollars_are_reserved_and_paid(jumping: Run) -> None:
    """By the model's price for what it read and wrote."""
    purse = Purse(Budget(usd=1.0))
    call(jumping, Vendor(FINE), purse=purse, prices=PRICES)
    assert purse.spent().usd == pytest.approx(60e-6)
