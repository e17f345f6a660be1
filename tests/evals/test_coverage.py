"""How often a claim is false: small evals with a known truth, judged by an eval of evals.

A case is a scenario, a trial is one whole eval of simulated subjects, through the real engine, and
what is scored is whether that eval claimed what is not so. At a confidence of 95 % no more than
one in twenty may. The limits leave room for the bound on that share, and for methods that are
approximate more of it than for exact ones.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from small_eval import Subject, draw_rates, run_small

from tierwise.evals import (
    Sensitivity,
    anytime,
    at_least,
    at_most,
    evaluate,
    mean_between,
    never,
    no_worse_than,
    sprt,
)
from tierwise.providers import FailureKind

if TYPE_CHECKING:
    from typing import Any

    from tierwise.domain import Claim
    from tierwise.evals import Trial

EXACT, APPROXIMATE = 0.07, 0.09
THESE, LIKE_THESE = "these_cases", "cases_like_these"
SHAPES = [
    {"id": "cases alike", "shape": (3000, 7000)},
    {"id": "cases differ", "shape": (2, 2)},
    {"id": "cases are easy or hard", "shape": (0.5, 0.5)},
]


def is_too_high(claim: Claim, truth: float) -> bool:
    """Return whether "at least" was claimed of what is less."""
    return claim.lower is not None and claim.lower > truth


def is_too_low(claim: Claim, truth: float) -> bool:
    """Return whether "at most" was claimed of what is more."""
    return claim.upper is not None and claim.upper < truth


@evaluate(
    cases=SHAPES,
    trials=120,
    expect=[
        at_most("clopper_pearson_too_high", EXACT),
        at_most("clopper_pearson_too_low", EXACT),
        at_most("wilson_misses", APPROXIMATE),
        at_most("korn_graubard_too_high", APPROXIMATE),
        at_most("korn_graubard_too_low", APPROXIMATE),
        at_least("says_something", 0.9),
    ],
)
def test_bounds_of_a_rate_hold(case: dict[str, Any], trial: Trial) -> None:
    """For exactly the cases that ran, and for all that might have been drawn."""
    shape = case["shape"]
    subject = Subject(rates=draw_rates(shape, 8, seed=trial.seed), seed=trial.seed)
    ran = run_small(subject, at_least("hit", 0.01), trials=6)
    these, like_these = ran.claim(THESE), ran.claim(LIKE_THESE)
    low, high = ran.judgements[0].interval or (0.0, 1.0)
    mean = shape[0] / sum(shape)
    trial.score(
        clopper_pearson_too_high=is_too_high(these, subject.rate),
        clopper_pearson_too_low=is_too_low(these, subject.rate),
        wilson_misses=not low <= subject.rate <= high,
        korn_graubard_too_high=is_too_high(like_these, mean),
        korn_graubard_too_low=is_too_low(like_these, mean),
        says_something=(like_these.lower or 0.0) > 0,
    )


@evaluate(
    cases=[
        {"id": "one case", "n": 1, "trials": 9, "judged": 12},
        {"id": "nine cases", "n": 9, "trials": 1, "judged": 4},
        {"id": "too few trials", "n": 6, "trials": 1, "judged": 2},
    ],
    trials=200,
    expect=[at_most("proven", EXACT), at_least("proven", 0.01), at_most("proven_by_judge", EXACT)],
)
def test_never_is_seldom_proven_of_what_happens(case: dict[str, Any], trial: Trial) -> None:
    """The rate is the one that was promised to be out of reach: nine clean trials are luck.

    A judge who misses every other event, known by forty labelled ones, gets no more credit.
    """
    rate, caught, n_labelled = 0.3, 0.5, 40
    names = [f"case {k}" for k in range(case["n"])]
    subject = Subject(rates=dict.fromkeys(names, rate), seed=trial.seed)
    seen = Subject(rates=dict.fromkeys(names, rate * caught), seed=trial.seed + 1)
    chance = random.Random(trial.seed)
    n_caught = sum(chance.random() < caught for _ in range(n_labelled))
    detector = Sensitivity(n_caught=n_caught, n_true=n_labelled)
    by_judge = never("hit", below=rate, detector=detector)
    ran = run_small(subject, never("hit", below=rate), trials=case["trials"], stop="curtailed")
    judged = run_small(seen, by_judge, trials=case["judged"], stop="curtailed")
    trial.score(proven=ran.verdicts == ("proven",), proven_by_judge=judged.verdicts == ("proven",))


@evaluate(
    cases=SHAPES,
    trials=160,
    expect=[
        at_most("within_cases_too_high", APPROXIMATE),
        at_most("within_cases_too_low", APPROXIMATE),
        at_most("over_cases_too_high", APPROXIMATE),
        at_most("over_cases_too_low", APPROXIMATE),
        at_least("repeats_buy_no_cases", 0.9),
    ],
)
def test_bounds_of_a_mean_hold(case: dict[str, Any], trial: Trial) -> None:
    """Points of cases that differ by more than their trials do."""
    shape = case["shape"]
    rates = draw_rates(shape, 8, seed=trial.seed)
    chance = random.Random(trial.seed)
    base = {name: chance.gauss(3.0, 1.0) for name in rates}
    subject = Subject(rates=rates, base=base, seed=trial.seed)
    ran = run_small(subject, mean_between("points", -9.0, None), trials=3)
    these, like_these = ran.claim(THESE), ran.claim(LIKE_THESE)
    mean = 3.0 + shape[0] / sum(shape)
    trial.score(
        within_cases_too_high=is_too_high(these, subject.points),
        within_cases_too_low=is_too_low(these, subject.points),
        over_cases_too_high=is_too_high(like_these, mean),
        over_cases_too_low=is_too_low(like_these, mean),
        repeats_buy_no_cases=(like_these.lower or -9.0) < (these.lower or -9.0),
    )


@evaluate(
    cases=SHAPES,
    trials=150,
    expect=[
        at_most("proven_of_these", APPROXIMATE),
        at_most("too_high_of_these", APPROXIMATE),
        at_most("too_low_of_these", APPROXIMATE),
        at_most("too_high_of_like_these", APPROXIMATE),
        at_most("too_low_of_like_these", APPROXIMATE),
    ],
)
def test_no_worse_is_seldom_proven_of_what_got_worse(case: dict[str, Any], trial: Trial) -> None:
    """Each case got worse, some more than others; the margin is just too small for it."""
    old = draw_rates(case["shape"], 8, seed=trial.seed)
    kept = draw_rates((8, 2), 8, seed=trial.seed + 1)
    new = {name: rate * kept[name] for name, rate in old.items()}
    before = Subject(rates=old, seed=trial.seed)
    after = Subject(rates=new, seed=trial.seed + 1)
    difference = after.rate - before.rate
    baseline = run_small(before, at_least("hit", 0.0001), trials=3).baseline
    promises = [no_worse_than(name, margin=-difference - 1e-9) for name in ("hit", "points")]
    ran = run_small(after, *promises, trials=3, baseline=baseline)
    these, like_these = ran.claim(THESE), ran.claim(LIKE_THESE, of=1)
    mean = case["shape"][0] / sum(case["shape"]) * (0.8 - 1)
    trial.score(
        proven_of_these=ran.verdicts[0] == "proven",
        too_high_of_these=is_too_high(these, difference),
        too_low_of_these=is_too_low(these, difference),
        too_high_of_like_these=is_too_high(like_these, mean),
        too_low_of_like_these=is_too_low(like_these, mean),
    )


@evaluate(
    cases=[{"id": rate, "rate": rate} for rate in (0.1, 0.5, 0.9)],
    trials=50,
    expect=[never("differs", below=0.02), at_least("ends_early", 0.25)],
)
def test_an_early_end_changes_no_verdict(case: dict[str, Any], trial: Trial) -> None:
    """The default stopping rule comes to what the whole plan comes to, trials missing or not."""
    failures = {FailureKind.BUSY: 0.03}
    rates = dict.fromkeys("abc", case["rate"])
    subject = Subject(rates=rates, failures=failures, seed=trial.seed)
    promise = at_least("hit", 0.5)
    whole = run_small(subject, promise, trials=12)
    early = run_small(subject, promise, trials=12, stop="curtailed")
    assert len(whole.results) == 36
    trial.score(differs=early.verdicts != whole.verdicts, ends_early=len(early.results) < 36)


@evaluate(
    cases=[
        {"id": "sprt", "stop": sprt(margin=0.15), "rates": (0.4, 0.4)},
        {"id": "sprt, cases differ", "stop": sprt(margin=0.15), "rates": (0.1, 0.7)},
        {"id": "anytime", "stop": anytime(), "rates": (0.4, 0.4)},
        {"id": "anytime, cases differ", "stop": anytime(), "rates": (0.1, 0.7)},
    ],
    trials=75,
    expect=[
        at_most("proves_at_least", EXACT),
        at_most("proves_at_most", EXACT),
        at_most("too_high", EXACT),
        at_most("too_low", EXACT),
    ],
)
def test_looking_all_the_time_is_paid_for(case: dict[str, Any], trial: Trial) -> None:
    """Where the rate is just off its limit, a rule that looks each round errs no more often."""
    rates = {f"case {k}": rate for k, rate in enumerate(case["rates"])}
    subject = Subject(rates=rates, seed=trial.seed)
    promises = at_least("hit", subject.rate + 1e-9), at_most("hit", subject.rate - 1e-9)
    ran = run_small(subject, *promises, trials=30, stop=case["stop"])
    trial.score(
        proves_at_least=ran.verdicts[0] == "proven",
        proves_at_most=ran.verdicts[1] == "proven",
        too_high=is_too_high(ran.claim(THESE), subject.rate - 1e-6),
        too_low=is_too_low(ran.claim(THESE), subject.rate + 1e-6),
    )


UNKNOWN = [
    {
        "id": "one case and all that are like it",
        "rates": {"a": 0.5},
        "promise": at_least("hit", 0.01, population=LIKE_THESE),
    },
    {
        "id": "scores that all agree",
        "rates": {"a": 0.0, "b": 0.0},
        "promise": mean_between("points", -9.0, 9.0),
    },
    {
        "id": "no run to compare with",
        "rates": {"a": 0.5, "b": 0.5},
        "promise": no_worse_than("hit", margin=0.9),
    },
    {
        "id": "no trial with a score",
        "rates": {"a": 0.5, "b": 0.5},
        "failures": {FailureKind.BUSY: 1.0},
        "promise": at_most("hit", 0.99),
    },
]


@evaluate(
    cases=UNKNOWN,
    trials=38,
    expect=[never("settled", below=0.02), never("bounded", below=0.02)],
)
def test_what_cannot_be_told_is_undecided(case: dict[str, Any], trial: Trial) -> None:
    """Nothing is claimed where nothing is known: no bound, and no interval without width."""
    subject = Subject(rates=case["rates"], failures=case.get("failures", {}), seed=trial.seed)
    promise = case["promise"]
    (judged,) = run_small(subject, promise, trials=5).judgements
    asked = next(claim for claim in judged.claims if claim.population == promise.population)
    low, high = judged.interval or (0.0, 1.0)
    has_bound = {asked.lower, asked.upper, judged.bound} != {None}
    trial.score(settled=str(judged.verdict) != "undecided", bounded=has_bound or low == high)
