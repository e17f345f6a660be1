"""How much of what is there a detector sees, from events that were known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError

if TYPE_CHECKING:
    from tierwise.stats import Undetermined


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """Of `n_true` events that were known beforehand, a detector caught `n_caught`.

    None known means that nobody measured it: then no clean run says anything.
    """

    n_caught: int
    n_true: int
    source: str = ""
    """What it was measured on, for a reader."""

    def __post_init__(self) -> None:
        """Refuse counts that cannot be."""
        counts: tuple[object, ...] = (self.n_caught, self.n_true)
        is_whole = all(isinstance(n, int) and not isinstance(n, bool) for n in counts)
        if not is_whole or not 0 <= self.n_caught <= self.n_true:
            raise EvalUsageError(
                f"Sensitivity(n_caught={self.n_caught!r}, n_true={self.n_true!r}): expected whole "
                "numbers, no more caught than there were, such as n_caught=58, n_true=59."
            )

    def lower_bound(self, confidence: float) -> float | Undetermined:
        """Return the exact one-sided lower bound on the share of events that are caught."""
        from tierwise.stats import sensitivity_bound  # noqa: PLC0415  loaded when asked

        return sensitivity_bound(self.n_caught, self.n_true, confidence=confidence)

    def __str__(self) -> str:
        """Return the counts in words."""
        if not self.n_true:
            return "a detector that nobody measured"
        measured = f" ({self.source})" if self.source else ""
        return f"a detector that caught {self.n_caught} of {self.n_true}{measured}"
