"""The kinds of promise that an expectation can make about one metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tierwise.evals.sensitivity import Sensitivity  # noqa: TC001  part of a public value

RateKind = Literal["never", "at_least", "at_most"]
TriesKind = Literal["pass_at_k", "pass_hat_k"]
Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """A limit on how often a metric is True, or holds one text."""

    kind: RateKind
    limit: float
    value: str | None = None
    """The text that is counted; None where True is."""
    detector: Sensitivity | None = None
    """What sees the event of a `never`; None where nothing is missed."""

    def phrase(self, metric: str) -> str:
        """Return the promise as a line of a table."""
        limit = _percent(self.limit)
        if self.kind == "never":
            seen_by = f", {self.detector}" if self.detector is not None else ""
            return f"never {metric} (below {limit}{seen_by})"
        of = metric if self.value is None else f"{metric} {self.value!r}"
        return f"{of} {self.kind.replace('_', ' ')} {limit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanRange:
    """The ends between which a mean has to lie; None leaves a side open."""

    low: float | None
    high: float | None
    span: tuple[float, float] | None = None
    """The range that no single value can leave; None where it is not known."""
    kind: Literal["mean_between"] = "mean_between"

    def phrase(self, metric: str) -> str:
        """Return the promise as a line of a table."""
        if self.low is None:
            return f"mean {metric} at most {self.high:g}"
        if self.high is None:
            return f"mean {metric} at least {self.low:g}"
        return f"mean {metric} between {self.low:g} and {self.high:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoWorse:
    """By how much a metric may be worse than it was in an earlier run."""

    margin: float
    better: Better = "higher"
    baseline: str | None = None
    """The run to compare with; None where the one who starts the eval says so."""
    span: tuple[float, float] | None = None
    kind: Literal["no_worse_than"] = "no_worse_than"

    def phrase(self, metric: str) -> str:
        """Return the promise as a line of a table."""
        lower = ", lower is better" if self.better == "lower" else ""
        of = "the baseline" if self.baseline is None else self.baseline
        return f"{metric} no worse than {of} (margin {self.margin:g}{lower})"


@dataclass(frozen=True, slots=True, kw_only=True)
class TriesLimit:
    """How often one of k tries, or all of them, have to pass."""

    kind: TriesKind
    k: int
    limit: float

    @property
    def name(self) -> str:
        """The usual name of the number."""
        return f"pass{'@' if self.kind == 'pass_at_k' else '^'}{self.k}"

    def phrase(self, metric: str) -> str:
        """Return the promise as a line of a table."""
        return f"{metric} {self.name} at least {_percent(self.limit)}"


Promise = RateLimit | MeanRange | NoWorse | TriesLimit


def _percent(share: float) -> str:
    return f"{share * 100:.10g} %"
