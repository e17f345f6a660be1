"""`share`: how often a metric that is a text has one value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Outcome, Verdict
from tierwise.errors import EvalUsageError
from tierwise.evals import at_least, evaluate, must_refute, share
from tierwise.evals.cases import gather_cases
from tierwise.evals.counting import Counts
from tierwise.evals.judging import judge, judge_eval
from tierwise.evals.plan import PlannedCase
from tierwise.evals.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.domain import Judgement
    from tierwise.evals import Expectation
    from tierwise.evals.trial import Score

KIND = share("tone", "kind", at_least=0.8)


def look(expectation: Expectation, scores: Sequence[Score | None]) -> Judgement:
    """Judge one case; None is a trial that ended in an error."""
    (case,) = gather_cases(["a"])
    tally = Tally([PlannedCase(case=case, arm="trial", trials=len(scores))])
    for score in scores:
        outcome = Outcome.ERROR if score is None else Outcome.PASSED
        tally.add("a", outcome, {} if score is None else {"tone": score})
    (found,) = judge_eval([expectation], [], tally).judgements
    return found


@pytest.mark.parametrize(("kind", "rude"), [(59, 0), (40, 10), (10, 40), (20, 0)])
def test_a_share_is_judged_as_a_rate_is(kind: int, rude: int) -> None:
    """The bound is the one that at_least has on the same counts."""
    found = look(KIND, ["kind"] * kind + ["rude"] * rude)
    rate = judge(at_least("x", 0.8), Counts(per_case=((kind, kind + rude),), missing=(0,)))
    assert (found.verdict, found.bound, found.estimate) == (
        rate.verdict,
        rate.bound,
        rate.estimate,
    )
    assert (found.n_events, found.unit) == (kind, "rate")


def test_a_limit_from_above_is_judged_too() -> None:
    """And what is missing counts as the value that must be rare."""
    rare = share("tone", "rude", at_most=0.1)
    assert look(rare, ["kind"] * 99).verdict is Verdict.PROVEN
    assert look(rare, ["kind"] * 27 + [None]).verdict is Verdict.UNDECIDED
    assert look(rare, ["rude"] * 20 + ["kind"] * 20).verdict is Verdict.REFUTED


def test_a_value_that_was_never_scored_is_named_with_those_that_were() -> None:
    """A slip of the pen would be proven rare."""
    found = look(share("tone", "rood", at_most=0.1), ["kind"] * 70 + ["rude"] * 29)
    assert found.verdict is Verdict.PROVEN
    assert "no trial scored 'rood'; what they scored is 'kind' (70), 'rude' (29)" in found.cautions
    assert look(share("tone", "rude", at_most=0.9), ["kind"] * 70 + ["rude"] * 29).cautions == ()


def test_free_text_is_no_category() -> None:
    """More than a hundred different ones cannot be told apart for ever."""
    with pytest.raises(EvalUsageError, match="more than 100 different texts in one case"):
        look(KIND, [f"answer {n}" for n in range(200)])


def test_what_is_no_text_is_refused_with_the_way_out() -> None:
    """A claim has a rate of its own, a number a mean."""
    with pytest.raises(EvalUsageError, match=r"holds claims.*texts.*at_least\('tone'"):
        look(KIND, [True])
    with pytest.raises(EvalUsageError, match=r"holds numbers.*mean_between\('tone'"):
        look(KIND, [4.0])


def test_a_negative_control_turns_it_around() -> None:
    """And leaves undecided what is."""
    assert look(must_refute(KIND), ["rude"] * 59).verdict is Verdict.PROVEN
    assert look(must_refute(KIND), [None] * 59).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("limits", [{}, {"at_least": 0.5, "at_most": 0.6}])
def test_one_limit_is_wanted(limits: dict[str, float]) -> None:
    """Two limits are two expectations."""
    with pytest.raises(EvalUsageError, match="expected one of at_least"):
        share("tone", "kind", **limits)


@pytest.mark.parametrize("value", ["", True, None, 3])
def test_a_value_that_is_no_text_is_refused(value: object) -> None:
    """True is what at_least counts."""
    with pytest.raises(EvalUsageError, match="expected the text to count"):
        share("tone", value, at_least=0.5)


@pytest.mark.parametrize("limit", [0, 1, 80])
def test_a_limit_outside_its_range_is_refused(limit: float) -> None:
    """As for every rate."""
    with pytest.raises(EvalUsageError, match="expected a share between 0 and 1"):
        share("tone", "kind", at_most=limit)


def test_two_values_are_two_questions() -> None:
    """Of one metric; the same value twice is not."""
    evaluate(cases=["a"], trials=1, expect=[KIND, share("tone", "rude", at_least=0.1)])
    with pytest.raises(EvalUsageError, match="twice"):
        evaluate(cases=["a"], trials=1, expect=[KIND, share("tone", "kind", at_least=0.1)])


def test_it_reads_as_a_line_of_a_table() -> None:
    """The value in quotes."""
    assert str(KIND) == "tone 'kind' at least 80 %"
    assert str(share("tone", "rude", at_most=0.1)) == "tone 'rude' at most 10 %"
