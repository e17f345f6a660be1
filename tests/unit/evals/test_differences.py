"""What a comparison promises, held against many pairs of simulated systems."""

from __future__ import annotations

import random

import pytest

from tierwise.evals.comparison import Finding
from tierwise.evals.differences import correct, draft_claim, settle
from tierwise.evals.pairing import MetricPairs, PairedCase
from tierwise.stats import CaseMean, Population

REPEATS = 300


def draw(source: random.Random, rate: float, n: int) -> CaseMean:
    x = sum(source.random() < rate for _ in range(n))
    variance = x * (n - x) / n / (n - 1) if n > 1 else 0.0
    return CaseMean(n=n, mean=x / n, variance=variance)


@pytest.mark.parametrize("population", list(Population))
@pytest.mark.parametrize(
    ("cases", "trials", "rates"), [(20, 15, (0.97, 0.9)), (30, 1, (0.8,)), (12, 5, (0.95, 0.5))]
)
def test_equal_systems_are_seldom_told_apart_and_the_interval_holds(
    population: Population, cases: int, trials: int, rates: tuple[float, ...]
) -> None:
    """At most 5 % false alarms, and about 95 % of intervals hold the true difference of 0."""
    source = random.Random(f"{population} {cases} {trials}")
    alarms = covered = 0
    for _ in range(REPEATS):
        chosen = [source.choice(rates) for _ in range(cases)]
        pairs = MetricPairs(
            metric="ok",
            is_rate=True,
            cases=tuple(
                PairedCase(
                    case_id=str(place),
                    first=draw(source, rate, trials),
                    second=draw(source, rate, trials),
                )
                for place, rate in enumerate(chosen)
            ),
        )
        draft = draft_claim(pairs, population, confidence=0.95)
        claim = settle(draft, correct([draft])[0], confidence=0.95, n_tests=1)
        alarms += claim.finding in (Finding.HIGHER, Finding.LOWER)
        assert claim.interval is not None
        covered += claim.interval[0] <= 0 <= claim.interval[1]
    assert alarms <= 0.075 * REPEATS
    assert covered >= 0.92 * REPEATS
