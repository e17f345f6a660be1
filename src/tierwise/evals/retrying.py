"""Whether a failed call is tried again, and after how long."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.providers import Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often a call is tried again and how long it may be held back in all.

    The defaults outlast a vendor's window of one minute: eight waits of 0.5, 1, 2, 4, 8, 16, 30
    and 30 seconds, each with up to `jitter_s` more by chance. A vendor that says `Retry-After` is
    never asked earlier. `retries=0` means one attempt and no more.
    """

    retries: int = 8
    total_wait_s: float = 180.0
    """For how long one call may be held back by the vendor, all its attempts together."""
    first_wait_s: float = 0.5
    longest_wait_s: float = 30.0
    jitter_s: float = 0.5

    def __post_init__(self) -> None:
        if self.retries < 0:
            raise EvalUsageError(
                f"retries is {self.retries!r}; expected a whole number of 0 or more, 0 to try "
                "each call once."
            )
        for name in ("total_wait_s", "first_wait_s", "longest_wait_s", "jitter_s"):
            value = getattr(self, name)
            if not 0 <= value < float("inf"):
                raise EvalUsageError(f"{name} is {value!r}; expected 0 or more seconds.")

    def backoff_s(self, n_attempts: int, chance: Callable[[], float] = random.random) -> float:
        """Return how long to wait after so many attempts: exponential, with jitter on top.

        The formula is stamina's. Its retry loop is not used: that obeys switches of the process
        which belong to the code under test (`stamina.set_testing`, `set_active`).
        """
        doublings = min(n_attempts - 1, 60)  # beyond, a float would overflow
        plain = self.first_wait_s * 2.0**doublings
        return min(self.longest_wait_s, plain) + chance() * self.jitter_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """Try again after so many seconds."""

    wait_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveUp:
    """Take the failure as it is; `reason` is empty where trying again was no question."""

    reason: str = ""


def decide_retry(
    policy: RetryPolicy,
    failure: Failure,
    *,
    n_attempts: int,
    held_s: float,
    chance: Callable[[], float] = random.random,
) -> Again | GiveUp:
    """Decide what follows a failure, the vendor having held the call back for `held_s` so far.

    What was wrong with the request, and what the model itself got wrong, is never tried again:
    the one would fail again, and to ask until the answer pleases is no measurement.
    """
    if not failure.kind.is_retried or not policy.retries:
        return GiveUp()
    if n_attempts > policy.retries:
        return GiveUp(reason=f"given up after {n_attempts} attempts")
    wait_s = policy.backoff_s(n_attempts, chance)
    if failure.retry_after_s is not None:
        wait_s = max(wait_s, failure.retry_after_s)
    if held_s + wait_s > policy.total_wait_s:
        return GiveUp(reason=too_long(policy, failure.retry_after_s, n_attempts))
    return Again(wait_s=wait_s)


def too_long(policy: RetryPolicy, retry_after_s: float | None, n_attempts: int) -> str:
    """Say that the vendor would hold a call back for longer than is allowed."""
    asks = (
        "" if retry_after_s is None else f"the vendor asks for {retry_after_s:g} s of rest, and "
    )
    attempts = f"{n_attempts} attempt{'s' * (n_attempts != 1)}"
    return (
        f"given up after {attempts}: {asks}one call is held back for at most "
        f"{policy.total_wait_s:g} s"
    )
