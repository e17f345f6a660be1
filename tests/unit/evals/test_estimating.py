"""What a call is thought to cost before it is made."""

from __future__ import annotations

from typing import Any

from tierwise.domain import Message, Usage
from tierwise.evals.estimating import Estimator
from tierwise.providers import Request


def ask(n_characters: int = 300, **options: Any) -> Request[Any]:
    return Request(messages=(Message(role="user", content="x" * n_characters),), **options)


def test_the_first_call_is_a_guess() -> None:
    """Its prompt can be counted, roughly and not too low; its reply cannot."""
    usage, is_guess = Estimator().estimate(ask(300))
    assert 75 < usage.input_tokens < 150
    assert usage.output_tokens > 500
    assert is_guess


def test_a_ceiling_for_the_reply_is_no_guess() -> None:
    """`max_tokens` bounds what the vendor may bill."""
    usage, is_guess = Estimator().estimate(ask(max_tokens=50))
    assert (usage.output_tokens, is_guess) == (50, False)


def test_calls_teach_how_long_replies_are() -> None:
    """The mean with room for what is longer; three calls make a mean."""
    estimator = Estimator()
    for n_said in (10, 20):
        estimator.learn(ask(), Usage(input_tokens=100, output_tokens=n_said))
    assert estimator.estimate(ask())[1]
    estimator.learn(ask(), Usage(input_tokens=100, output_tokens=30))
    usage, is_guess = estimator.estimate(ask())
    assert (usage.output_tokens, is_guess) == (40, False)


def test_calls_teach_how_the_vendor_counts_prompts() -> None:
    """Three tokens where one was thought are expected from then on."""
    estimator = Estimator()
    roughly = estimator.estimate(ask())[0].input_tokens
    for _ in range(3):
        estimator.learn(ask(), Usage(input_tokens=3 * roughly, output_tokens=1))
    assert estimator.estimate(ask())[0].input_tokens == 3 * roughly


def test_a_usage_that_nobody_counted_teaches_nothing() -> None:
    """A server without counts does not make calls look free."""
    estimator = Estimator()
    for _ in range(9):
        estimator.learn(ask(), Usage())
    assert estimator.estimate(ask()) == Estimator().estimate(ask())
