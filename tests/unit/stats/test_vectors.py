"""Every reference number of vectors.json, one test each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scipy.stats import binom

from tierwise import stats
from tierwise.stats import sequences

if TYPE_CHECKING:
    from collections.abc import Callable

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text(encoding="utf-8"))

Y5X4 = [[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]]
A = [0.9, 1, 0.6, 0.8, 0.7, 1, 0.5, 0.9]
B = [0.8, 0.9, 0.6, 0.5, 0.6, 1, 0.4, 0.7]
BH_1995 = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1),
]
ROOT_FINDING = {"B0/299", "B95/100", "E1"}
DYNAMIC_PROGRAMMING = {"B500"}


def ends(interval: stats.Interval | stats.Undetermined) -> list[float]:
    assert isinstance(interval, stats.Interval)
    return [interval.low, interval.high]


def counts(cases: list[list[int]]) -> list[tuple[int, int]]:
    return [(sum(case), len(case)) for case in cases]


def bound_20_by_15() -> list[float]:
    found = [stats.bounds_for(population, [(0, 15)] * 20) for population in stats.Population]
    return [bounds.upper for bounds in found if isinstance(bounds, stats.RateBounds)]


def repeats() -> list[float]:
    found = stats.weigh_repeats(Y5X4)
    assert isinstance(found, stats.RepeatWeight)
    return [found.intraclass_correlation, found.design_effect, found.effective_trials]


def paired() -> stats.PairedDifference:
    found = stats.compare_paired(A, B)
    assert isinstance(found, stats.PairedDifference)
    return found


def mcnemar(b: int, c: int) -> list[float]:
    return [stats.mcnemar_test(b, c, method=method).value for method in ("exact", "mid-p")]


def plan_95_v_90(alpha: float, beta: float) -> stats.SequentialTest:
    return stats.SequentialTest(good=0.95, bad=0.90, alpha=alpha, beta=beta, cap=1000)


def clean_until_accepted() -> int:
    plan = plan_95_v_90(0.05, 0.05)
    return next(n for n in range(1, 1000) if plan.after(0, n) is not None)


def ever_excluded(rate: float, looks: int) -> float:
    waiting, excluded = {0: 1.0}, 0.0
    for n in range(1, looks + 1):
        step: dict[int, float] = {}
        for x, p in waiting.items():
            step[x] = step.get(x, 0.0) + p * (1 - rate)
            step[x + 1] = step.get(x + 1, 0.0) + p * rate
        waiting = {}
        for x, p in step.items():
            evidence = sequences._log_mixture(x, n, 1, 1) - sequences._log_likelihood(x, n, rate)
            if evidence >= 2.995732273553991:
                excluded += p
            elif p > 1e-15:
                waiting[x] = p
    return excluded


def kappa(table: list[list[int]]) -> list[float]:
    found = stats.cohen_kappa(table)
    assert isinstance(found, stats.Agreement)
    assert not isinstance(found.error, stats.Undetermined)
    return [found.kappa, found.error, *ends(found.interval)]


def corrected(flagged: int, n: int, specific: int) -> stats.CorrectedRate:
    found = stats.correct_rate(flagged, n, caught=(90, 100), cleared=(specific, 100))
    assert isinstance(found, stats.CorrectedRate)
    return found


def rejections() -> list[int]:
    methods = (
        *(stats.bonferroni, stats.holm, stats.hochberg),
        *(stats.benjamini_hochberg, stats.benjamini_yekutieli),
    )
    return [sum(p <= 0.05 for p in method(BH_1995)) for method in methods]


CHECKS: dict[str, Callable[[], Any]] = {
    "Z15": lambda: stats.zero_bound(15),
    "Z100": lambda: stats.zero_bound(100),
    "Z298": lambda: stats.zero_bound(298),
    "Z299": lambda: stats.zero_bound(299),
    "Z299x1": lambda: stats.upper_bound(1, 299),
    "Z100x2": lambda: stats.upper_bound(2, 100),
    "N0_0.05_0.95": lambda: stats.trials_needed(0.05),
    "N0_0.01_0.95": lambda: stats.trials_needed(0.01),
    "N0_0.01_0.99": lambda: stats.trials_needed(0.01, confidence=0.99),
    "N0_0.01_0.90": lambda: stats.trials_needed(0.01, confidence=0.90),
    "N1_0.01_0.95": lambda: stats.trials_needed(0.01, events=1),
    "N2_0.01_0.95": lambda: stats.trials_needed(0.01, events=2),
    "N3_0.01_0.95": lambda: stats.trials_needed(0.01, events=3),
    "Zsee15": lambda: stats.detection_probability(0.05, 15),
    "Zsee15b": lambda: stats.detection_probability(0.01, 15),
    "Zcl": bound_20_by_15,
    "Zse": lambda: stats.trials_needed(0.01, sensitivity=0.9),
    "Zbonf": lambda: stats.trials_needed(0.01, secrets=10),
    "C9/10": lambda: ends(stats.clopper_pearson(9, 10)),
    "W7/50": lambda: ends(stats.wilson(7, 50)),
    "W95/100": lambda: ends(stats.wilson(95, 100)),
    "C95/100": lambda: ends(stats.clopper_pearson(95, 100)),
    "J0/10": lambda: ends(stats.jeffreys(0, 10))[1],
    "L58/60": lambda: stats.lower_bound(58, 60),
    "K3": lambda: stats.clustered_error(Y5X4, kind="CR0"),
    "K4": lambda: stats.clustered_error(Y5X4),
    "K5": repeats,
    "K7": lambda: [
        stats.effective_trials(counts(Y5X4)),
        *ends(stats.korn_graubard(counts(Y5X4))),
    ],
    "D1": lambda: [paired().difference, paired().error],
    "D2": lambda: [paired().t, paired().p_value],
    "D3": lambda: ends(paired().interval),
    "D4": lambda: paired().unpaired_error,
    "M1,7": lambda: mcnemar(1, 7),
    "M10,25": lambda: mcnemar(10, 25),
    "M2,2": lambda: mcnemar(2, 2)[1],
    "BS": lambda: stats.bootstrap_error([0, 1, 1, 0.5]),
    "S1": lambda: list(stats.wald_bounds(alpha=0.05, beta=0.2)),
    "S2": lambda: [plan_95_v_90(0.05, 0.2).per_fail, plan_95_v_90(0.05, 0.2).per_pass],
    "S4": clean_until_accepted,
    "B0/299": lambda: ends(stats.confidence_sequence(0, 299)),
    "B95/100": lambda: ends(stats.confidence_sequence(95, 100)),
    "B984": lambda: stats.clean_trials_needed(0.01),
    "B473": lambda: stats.clean_trials_needed(0.01, prior=(1, 99)),
    "B500": lambda: ever_excluded(0.05, 500),
    "E1": lambda: stats.mixture_e_value(0, 500, rate=0.01),
    "P1": lambda: stats.trials_per_arm(0.95, 0.90),
    "P2": lambda: stats.trials_per_arm(0.95, 0.90, corrected=True),
    "P3": lambda: stats.power_of_arms(0.95, 0.90, 435),
    "P4": lambda: stats.trials_per_arm(0.95, 0.90, two_sided=False),
    "P7": lambda: stats.pairs_needed(0.06, 0.01),
    "P8": lambda: [
        stats.power_of_mcnemar(0.06, 0.01, 218, method="exact"),
        stats.power_of_mcnemar(0.06, 0.01, 218),
    ],
    "A10,3,5": lambda: stats.pass_at_k(3, 10, k=5),
    "A200,13,10": lambda: stats.pass_at_k(13, 200, k=10),
    "A10,2,3": lambda: stats.pass_at_k(2, 10, k=3),
    "H10,9,3": lambda: stats.pass_hat_k(9, 10, k=3),
    "H10,2,3": lambda: stats.pass_hat_k(2, 10, k=3),
    "Anaive": lambda: sum(
        binom.pmf(passes, 10, 0.3) * (1 - (1 - passes / 10) ** 4) for passes in range(11)
    ),
    "F0011": lambda: [stats.outcome_entropy(2, 4), stats.flip_rate([False, False, True, True])],
    "F0101": lambda: [stats.outcome_entropy(2, 4), stats.flip_rate([False, True, False, True])],
    "MC1": rejections,
    "MC2": lambda: list(stats.benjamini_hochberg(BH_1995)[:5]),
    "MC4": lambda: sum(stats.e_bh([60, 45, 12, 3, 0.5], alpha=0.1)),
    "MC5": lambda: stats.false_alarm_probability(20),
    "KA20": lambda: kappa([[20, 5], [10, 15]]),
    "KA45": lambda: kappa([[45, 15], [25, 15]]),
    "KA25": lambda: kappa([[25, 35], [5, 35]]),
    "KA90": lambda: kappa([[90, 5], [5, 0]]),
    "R1": lambda: [corrected(140, 200, 85).rate, *ends(corrected(140, 200, 85).interval)],
    "R2": lambda: corrected(140, 200, 85).raw,
    "R3": lambda: corrected(0, 299, 98).raw,
}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_the_reference_number_is_reproduced(vector: dict[str, Any]) -> None:
    """Our function gives the number that an independent implementation gave."""
    found = CHECKS[vector["id"]]()
    if isinstance(vector["value"], int):
        assert found == vector["value"]
        return
    tolerance = 1e-8
    if vector["id"] in ROOT_FINDING:
        tolerance = 1e-6
    if vector["id"] in DYNAMIC_PROGRAMMING:
        tolerance = 1e-4
    assert found == pytest.approx(vector["value"], rel=tolerance, abs=1e-12)


def test_each_vector_has_a_check_and_each_check_a_vector() -> None:
    """A number that is added to the file without a check turns this red."""
    ids = [vector["id"] for vector in VECTORS]
    assert len(ids) == len(set(ids)) > 60
    assert set(ids) == set(CHECKS)
