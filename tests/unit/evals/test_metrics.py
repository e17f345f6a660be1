"""A metric that is expected and never scored is a typing mistake, found early."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Outcome
from tierwise.errors import EvalUsageError
from tierwise.evals import at_least, mean_between, no_worse_than, pass_hat_k, share
from tierwise.evals.cases import gather_cases
from tierwise.evals.metrics import (
    MetricWatch,
    explain_unscored,
    explain_wrong_kind,
    find_unscored_dry,
    refuse_unscored_dry,
)
from tierwise.evals.plan import PlannedCase
from tierwise.evals.tally import Tally

if TYPE_CHECKING:
    from tierwise.evals.trial import Score

PASSED, FAILED, ERROR = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR


def test_three_misses_in_a_row_are_enough() -> None:
    """Each ended normally and scored something, but nobody the metric that is expected."""
    watch = MetricWatch(["leak"])
    found = [watch.take(PASSED, {"leek": False, "passed": True}) for _ in range(3)]
    assert found == [None, None, "leak"]


def test_a_metric_that_was_scored_once_is_no_typing_mistake() -> None:
    """From then on a trial without it is a trial without a score."""
    watch = MetricWatch(["leak"])
    assert watch.take(FAILED, {"leak": True}) is None
    assert [watch.take(PASSED, {"x": True}) for _ in range(9)] == [None] * 9


@pytest.mark.parametrize(
    ("outcome", "scores"),
    [(ERROR, {"x": True}), (FAILED, {"x": True}), (PASSED, {"passed": True})],
)
def test_trials_that_tell_nothing_are_not_counted(
    outcome: Outcome, scores: dict[str, bool]
) -> None:
    """An error, an assert that ended the body early, a body that scored nothing this time."""
    watch = MetricWatch(["leak"])
    assert [watch.take(outcome, scores) for _ in range(9)] == [None] * 9


def test_the_message_names_the_closest_scored_metric() -> None:
    """`passed` is no suggestion where others were scored."""
    said = explain_unscored("leak", {"leek", "passed"})
    assert "the metric 'leak', which no trial scored" in said
    assert "Did you mean 'leek'?" in said
    assert "passed" not in said


def test_a_dry_run_finds_the_metric_in_one_trial() -> None:
    """When the body ended, or when an assert ended it after it had scored something."""
    assert find_unscored_dry(["leak"], PASSED, {"leek", "passed"}) == "leak"
    assert find_unscored_dry(["leak"], PASSED, {"passed"}) == "leak"
    assert find_unscored_dry(["leak"], FAILED, {"leek", "passed"}) == "leak"
    assert find_unscored_dry(["leak", "passed"], PASSED, {"leak", "passed"}) is None
    assert find_unscored_dry(["leak"], FAILED, {"passed"}) is None
    assert find_unscored_dry(["leak"], ERROR, {"leek"}) is None


PROMISES = [
    at_least("ok", 0.5),
    share("tone", "kind", at_least=0.5),
    mean_between("grade", 1, 5, range=(0, 6)),
    no_worse_than("ok", margin=0.1),
    no_worse_than("cost", margin=0.1),
    pass_hat_k("ok", 2, at_least=0.5),
]
FITTING = {"ok": True, "tone": "curt", "grade": 4.5, "cost": 0.01, "passed": True}


def test_scores_that_fit_their_promises_are_fine() -> None:
    """A metric that is not scored this time is not wrong."""
    assert explain_wrong_kind(PROMISES, FITTING) == ""
    assert explain_wrong_kind(PROMISES, {"passed": True}) == ""


@pytest.mark.parametrize(
    ("metric", "score", "said"),
    [
        ("ok", 0.5, "at_least is about claims that are True or False"),
        ("ok", "yes", "at_least is about claims"),
        ("tone", True, "at_least is about texts"),
        ("grade", True, "mean_between is about numbers"),
        ("cost", "cheap", "no_worse_than is about claims that are True or False or numbers"),
        ("grade", 7.5, r"outside of range=\(0\.0, 6\.0\)"),
    ],
)
def test_a_score_that_its_promise_cannot_judge_is_found_at_once(
    metric: str, score: Score, said: str
) -> None:
    """In the first trial that has it, before the plan is paid for."""
    wrong = explain_wrong_kind(PROMISES, {**FITTING, metric: score})
    assert re.search(said, wrong)


def test_a_dry_run_finds_a_score_of_the_wrong_kind() -> None:
    """Offline; a value outside its range is no fault of a made-up answer."""
    (case,) = gather_cases(["a"])
    tally = Tally([PlannedCase(case=case, arm="trial", trials=1)])
    tally.add("a", Outcome.PASSED, {**FITTING, "grade": 99.0})
    refuse_unscored_dry(PROMISES, tally.of_arm("trial"))
    other = Tally([PlannedCase(case=case, arm="trial", trials=1)])
    other.add("a", Outcome.PASSED, {**FITTING, "ok": 1.0})
    with pytest.raises(EvalUsageError, match=r"'ok' holds numbers.*mean_between\('ok'"):
        refuse_unscored_dry(PROMISES, other.of_arm("trial"))
