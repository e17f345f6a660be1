"""A call of a trial: tried again or not, cut off, and each attempt kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import stamina
from plain_vendor import ASK, BUSY, FINE, Vendor, call

from tierwise.evals.calling import Caller, Course
from tierwise.evals.retrying import RetryPolicy
from tierwise.providers import Failure, FailureKind, Request

if TYPE_CHECKING:
    from collections.abc import Callable

Run = Any


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


def test_switches_of_the_code_under_test_do_not_reach_retries(jumping: Run) -> None:
    """A suite that tests its own retries with stamina turns those off, not ours."""
    with stamina.set_testing(True, attempts=1):
        found = call(jumping, Vendor(BUSY, FINE), retry=RetryPolicy())
    assert [attempt.waited_s for attempt in found.attempts] == [0.0, 0.5]


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


def test_all_waits_of_a_call_count_together(jumping: Run) -> None:
    """0.5 s and 1 s fit into 3 s, and the 2 s that would follow do not."""
    policy = RetryPolicy(total_wait_s=3.0)
    found = call(jumping, Vendor(*[BUSY] * 9), retry=policy)
    assert len(found.attempts) == 3
