"""What a comparison of two sides comes to, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from tierwise.records.scores import Shared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.evals.pairing import MetricKind, MetricPairs
    from tierwise.evals.promises import Better
    from tierwise.records import RunRow
    from tierwise.records.scores import EvalScores


class Finding(StrEnum):
    """What is shown of the second side beside the first."""

    HIGHER = "higher"
    LOWER = "lower"
    NONE = "no difference shown"
    UNDETERMINED = "undetermined"
    """Not even a difference could have been told, which is not the same as none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two that are compared: all evals of a run, or those of one of its providers."""

    name: str
    run: RunRow
    evals: tuple[EvalScores, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceClaim:
    """What is shown for one population; `estimate` is second minus first."""

    population: str
    finding: Finding
    reason: str = ""
    """Why it is undetermined, or what else weakens it."""
    estimate: float | None = None
    interval: tuple[float, float] | None = None
    """Two-sided, of this difference alone, from the trials that were scored."""
    method: str = ""
    p_value: float | None = None
    """Two-sided; trials without a score count against the side that leads."""
    p_adjusted: float | None = None
    """By Holm, over all differences of the comparison."""
    test: str = ""
    detectable: float | None = None
    """About what difference would have been shown 4 times of 5; for `no difference shown`."""
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDifference:
    """One metric of one eval on both sides, paired by case."""

    metric: str
    kind: MetricKind
    better: Better | None
    pairs: MetricPairs
    mean_first: float | None
    """The mean of the cases' means, over the cases that both scored."""
    mean_second: float | None
    claims: tuple[DifferenceClaim, ...]

    def winner(self, population: str) -> Literal["A", "B"] | None:
        """Return the side that is shown to be better, where it is known which way that is."""
        finding = self.claim(population).finding
        if self.better is None or finding not in (Finding.HIGHER, Finding.LOWER):
            return None
        return "B" if finding.value == self.better else "A"

    def claim(self, population: str) -> DifferenceClaim:
        """Return what is shown for a population."""
        return next(claim for claim in self.claims if claim.population == population)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalComparison:
    """One eval that both sides ran."""

    eval_id: str
    first: EvalScores
    second: EvalScores
    metrics: tuple[MetricDifference, ...]
    n_cases: int
    """Cases that both sides ran on the same input."""
    only_first: tuple[str, ...] = ()
    """Cases that the first side alone ran."""
    only_second: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Cases of one id whose content differs: they are not the same case."""
    warnings: tuple[str, ...] = ()
    """What else than the sides themselves differs, or weakens the comparison."""
    shared: Shared = field(default_factory=Shared)
    """What is one observation on both sides, and so says nothing of a difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All evals that two sides have in common, with one correction for all their differences."""

    first: Side
    second: Side
    evals: tuple[EvalComparison, ...]
    only_first: tuple[str, ...] = ()
    """Evals that the first side alone ran."""
    only_second: tuple[str, ...] = ()
    confidence: float = 0.95
    n_tests: Mapping[str, int] = field(default_factory=dict)
    """For each population, how many differences were tested together."""

    @property
    def differences(self) -> tuple[tuple[EvalComparison, MetricDifference], ...]:
        """Each metric of each eval."""
        return tuple((entry, metric) for entry in self.evals for metric in entry.metrics)
