"""What is tried again, after how long, and when it is given up."""

from __future__ import annotations

import pytest

from tierwise.errors import EvalUsageError
from tierwise.evals.retrying import Again, GiveUp, RetryPolicy, decide_retry
from tierwise.providers import Failure, FailureKind

RETRIED = {"garbled", "timeout", "unavailable", "busy"}


def decide(
    kind: FailureKind = FailureKind.BUSY,
    policy: RetryPolicy | None = None,
    *,
    n_attempts: int = 1,
    held_s: float = 0.0,
    retry_after_s: float | None = None,
) -> Again | GiveUp:
    return decide_retry(
        policy or RetryPolicy(),
        Failure(kind=kind, message="no", retry_after_s=retry_after_s),
        n_attempts=n_attempts,
        held_s=held_s,
        chance=lambda: 0.0,
    )


@pytest.mark.parametrize("kind", FailureKind)
def test_only_what_may_pass_is_tried_again(kind: FailureKind) -> None:
    """A wrong request stays wrong, and a model is not asked until its answer pleases."""
    assert isinstance(decide(kind), Again) == (kind.value in RETRIED)


def test_waits_double_up_to_the_longest_and_outlast_a_minute() -> None:
    """A vendor's window is a minute: giving up after seconds would blame it for nothing."""
    policy = RetryPolicy()
    waits = [policy.backoff_s(n, lambda: 0.0) for n in range(1, policy.retries + 1)]
    assert waits == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert 60 < sum(waits) < policy.total_wait_s


def test_jitter_spreads_waits_and_never_shortens_them() -> None:
    """Calls that failed together do not return together."""
    policy = RetryPolicy(jitter_s=2.0)
    assert [policy.backoff_s(1, lambda c=c: c) for c in (0.0, 0.5, 1.0)] == [0.5, 1.5, 2.5]


def test_backoff_of_many_attempts_stays_a_number() -> None:
    """Doubling 5,000 times is no number any more."""
    assert RetryPolicy().backoff_s(5000, lambda: 0.0) == 30.0


@pytest.mark.parametrize(("asked_s", "waits_s"), [(20.0, 20.0), (0.01, 0.5)])
def test_the_vendor_is_never_asked_before_it_allows(asked_s: float, waits_s: float) -> None:
    """Retry-After is the least; a tiny one does not end the backoff."""
    assert decide(retry_after_s=asked_s) == Again(wait_s=waits_s)


def test_no_retries_means_one_attempt() -> None:
    """An agent that drives a run must not hang in 429s."""
    assert decide(policy=RetryPolicy(retries=0)) == GiveUp()


def test_attempts_come_to_an_end() -> None:
    """The last failure says how often was tried."""
    policy = RetryPolicy(retries=2)
    assert isinstance(decide(policy=policy, n_attempts=2), Again)
    assert decide(policy=policy, n_attempts=3) == GiveUp(reason="given up after 3 attempts")


def test_a_rest_that_is_too_long_is_not_waited_for() -> None:
    """The reason names what the vendor asks and what is allowed."""
    assert decide(n_attempts=2, held_s=100.0, retry_after_s=90.0) == GiveUp(
        reason="given up after 2 attempts: the vendor asks for 90 s of rest, and one call is "
        "held back for at most 180 s"
    )
    assert isinstance(decide(n_attempts=2, held_s=90.0, retry_after_s=90.0), Again)


def test_time_runs_out_without_a_vendor_s_word_too() -> None:
    """The total is kept whoever asked for the wait."""
    found = decide(policy=RetryPolicy(total_wait_s=3.0), n_attempts=3, held_s=1.5)
    assert found == GiveUp(
        reason="given up after 3 attempts: one call is held back for at most 3 s"
    )


@pytest.mark.parametrize(
    ("name", "value"), [("retries", -1), ("total_wait_s", -1.0), ("jitter_s", float("inf"))]
)
def test_a_policy_that_makes_no_sense_is_refused(name: str, value: float) -> None:
    """With its name and what was found."""
    with pytest.raises(EvalUsageError, match=f"{name} is {value}"):
        RetryPolicy(**{name: value})  # type: ignore[arg-type]
