"""What an eval expects: a promise about a metric, for a population, at a confidence."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.keywords import refuse_wrong_arguments
from tierwise.evals.promises import NoWorse, Promise, RateLimit, TriesLimit
from tierwise.stats import Population


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """One promise about one metric."""

    metric: str
    promise: Promise
    confidence: float = 0.95
    population: Population = Population.THESE_CASES
    missing_ceiling: float = 0.05
    """More than this share of planned trials without a score leaves the promise undecided."""
    is_negative_control: bool = False
    """Is the promise made about a subject with a planted hole, so that it must not be kept?"""

    @property
    def kind(self) -> str:
        """The word that the promise is declared with, such as `never`."""
        return self.promise.kind

    @property
    def question(self) -> tuple[str, ...]:
        """What is asked, without its limit: two answers to one question contradict each other."""
        promise = self.promise
        more = promise.value if isinstance(promise, RateLimit) else None
        if isinstance(promise, NoWorse):
            more = promise.baseline
        if isinstance(promise, TriesLimit):
            more = str(promise.k)
        return (promise.kind, self.metric, self.population, more or "")

    def __str__(self) -> str:
        """Return the promise as a line of a table."""
        fate = " must be refuted" if self.is_negative_control else ""
        return f"{self.promise.phrase(self.metric)}{fate}"


def baseline_of(expectation: Expectation) -> str | None:
    """Return the run that an expectation names to be compared with, if it does."""
    promise = expectation.promise
    return promise.baseline if isinstance(promise, NoWorse) else None


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
            f"must_refute({given}): expected a promise such as never(...), at_least(...) or "
            "mean_between(...)."
        )
    return replace(given, is_negative_control=True)


def expect(
    metric: str, promise: Promise, *, confidence: float, population: str, missing_ceiling: float
) -> Expectation:
    """Make an expectation of a checked promise; refuse what the rest cannot mean."""
    what = say_call(promise.kind, metric)
    given: object = metric
    if not isinstance(given, str) or not given.isidentifier():
        raise EvalUsageError(
            f"{what}: expected the name of a metric as trial.score() takes it, such as 'leak'."
        )
    require_share(what, "confidence", confidence)
    if not is_number(missing_ceiling) or not 0 <= missing_ceiling < 1:
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
        metric=metric,
        promise=promise,
        confidence=float(confidence),
        population=Population(population),
        missing_ceiling=float(missing_ceiling),
    )


def say_call(kind: str, metric: object) -> str:
    """Return how an expectation was called, for a message about it."""
    return f"{kind}({metric!r})"


def require_share(what: str, name: str, value: float) -> float:
    """Return a share between 0 and 1; refuse the ends, which no trials can prove."""
    if is_number(value) and 0 < value < 1:
        return float(value)
    hint = f" Did you mean {value / 100:g}?" if is_number(value) and 1 < value < 100 else ""  # noqa: PLR2004
    raise EvalUsageError(
        f"{what}: {name} is {value!r}; expected a share between 0 and 1, both excluded: a rate of "
        f"exactly 0 or 1 cannot be proven by trials.{hint}"
    )


def is_number(value: object) -> bool:
    """Return whether the value is a number, which True is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)
