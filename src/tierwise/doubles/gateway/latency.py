"""How long the vendor takes: before it answers, to the first token, and for each further one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from tierwise.doubles.gateway.wire import Chunk
from tierwise.errors import MisuseError
from tierwise.providers import count_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.doubles.gateway.saying import Say
    from tierwise.doubles.gateway.wire import HttpResponse

Seconds = float | Callable[[Random], float]
"""A fixed number of seconds, or a function that draws one: `lambda rng: rng.gauss(2, 0.3)`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """How long an answer takes; each part fixed, or drawn anew for each request or token."""

    before_s: Seconds = 0.0
    """Until the status line."""
    first_token_s: Seconds = 0.0
    """From there to the first event of a stream."""
    per_token_s: Seconds = 0.0
    """Between two events of a stream; an answer that is no stream takes it for each token."""

    def __post_init__(self) -> None:
        """Refuse times that no answer can take."""
        for name in ("before_s", "first_token_s", "per_token_s"):
            value = getattr(self, name)
            if not callable(value) and not value >= 0:
                raise MisuseError(f"{name} of a latency is {value!r}; expected 0 or more seconds.")

    def apply(
        self, response: HttpResponse, says: Sequence[Say], *, is_stream: bool, rng: Random
    ) -> HttpResponse:
        """Return the response with its times; `rng` draws what is no fixed number."""
        before, first = _draw(self.before_s, rng), _draw(self.first_token_s, rng)
        if not is_stream:
            n_tokens = sum(count_tokens(say.text) for say in says)
            spent = sum(_draw(self.per_token_s, rng) for _ in range(n_tokens))
            return replace(response, before_s=response.before_s + before + first + spent)
        chunks = tuple(
            Chunk(chunk.data, chunk.after_s + _draw(self.per_token_s if index else first, rng))
            for index, chunk in enumerate(response.chunks)
        )
        return replace(response, before_s=response.before_s + before, chunks=chunks)


def _draw(seconds: Seconds, rng: Random) -> float:
    return max(0.0, seconds(rng)) if callable(seconds) else seconds


def draw_between(low: float, high: float) -> Callable[[Random], float]:
    """Return what draws seconds between two bounds, each as likely."""
    if not 0 <= low <= high:
        raise MisuseError(f"A latency between {low} and {high} s; expected 0 <= low <= high.")
    return lambda rng: rng.uniform(low, high)


def draw_normal(mean: float, sd: float) -> Callable[[Random], float]:
    """Return what draws seconds around a mean; a negative draw is 0."""
    if mean < 0 or sd < 0:
        raise MisuseError(f"A latency around {mean} s, sd {sd} s; expected 0 or more.")
    return lambda rng: rng.gauss(mean, sd)
