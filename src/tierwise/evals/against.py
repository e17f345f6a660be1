"""Does a trial speak against what its eval promises?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.records import TrialRow


def speaks_against(trial: TrialRow, better: Mapping[str, str], metric: str | None) -> bool:
    """Did it not pass, or score what its eval promises against? With a metric, only by that."""
    if metric is None and trial.outcome is not Outcome.PASSED:
        return True
    return any(
        is_worse(trial, name, way)
        for name, way in better.items()
        if metric is None or is_of(name, metric)
    )


def is_of(name: str, metric: str) -> bool:
    """Is a promise, by the name of what it counts, about the metric?"""
    # A text that is counted goes by `metric=text`.
    return metric in (name, name.partition("=")[0])


def is_worse(trial: TrialRow, name: str, way: str) -> bool:
    """Did the trial score the metric the way that its promise speaks against?"""
    score = trial.scores.get(name)
    if isinstance(score, bool):
        return score is (way == "lower")
    metric, is_text, text = name.partition("=")
    score = trial.scores.get(metric)
    if not is_text or not isinstance(score, str):
        return False
    return (score == text) is (way == "lower")
