"""Metrics that are expected and never scored: typing mistakes, found before they cost trials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.tally import MetricCount
from tierwise.evals.trial import PASSED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from tierwise.evals.expectations import Expectation
    from tierwise.evals.tally import CaseCount

_MISSES = 3
"""So many trials in a row that scored something, but never what is expected, are no accident."""


class MetricWatch:
    """Notices while trials land that an expected metric is never scored."""

    def __init__(self, expected: Iterable[str]) -> None:
        self._unseen = set(expected)
        self._n_misses = 0

    def take(self, outcome: Outcome, scores: Collection[str]) -> str | None:
        """Take one trial; return the metric that nobody scores once that is clear."""
        if not self._unseen:
            return None
        self._unseen.difference_update(scores)
        # A body that an assert ended early, or that scored nothing this time, tells nothing.
        if outcome is Outcome.PASSED and self._unseen and set(scores) - {PASSED}:
            self._n_misses += 1
        return min(self._unseen) if self._unseen and self._n_misses >= _MISSES else None


def find_unscored_dry(
    expected: Iterable[str], outcome: Outcome, scores: Collection[str]
) -> str | None:
    """Return the first expected metric that a dry run's one trial should have scored.

    An assert may end a body before its scores, since the answers are made up: then only a body
    that had scored something is held to the rest.
    """
    is_whole = outcome is Outcome.PASSED
    is_cut = outcome is Outcome.FAILED and bool(set(scores) - {PASSED})
    if not (is_whole or is_cut):
        return None
    return next((metric for metric in expected if metric not in scores), None)


def refuse_unscored_dry(expectations: Iterable[Expectation], cases: Iterable[CaseCount]) -> None:
    """Refuse an expectation whose metric the one trial of a dry run did not score."""
    expected = [entry.metric for entry in expectations]
    for case in cases:
        for outcome in case.outcomes:
            metric = find_unscored_dry(expected, outcome, case.metrics)
            if metric is not None:
                raise EvalUsageError(explain_unscored(metric, case.metrics))


def explain_unscored(name: str, scored: Iterable[str]) -> str:
    """Return what is wrong with an expectation about a metric that no trial scored."""
    known = set(scored)
    return (
        f"An expectation names the metric {name!r}, which no trial scored."
        f"{suggest(name, known - {PASSED} or known)}"
    )


def check_metrics(names: Iterable[str], cases: Sequence[CaseCount]) -> None:
    """Refuse a metric that no trial scored although trials scored others, or that is no rate."""
    known = {metric for case in cases for metric in case.metrics}
    for name in names:
        if known and name not in known:
            raise EvalUsageError(explain_unscored(name, known))
        for case in cases:
            found = case.metrics.get(name, MetricCount())
            if found.n_numbers or found.n_texts:
                kind = "numbers" if found.n_numbers else "texts"
                raise EvalUsageError(
                    f"The metric {name!r} holds {kind}; never, at_least and at_most judge the "
                    "rate of a claim that is True or False. Score a claim, such as "
                    f"trial.score(good_{name}={name} >= 0.5)."
                )
