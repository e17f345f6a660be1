"""What calls cost is reserved, paid and known, or known not to be known."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from plain_vendor import ASK, BUSY, FINE, Vendor, call, tick

from tierwise.domain import Usage
from tierwise.evals.budget import Budget, BudgetReached, Cost
from tierwise.evals.calling import Caller
from tierwise.evals.limiting import Limiter
from tierwise.evals.pricing import Price, PriceList
from tierwise.evals.purse import Purse
from tierwise.evals.retrying import RetryPolicy
from tierwise.providers import Answer, Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Callable

Run = Any


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
