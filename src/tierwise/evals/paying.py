"""What the attempts of one provider's calls cost, reserved before and paid after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.domain import Usage
from tierwise.evals.budget import Cost
from tierwise.evals.estimating import Estimator
from tierwise.evals.pricing import PriceList, free_of_charge, model_of
from tierwise.providers import Answer, Failure, FailureKind

if TYPE_CHECKING:
    from tierwise.evals.calling import Course
    from tierwise.evals.pricing import Rate
    from tierwise.evals.purse import Lease, Purse
    from tierwise.providers import Provider, Request

_NOTHING_USED = Usage()
_MAY_BE_BILLED = frozenset({FailureKind.TIMEOUT, FailureKind.GARBLED})
"""The model may have answered and the answer got lost: nobody knows what that cost."""


class Payer:
    """Prices one provider's attempts and, under a budget, reserves and settles them."""

    def __init__(
        self, provider: Provider, *, purse: Purse | None, prices: PriceList | None
    ) -> None:
        self._provider = provider
        self._purse = purse
        self._prices = PriceList() if prices is None else prices
        self._rates: dict[str, Rate | None] = {}
        self._estimator = Estimator()
        if purse is not None and purse.limits_usd:
            self._prices.require(provider)
        # Now and not at the first reply: reading the list takes half a second, which all the
        # calls in flight would wait for.
        self._is_free = self._rate_for(model_of(provider)) is free_of_charge

    @property
    def has_purse(self) -> bool:
        """Is there a budget to keep?"""
        return self._purse is not None

    async def reserve(self, request: Request[Any], course: Course) -> Lease:
        """Reserve what an attempt may cost, or raise `BudgetReached`."""
        assert self._purse is not None  # noqa: S101  `has_purse` was asked
        usage, is_guess = self._estimator.estimate(request)
        return await self._purse.reserve(
            course.eval_id,
            self._cost_of(usage, ""),
            is_guess=is_guess,
            waiting=course.waiting,
        )

    def settle(
        self, lease: Lease, request: Request[Any], reply: Answer[Any] | Failure | None
    ) -> None:
        """Pay for an attempt; what nobody knows the cost of takes all that was reserved."""
        if reply is None or not _is_usage_known(reply):
            lease.settle(None)
            return
        if isinstance(reply, Answer):
            self._estimator.learn(request, reply.usage)
        lease.settle(self._cost_of(reply.usage, reply.model))

    def add_cost(self, course: Course, reply: Answer[Any] | Failure | None) -> None:
        """Add what an attempt cost to the call's sum."""
        if self._is_free or course.cost_usd is None:
            return
        if reply is None or not _is_usage_known(reply):
            course.cost_usd = None
            return
        rate = self._rate_for(reply.model)
        course.cost_usd = None if rate is None else course.cost_usd + rate(reply.usage)

    def _cost_of(self, usage: Usage, model: str) -> Cost:
        rate = self._rate_for(model)
        # Without a price there is no limit in USD to keep: `require` saw to that.
        usd = 0.0 if rate is None else rate(usage)
        return Cost(usd=usd, tokens=usage.total_tokens, calls=1)

    def _rate_for(self, model: str) -> Rate | None:
        if model not in self._rates:
            self._rates[model] = self._prices.rate_of(self._provider, model)
        return self._rates[model]


def _is_usage_known(reply: Answer[Any] | Failure) -> bool:
    if reply.usage != _NOTHING_USED:
        return True
    return isinstance(reply, Failure) and not (
        reply.kind.is_scored or reply.kind in _MAY_BE_BILLED
    )
