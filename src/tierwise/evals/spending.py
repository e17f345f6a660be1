"""What is said in trials, added up as what it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Spending

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.domain import Exchange


_NEVER_ASKED = "raised:BudgetReached"


@dataclass(slots=True)
class SpendingCount:
    """Adds exchanges up; a reply from a cache takes nothing, nor does what no budget covered."""

    calls: int = 0
    attempts: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    def add(self, exchanges: Iterable[Exchange]) -> None:
        """Add what was said in one trial."""
        for said in exchanges:
            if said.source == "cache":
                self.cached += 1
                continue
            if said.failure == _NEVER_ASKED and not said.attempts:
                continue
            self.calls += 1
            self.attempts += max(len(said.attempts), 1)
            self.input_tokens += said.usage.input_tokens
            self.output_tokens += said.usage.output_tokens
            if said.cost_usd is None:
                self.unpriced += 1
            else:
                self.cost_usd += said.cost_usd

    @property
    def total(self) -> Spending:
        """What all of it took."""
        return Spending(
            calls=self.calls,
            attempts=self.attempts,
            cached=self.cached,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cost_usd=self.cost_usd,
            unpriced=self.unpriced,
        )
