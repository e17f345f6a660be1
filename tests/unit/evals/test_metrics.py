"""A metric that is expected and never scored is a typing mistake, found early."""

from __future__ import annotations

import pytest

from tierwise.domain import Outcome
from tierwise.evals.metrics import MetricWatch, explain_unscored, find_unscored_dry

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
