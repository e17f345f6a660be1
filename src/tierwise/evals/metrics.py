"""Metrics that are expected and never scored: typing mistakes, found before they cost trials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.promises import MeanRange, NoWorse, RateLimit
from tierwise.evals.trial import PASSED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tierwise.evals.expectations import Expectation
    from tierwise.evals.tally import CaseCount, MetricCount
    from tierwise.evals.trial import Score

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


def refuse_unscored_dry(expectations: Sequence[Expectation], cases: Iterable[CaseCount]) -> None:
    """Refuse an expectation whose metric the one trial of a dry run did not score, or wrongly."""
    expected = [entry.metric for entry in expectations]
    for case in cases:
        for outcome in case.outcomes:
            metric = find_unscored_dry(expected, outcome, case.metrics)
            if metric is not None:
                raise EvalUsageError(explain_unscored(metric, case.metrics))
        for entry in expectations:
            found = case.metrics.get(entry.metric)
            if found is not None and (wrong := _explain_kinds(entry, _kinds_of([found]))):
                raise EvalUsageError(wrong)


def explain_wrong_kind(expectations: Iterable[Expectation], scores: Mapping[str, Score]) -> str:
    """Return what is wrong with a score that no promise about its metric can judge, if one is.

    Asked of each trial that lands, so that a number where a claim is judged does not cost a plan.
    """
    for entry in expectations:
        score = scores.get(entry.metric)
        if score is None:
            continue
        if (kind := _kind_of(score)) not in _wanted_by(entry):
            return _explain_kinds(entry, {kind})
        span = entry.promise.span if isinstance(entry.promise, MeanRange | NoWorse) else None
        if not isinstance(score, str) and (wrong := explain_outside(entry.metric, span, score)):
            return wrong
    return ""


def explain_outside(metric: str, span: tuple[float, float] | None, *ends: float) -> str:
    """Return what is wrong with scores outside the range that was said to hold all of them."""
    for score in ends:
        if span is not None and not span[0] <= score <= span[1]:
            return (
                f"A trial scored {metric}={score!r}, outside of range={span}. Either the score or "
                "the range is wrong, and a mean of such scores means nothing."
            )
    return ""


def explain_unscored(name: str, scored: Iterable[str]) -> str:
    """Return what is wrong with an expectation about a metric that no trial scored."""
    known = set(scored)
    return (
        f"An expectation names the metric {name!r}, which no trial scored."
        f"{suggest(name, known - {PASSED} or known)}"
    )


def check_metrics(expectations: Iterable[Expectation], cases: Sequence[CaseCount]) -> None:
    """Refuse a metric that no trial scored although trials scored others, or of another kind."""
    known = {metric for case in cases for metric in case.metrics}
    for entry in expectations:
        if known and entry.metric not in known:
            raise EvalUsageError(explain_unscored(entry.metric, known))
        found = [case.metrics[entry.metric] for case in cases if entry.metric in case.metrics]
        if wrong := _explain_kinds(entry, _kinds_of(found)):
            raise EvalUsageError(wrong)
        _refuse_values(entry, found)


def _kinds_of(found: Iterable[MetricCount]) -> set[str]:
    counts = list(found)
    held = {
        "claims": any(entry.n_rated for entry in counts),
        "numbers": any(entry.n_numbers for entry in counts),
        "texts": any(entry.n_texts for entry in counts),
    }
    return {kind for kind, is_held in held.items() if is_held}


def _kind_of(score: Score) -> str:
    if isinstance(score, bool):
        return "claims"
    return "texts" if isinstance(score, str) else "numbers"


def _wanted_by(expectation: Expectation) -> frozenset[str]:
    promise = expectation.promise
    if isinstance(promise, RateLimit):
        return _CLAIMS if promise.value is None else _TEXTS
    return _WANTED[promise.kind]


def _explain_kinds(expectation: Expectation, kinds: set[str]) -> str:
    name, wanted = expectation.metric, _wanted_by(expectation)
    if len(kinds) > 1:
        return (
            f"The metric {name!r} holds {' and '.join(sorted(kinds))}: one metric is True or "
            "False, a number or a text in every trial. Give each a name of its own."
        )
    for kind in kinds - wanted:
        return (
            f"The metric {name!r} holds {kind}, and {expectation.kind} is about "
            f"{' or '.join(sorted(_IN_WORDS[each] for each in wanted))}. {_OUT[kind](name)}"
        )
    return ""


def _refuse_values(expectation: Expectation, found: Sequence[MetricCount]) -> None:
    promise = expectation.promise
    if isinstance(promise, MeanRange | NoWorse):
        numbers = [entry.numbers for entry in found if entry.numbers is not None]
        ends = [end for held in numbers for end in (held.low, held.high)]
        if wrong := explain_outside(expectation.metric, promise.span, *ends):
            raise EvalUsageError(wrong)
    elif any(entry.n_other_texts for entry in found):
        raise EvalUsageError(
            f"The metric {expectation.metric!r} holds more than 100 different texts in one case: "
            "that is no category. Score a claim about the text, or one of a few words."
        )


_CLAIMS, _TEXTS, _NUMBERS = frozenset({"claims"}), frozenset({"texts"}), frozenset({"numbers"})
_WANTED = {
    "mean_between": _NUMBERS,
    "no_worse_than": _CLAIMS | _NUMBERS,
    "pass_at_k": _CLAIMS,
    "pass_hat_k": _CLAIMS,
}
_IN_WORDS = {"claims": "claims that are True or False", "numbers": "numbers", "texts": "texts"}
_OUT = {
    "claims": lambda name: f"Expect a rate: at_least({name!r}, 0.9).",
    "numbers": lambda name: (
        f"Expect a mean, such as mean_between({name!r}, 0.5, None), or score a claim, such as "
        f"trial.score(good_{name}={name} >= 0.5)."
    ),
    "texts": lambda name: f"Expect a share of one of them: share({name!r}, 'good', at_least=0.9).",
}
