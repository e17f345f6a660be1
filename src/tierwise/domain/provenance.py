"""Where a measurement's trials come from, and what they took."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reused:
    """Trials that an earlier run made and this one took over."""

    run_id: str
    started_at: str
    n_trials: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What trials took of a model."""

    calls: int = 0
    """Replies of a provider; those from a cache are apart."""
    attempts: int = 0
    """How often the provider was asked for them, retries included."""
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    """The sum of all costs that are known."""
    unpriced: int = 0
    """How many calls have no known cost."""

    @property
    def tokens(self) -> int:
        """Return all tokens, read and written."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Spending) -> Spending:
        """Return what both took."""
        return Spending(
            calls=self.calls + other.calls,
            attempts=self.attempts + other.attempts,
            cached=self.cached + other.cached,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost_usd=self.cost_usd + other.cost_usd,
            unpriced=self.unpriced + other.unpriced,
        )
