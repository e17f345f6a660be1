"""Scores of many trials added up by case and metric."""

from __future__ import annotations

import random
from statistics import variance

import pytest

from tierwise.domain import Outcome
from tierwise.records import PlanRow
from tierwise.records.scores import OTHER_CATEGORIES, CaseScores, EvalScores, MetricScores


def test_each_kind_of_score_is_counted_apart() -> None:
    """True, False, numbers and categories; the sum takes True as 1 and leaves categories out."""
    scores = MetricScores()
    for value in (True, True, False, 2.5, -1.0, "polite", "rude"):
        scores.add(value)
    scores.add("polite", times=3)
    assert (scores.n_true, scores.n_false, scores.n_numbers) == (2, 1, 2)
    assert scores.categories == {"polite": 4, "rude": 1}
    assert scores.total == pytest.approx(3.5)
    assert scores.n == 10


def test_the_variance_keeps_its_digits_far_away_from_zero() -> None:
    """Numbers such as points in time differ little from each other and much from zero."""
    values = [1.7e9 + random.Random(1).random() * place for place in range(50)]
    scores = MetricScores()
    for value in values:
        scores.add(value)
    assert scores.variance == pytest.approx(variance(values), rel=1e-6)
    assert scores.total == pytest.approx(sum(values), rel=1e-15)


def test_one_number_has_no_variance() -> None:
    """A single number says nothing about spread, and equal ones say zero."""
    scores = MetricScores()
    scores.add(0.1)
    assert scores.variance is None
    scores.add(0.1, times=2)
    assert scores.variance == 0.0


def test_a_free_text_does_not_fill_the_memory() -> None:
    """Categories beyond the first 50 of a case share one count, and none is lost."""
    scores = MetricScores()
    for place in range(60):
        scores.add(f"text {place}")
    assert scores.categories[OTHER_CATEGORIES] == 10
    assert scores.n_categories == 60


def test_a_trial_without_a_score_is_counted_and_its_scores_are_not() -> None:
    """What was scored before a trial went wrong is no observation."""
    case = CaseScores()
    case.add(Outcome.PASSED, {"leak": False}, 2)
    case.add(Outcome.FAILED, {"leak": True}, 1)
    case.add(Outcome.ERROR, {"leak": True}, 4)
    plan = PlanRow(
        run_id="r",
        plan_hash="p",
        eval_id="e",
        tier=None,
        n_cases=1,
        trials=9,
        n_planned=9,
        provider="x",
    )
    scores = EvalScores(plan=plan, cases={"a": case})
    assert (case.metrics["leak"].n_true, case.metrics["leak"].n) == (1, 3)
    assert (scores.n_landed, scores.n_scored, case.n_unscored) == (7, 3, 4)
    assert scores.metrics == ("leak",)
