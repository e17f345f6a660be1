"""A judge's answers against people's, counted; bounds and words for a reader."""

from __future__ import annotations

from dataclasses import dataclass

from tierwise.errors import EvalUsageError
from tierwise.evals.wording import percent, round_percent
from tierwise.stats import (
    Agreement,
    Interval,
    Undetermined,
    cohen_kappa,
    lower_bound,
)

_YES_NO = ("yes", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemAgreement:
    """One question or grade: how the judge answered where people had said what is right."""

    name: str
    categories: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    """Counts: a row for what people said, a column for what the judge said."""
    undetermined: tuple[int, ...]
    """For each of the rows, how often the judge gave no verdict; these are in no cell."""

    def __post_init__(self) -> None:
        """Refuse counts that cannot be."""
        size = len(self.categories)
        rows = (*self.table, self.undetermined)
        is_square = len(self.table) == size and all(len(row) == size for row in rows)
        if not is_square or size < len(_YES_NO) or any(n < 0 for row in rows for n in row):
            raise EvalUsageError(
                f"The counts of {self.name!r} are no table of {size} by {size} categories."
            )

    @property
    def n(self) -> int:
        """How many labelled samples the judge gave a verdict on."""
        return sum(map(sum, self.table))

    @property
    def n_undetermined(self) -> int:
        """On how many it gave none."""
        return sum(self.undetermined)

    @property
    def is_question(self) -> bool:
        """Is it answered by yes or no?"""
        return self.categories == _YES_NO

    @property
    def caught(self) -> tuple[int, int]:
        """Of the samples that people said yes to, how many the judge did: (caught, all)."""
        self._require_question()
        return self.table[0][0], sum(self.table[0])

    @property
    def cleared(self) -> tuple[int, int]:
        """Of the samples that people said no to, how many the judge did: (cleared, all)."""
        self._require_question()
        return self.table[1][1], sum(self.table[1])

    def sensitivity_lower(self, confidence: float = 0.95) -> float | Undetermined:
        """Return the exact one-sided lower bound on the share of events that are caught."""
        return lower_bound(*self.caught, confidence=confidence)

    def specificity_lower(self, confidence: float = 0.95) -> float | Undetermined:
        """Return the exact one-sided lower bound on the share of non-events that are cleared."""
        return lower_bound(*self.cleared, confidence=confidence)

    def kappa(self, confidence: float = 0.95) -> Agreement | Undetermined:
        """Return Cohen's kappa with its interval; grades are weighted by squared distance."""
        weights = "none" if self.is_question else "quadratic"
        return cohen_kappa(self.table, weights=weights, confidence=confidence)  # type: ignore[arg-type]  # one of two literals

    def line(self) -> str:
        """Return what matters beside a verdict."""
        parts = [self._say_kappa()]
        if self.is_question:
            parts = [self._say_share("caught", "yes"), self._say_share("cleared", "no"), *parts]
        if self.n_undetermined:
            parts.append(f"no verdict on {self.n_undetermined} more")
        return f"{'; '.join(parts)} ({self.n} labels)"

    def lines(self) -> tuple[str, ...]:
        """Return the table, both marginals, and all that follows from them."""
        return (
            f"{self.name}: {self.line()}",
            f"  agreed on {sum(row[i] for i, row in enumerate(self.table))} of {self.n}",
            *(
                f"  people said {category} {sum(row)} times, the judge "
                f"{sum(other[place] for other in self.table)} times"
                for place, (category, row) in enumerate(
                    zip(self.categories, self.table, strict=True)
                )
            ),
            *(
                f"  people {category}: judge "
                + ", ".join(f"{other} {n}" for other, n in zip(self.categories, row, strict=True))
                + (f", no verdict {lost}" if lost else "")
                for category, row, lost in zip(
                    self.categories, self.table, self.undetermined, strict=True
                )
            ),
        )

    def _say_share(self, verb: str, category: str) -> str:
        found, known = self.caught if verb == "caught" else self.cleared
        bound = lower_bound(found, known)
        if isinstance(bound, Undetermined):
            return f"no label says {category}, so that how many are {verb} is unknown"
        share = round_percent(found / known)
        return f"{verb} {found} of {known} ({share}, at least {percent(bound)})"

    def _say_kappa(self) -> str:
        found = self.kappa()
        if isinstance(found, Undetermined):
            return f"kappa undetermined: {found.reason}"
        if not isinstance(found.interval, Interval):
            return f"kappa {found.kappa:.2f}, interval undetermined: {found.interval.reason}"
        # The interval is that of large samples and knows nothing of where kappa ends.
        low, high = max(found.interval.low, -1.0), min(found.interval.high, 1.0)
        return f"kappa {found.kappa:.2f} ({low:.2f} to {high:.2f})"

    def _require_question(self) -> None:
        if not self.is_question:
            raise EvalUsageError(
                f"{self.name!r} is a grade: only a question, answered by yes or no, has events "
                "that a judge catches or misses. Ask for the threshold as a question of its own."
            )
