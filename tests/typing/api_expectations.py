"""Promises of every kind, as a user would declare them; type-checked, never run."""

from __future__ import annotations

from typing import assert_type

from tierwise.domain import CaseRate, EvalSummary
from tierwise.evals import (
    Expectation,
    Sensitivity,
    StoppingRule,
    Trial,
    anytime,
    at_least,
    evaluate,
    mean_between,
    must_refute,
    never,
    no_worse_than,
    pass_at_k,
    pass_hat_k,
    share,
    sprt,
)

JUDGE = Sensitivity(n_caught=58, n_true=59, source="labelled by two people")
ALL: list[Expectation] = [
    never("leak", below=0.05, detector=JUDGE),
    share("tone", "kind", at_least=0.9),
    share("tone", "rude", at_most=0.01, population="cases_like_these"),
    mean_between("grade", 3.5, 5, range=(1, 5)),
    mean_between("latency_s", None, 2.0, missing_ceiling=0.1),
    no_worse_than("right", margin=0.02),
    no_worse_than("latency_s", margin=0.1, better="lower", baseline="last", range=(0, 60)),
    pass_hat_k("right", 3, at_least=0.8),
    pass_at_k("right", 3, at_least=0.95, confidence=0.99),
    must_refute(mean_between("grade", 3.5, None)),
]


@evaluate(cases=["a"], trials=15, expect=ALL)
def measured(case: str, trial: Trial) -> None:
    """Score every kind of metric."""
    trial.score(leak=False, tone="kind", grade=4.5, right=True, latency_s=0.5)


@evaluate(cases=["a"], trials=500, expect=[at_least("right", 0.9)], stop=sprt(margin=0.05))
def tested(case: str, trial: Trial) -> None:
    """End by Wald's test."""


@evaluate(cases=["a"], trials=500, expect=[at_least("right", 0.9)], stop="fixed")
def fixed(case: str, trial: Trial) -> None:
    """Run to the end."""


def rules() -> None:
    assert_type(sprt(margin=0.05), StoppingRule)
    assert_type(anytime(prior=(1, 99)), StoppingRule)
    assert_type(anytime().is_anytime_valid, bool)
    assert_type(JUDGE.n_caught + JUDGE.n_true, int)


def read(summary: EvalSummary) -> str:
    """Ask a judgement what its number is and what it leaves out."""
    judgement = summary.judgements[0]
    assert_type(judgement.outliers, tuple[CaseRate, ...])
    assert_type(judgement.unpaired, tuple[str, ...])
    assert_type(judgement.n_left, int)
    hidden = ", ".join(f"{case.case_id} {case.n_events}" for case in judgement.outliers)
    return f"{judgement.quantity} {judgement.unit} {judgement.stopped} {hidden}"


def misuse() -> None:
    """Try what a type checker refuses before anything runs."""
    evaluate(cases=["a"], trials=1, expect=ALL, stop="early")  # type: ignore[arg-type]  # no rule
    no_worse_than("right", margin=0.1, better="more")  # type: ignore[arg-type]  # higher or lower
    Sensitivity(58, 59)  # type: ignore[call-arg]  # by name only
    pass_hat_k("right", 3)  # type: ignore[call-arg]  # at least what?
