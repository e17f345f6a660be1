"""The scores of one case as the statistics need them."""

from __future__ import annotations

from dataclasses import dataclass

from tierwise.stats.arguments import require_count


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseMean:
    """One case of a sample: how many scores, their mean and variance (0 of a single one)."""

    n: int
    mean: float
    variance: float = 0.0

    def fill(self, missing: int, score: float) -> CaseMean:
        """Return what the case would be if so many more trials had this score."""
        gone = require_count("missing", missing)
        n = self.n + gone
        if not gone or not self.n:
            return self if not gone else CaseMean(n=n, mean=score)
        shift = score - self.mean
        squares = (self.n - 1) * self.variance + shift * shift * self.n * gone / n
        return CaseMean(n=n, mean=self.mean + shift * gone / n, variance=squares / (n - 1))
