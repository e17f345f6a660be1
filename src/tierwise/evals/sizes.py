"""How a number of trials is split over cases, for each of the two populations."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tierwise.stats import Population

THESE, LIKE = str(Population.THESE_CASES), str(Population.CASES_LIKE_THESE)
TINY = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How sure one wants to be, and how a plan may be split."""

    confidence: float = 0.95
    power: float = 0.8
    """The chance of seeing what is there, where that is a matter of luck."""
    cases: int | None = None
    """As many cases as there are; None where that is open."""
    icc: float | None = None
    """How alike trials of one case are: 0 as unlike as those of others, 1 all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """What one population takes; None where no number is enough, or none is known."""

    population: str
    sentence: str
    n_trials: int | None = None
    """In all; of two systems, for each."""
    n_cases: int | None = None
    trials_each: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """A question about a plan, answered for both populations."""

    question: str
    sizes: tuple[Size, ...]
    assumptions: tuple[str, ...]
    notes: tuple[str, ...] = ()


def split_these(n: int, setting: Setting, *, of: str = "") -> Size:
    """Return a number of trials in all, split over the cases that there are."""
    where = f" {of}" if of else ""
    if setting.cases is None:
        return Size(
            population=THESE,
            sentence=f"{n} trials{where} in all, however they are split over cases",
            n_trials=n,
        )
    each = math.ceil(n / setting.cases)
    return Size(
        population=THESE,
        sentence=f"{n} trials{where}: {setting.cases} cases of {say_trials(each)}",
        n_trials=setting.cases * each,
        n_cases=setting.cases,
        trials_each=each,
    )


def need_cases(n: int, setting: Setting) -> Size:
    """Return what a claim takes that all cases agree on: each of them counts once."""
    if setting.cases is not None and setting.cases < n:
        return refuse(
            LIKE,
            f"{setting.cases} cases are too few, however often each of them runs: {n} are needed",
            n_cases=n,
        )
    return Size(
        population=LIKE,
        sentence=f"{n} cases of one trial: a case counts once, however often it runs",
        n_trials=n,
        n_cases=n,
        trials_each=1,
    )


def size_like(n: int, fewest: int, setting: Setting) -> Size:
    """Return what `n` independent trials are in trials of cases that resemble each other."""
    if setting.icc is None:
        least = f"; no fewer than {fewest} cases" if fewest > 1 else ""
        return Size(
            population=LIKE,
            sentence=f"{max(n, fewest)} cases of one trial, or fewer cases with repeats as far as "
            f"trials of one case differ (--icc){least}",
            n_trials=max(n, fewest),
            n_cases=max(n, fewest),
            trials_each=1,
        )
    if setting.cases is None:
        return _offer_splits(n, fewest, setting.icc)
    room = setting.cases - n * setting.icc
    if setting.cases < fewest or room <= 0:
        needed = max(fewest, math.floor(n * setting.icc) + 1)
        return refuse(
            LIKE,
            f"{setting.cases} cases are too few, however often each of them runs: at least "
            f"{needed} are needed",
            n_cases=needed,
        )
    each = max(1, math.ceil(n * (1 - setting.icc) / room - TINY))
    return Size(
        population=LIKE,
        sentence=f"about {setting.cases} cases of {say_trials(each)}",
        n_trials=setting.cases * each,
        n_cases=setting.cases,
        trials_each=each,
    )


def _offer_splits(n: int, fewest: int, icc: float) -> Size:
    def cases_at(each: int) -> int:
        return max(fewest, math.ceil(n * (1 + (each - 1) * icc) / each - TINY))

    offers = [f"{cases_at(each)} of {say_trials(each)}" for each in (1, 3, 10)]
    return Size(
        population=LIKE,
        sentence=f"cases, about: {', or '.join(offers)}",
        n_trials=cases_at(1),
        n_cases=cases_at(1),
        trials_each=1,
    )


def refuse(population: str, reason: str, *, n_cases: int | None = None) -> Size:
    """Return that no plan of this kind answers the question."""
    return Size(population=population, sentence=reason, n_cases=n_cases)


def say_trials(n: int) -> str:
    """Return a number of trials in words."""
    return "one trial" if n == 1 else f"{n} trials"


def say_percent(share: float) -> str:
    """Return a share in per cent, four digits of it."""
    return f"{share * 100:.4g} %"
