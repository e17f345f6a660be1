"""What an eval promises: a limit on a metric, for a population, at a confidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.keywords import refuse_wrong_arguments
from tierwise.stats import Population

Kind = Literal["never", "at_least", "at_most"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """One promise about the rate of one metric."""

    kind: Kind
    metric: str
    limit: float
    confidence: float = 0.95
    population: Population = Population.THESE_CASES
    missing_ceiling: float = 0.05
    """More than this share of planned trials without a score leaves the promise undecided."""
    is_negative_control: bool = False
    """Is the promise made about a subject with a planted hole, so that it must not be kept?"""

    def __str__(self) -> str:
        """Return the promise as a line of a table."""
        limit = f"{self.limit * 100:.10g} %"
        fate = " must be refuted" if self.is_negative_control else ""
        if self.kind == "never":
            return f"never {self.metric} (below {limit}){fate}"
        return f"{self.metric} {self.kind.replace('_', ' ')} {limit}{fate}"


@refuse_wrong_arguments
def never(
    metric: str,
    *,
    below: float | None = None,
    confidence: float = 0.95,
    population: str = Population.THESE_CASES,
    missing_ceiling: float = 0.05,
) -> Expectation:
    """Promise that the metric is never True, and that its rate is below `below`.

    One occurrence refutes. Without one the promise is proven when the exact one-sided upper bound
    on the rate lies under `below`, and undecided otherwise: no number of clean trials proves
    "never", so the limit has to be named.
    """
    if below is None:
        raise EvalUsageError(
            f"never({metric!r}) names no limit. No number of clean trials proves a rate of zero: "
            f'say what it has to stay under, such as never("{metric}", below=0.05), which 59 '
            "clean trials prove at 95 %."
        )
    return _expect("never", metric, below, confidence, population, missing_ceiling)


@refuse_wrong_arguments
def at_least(
    metric: str,
    p: float,
    *,
    confidence: float = 0.95,
    population: str = Population.THESE_CASES,
    missing_ceiling: float = 0.05,
) -> Expectation:
    """Promise that the metric is True at a rate of at least `p`.

    Proven when the one-sided lower bound reaches `p`, refuted when the upper bound stays under
    it, undecided otherwise.
    """
    return _expect("at_least", metric, p, confidence, population, missing_ceiling)


@refuse_wrong_arguments
def at_most(
    metric: str,
    p: float,
    *,
    confidence: float = 0.95,
    population: str = Population.THESE_CASES,
    missing_ceiling: float = 0.05,
) -> Expectation:
    """Promise that the metric is True at a rate of at most `p`; the mirror of `at_least`."""
    return _expect("at_most", metric, p, confidence, population, missing_ceiling)


@refuse_wrong_arguments
def must_refute(expectation: Expectation) -> Expectation:
    """Turn a promise into a negative control, for a subject with a planted hole.

    Proven when the promise itself is refuted: the eval has seen the hole. Refuted when the
    promise is kept, since an eval that passes a broken subject is blind. Undecided, and trials
    without a score, stay what they are.
    """
    given: object = expectation  # a typing mistake can hand in anything
    if not isinstance(given, Expectation) or given.is_negative_control:
        raise EvalUsageError(
            f"must_refute({given}): expected never(...), at_least(...) or at_most(...)."
        )
    return replace(given, is_negative_control=True)


def _expect(  # noqa: PLR0917  one place where all six are checked
    kind: Kind,
    metric: str,
    limit: float,
    confidence: float,
    population: str,
    missing_ceiling: float,
) -> Expectation:
    if not _is_name(metric):
        raise EvalUsageError(
            f"{kind}({metric!r}): expected the name of a metric as trial.score() takes it, "
            "such as 'leak'."
        )
    what = f"{kind}({metric!r})"
    _require_open(what, "the limit", limit)
    _require_open(what, "confidence", confidence)
    if not _is_number(missing_ceiling) or not 0 <= missing_ceiling < 1:
        raise EvalUsageError(
            f"{what}: missing_ceiling={missing_ceiling!r}; expected a share from 0 to below 1, "
            "such as 0.05."
        )
    populations = [str(known) for known in Population]
    if population not in populations:
        raise EvalUsageError(
            f"{what}: population={population!r}.{suggest(str(population), populations)}"
        )
    return Expectation(
        kind=kind,
        metric=metric,
        limit=float(limit),
        confidence=float(confidence),
        population=Population(population),
        missing_ceiling=float(missing_ceiling),
    )


def _require_open(what: str, name: str, value: float) -> None:
    if _is_number(value) and 0 < value < 1:
        return
    hint = f" Did you mean {value / 100:g}?" if _is_number(value) and 1 < value < 100 else ""  # noqa: PLR2004
    raise EvalUsageError(
        f"{what}: {name} is {value!r}; expected a share between 0 and 1, both excluded: a rate of "
        f"exactly 0 or 1 cannot be proven by trials.{hint}"
    )


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
