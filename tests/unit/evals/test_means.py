"""`mean_between`: numbers, judged with what is missing and what cannot be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import ttest_1samp

from tierwise.domain import Outcome, Verdict
from tierwise.errors import EvalUsageError
from tierwise.evals import mean_between, must_refute
from tierwise.evals.cases import gather_cases
from tierwise.evals.judging import judge_eval
from tierwise.evals.plan import PlannedCase
from tierwise.evals.table import judgement_lines, judgement_numbers
from tierwise.evals.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.domain import Judgement
    from tierwise.evals import Expectation
    from tierwise.evals.trial import Score

    Scores = Sequence[Sequence[float | None]]


def judge(expectation: Expectation, scores: Scores) -> Judgement:
    """Judge the numbers of each case; None is a trial that ended in an error."""
    found = gather_cases([f"case {n}" for n in range(len(scores))])
    tally = Tally(
        PlannedCase(case=case, arm="trial", trials=len(values))
        for case, values in zip(found, scores, strict=True)
    )
    for case, values in zip(found, scores, strict=True):
        for value in values:
            outcome = Outcome.ERROR if value is None else Outcome.PASSED
            tally.add(case.id, outcome, {} if value is None else {"grade": value})
    (judgement,) = judge_eval([expectation], [], tally).judgements
    return judgement


SPREAD = [[3.9, 4.1], [4.0, 4.3], [3.8, 4.0], [4.2, 4.1], [3.7, 3.9], [4.1, 4.4]]


def test_a_mean_within_both_ends_is_proven() -> None:
    """Both one-sided bounds lie inside; each case counts the same."""
    found = judge(mean_between("grade", 3.5, 4.5, population="cases_like_these"), SPREAD)
    means = [sum(values) / len(values) for values in SPREAD]
    wanted = ttest_1samp(means, 0.0).confidence_interval(0.90)
    assert found.verdict is Verdict.PROVEN
    assert (found.unit, found.quantity) == ("mean", "mean")
    assert found.estimate == pytest.approx(sum(means) / 6)
    assert found.claims[1].lower == pytest.approx(wanted.low)
    assert found.claims[1].upper == pytest.approx(wanted.high)
    assert found.interval_method == "t over case means"


@pytest.mark.parametrize(
    ("low", "high", "verdict", "said"),
    [
        (4.5, 5.0, Verdict.REFUTED, "the mean is below 4.165, short of 4.5"),
        (3.0, 3.5, Verdict.REFUTED, "the mean is above 3.918, over 3.5"),
        (4.0, 4.5, Verdict.UNDECIDED, "which does not settle 4 to 4.5"),
        (None, 4.5, Verdict.PROVEN, "below 4.138 for these cases"),
        (3.5, None, Verdict.PROVEN, "at least 3.946 for these cases"),
        (4.5, None, Verdict.REFUTED, "short of 4.5"),
        (None, 3.5, Verdict.REFUTED, "over 3.5"),
    ],
)
def test_each_end_decides(
    low: float | None, high: float | None, verdict: Verdict, said: str
) -> None:
    """Either end may be open; rounding goes outward."""
    found = judge(mean_between("grade", low, high), SPREAD)
    assert found.verdict is verdict
    assert said in found.reason


def test_refuting_with_two_ends_takes_the_two_sided_interval() -> None:
    """Two ways to be wrong share the error: what one end alone refutes, both may leave open."""
    found = judge(mean_between("grade", 3.0, 4.0), SPREAD)
    claim = found.claims[0]
    assert claim.lower is not None
    between = (claim.lower + found.interval[0]) / 2 if found.interval else 0.0
    assert judge(mean_between("grade", None, between), SPREAD).verdict is Verdict.REFUTED
    assert judge(mean_between("grade", 0.0, between), SPREAD).verdict is Verdict.UNDECIDED


def test_the_bounds_of_these_cases_are_welchs() -> None:
    """Worked out with numpy: the spread within each case alone, some 4.55 degrees of freedom."""
    claim = judge(mean_between("grade", 3.5, 4.5), SPREAD).claims[0]
    assert (claim.lower, claim.upper) == pytest.approx((3.94611384, 4.13721949))


def test_the_bound_that_is_shown_is_the_tighter_one() -> None:
    """Of two limits the one with less room."""
    near_low = judge(mean_between("grade", 3.8, 9.0), SPREAD)
    near_high = judge(mean_between("grade", 0.0, 4.3), SPREAD)
    assert judgement_numbers(near_low)[3] == ">= 3.946"
    assert judgement_numbers(near_high)[3] == "< 4.138"


def test_missing_trials_count_as_the_worst_of_the_range() -> None:
    """Each of them may have been a 1, or a 5."""
    gaps = [[*values, *values, *values, None] for values in SPREAD]
    open_ = mean_between("grade", 3.0, 5.0, missing_ceiling=0.2)
    ranged = mean_between("grade", 3.0, 5.0, range=(1, 5), missing_ceiling=0.2)
    without, against = judge(open_, gaps), judge(ranged, gaps)
    assert against.claims[0].lower < without.claims[0].lower
    assert against.claims[0].upper > without.claims[0].upper
    assert without.bound == without.bound_if_missing_were_like_the_rest
    assert against.bound != against.bound_if_missing_were_like_the_rest
    assert any("6 trials have no score and weaken no bound" in x for x in without.cautions)
    assert not any("weaken no bound" in x for x in against.cautions)


def test_more_missing_than_the_ceiling_is_undecided_and_asks_for_a_range() -> None:
    """A mean of what happened to be scored proves nothing."""
    gaps = [[*values, None] for values in SPREAD]
    found = judge(mean_between("grade", 3.0, 5.0), gaps)
    assert found.verdict is Verdict.UNDECIDED
    assert "6 of 18 trials have no score (33.34 %)" in found.reason
    assert "range=(least, greatest)" in found.next_step


def test_refuted_stays_refuted_whatever_is_missing() -> None:
    """Where even the best of the range could not save it."""
    low = [[*[1.2, 1.1] * 5, None] for _ in range(6)]
    found = judge(mean_between("grade", 3.0, 5.0, range=(1, 5)), low)
    assert found.verdict is Verdict.REFUTED


@pytest.mark.parametrize("scores", [[[5.0, 5.0], [5.0, 5.0]], [[5.0]]])
def test_no_spread_is_undetermined(scores: Scores) -> None:
    """All agree, or a single score: never a bound of no width."""
    found = judge(mean_between("grade", 4.0, 6.0), scores)
    assert found.verdict is Verdict.UNDECIDED
    assert (found.estimate, found.bound, found.interval) == (5.0, None, None)
    assert "all scores agree exactly, which" in found.reason
    assert found.next_step == (
        "declare the range that no score can leave: range=(least, greatest)"
    )


def test_scores_that_agree_within_each_case_alone_are_said_to_and_show_the_way_out() -> None:
    """Their cases differ, so that the mean is shown, and the other population has an answer."""
    scores = [[3.0] * 4, [3.0] * 4, [1.0] * 4]
    found = judge(mean_between("grade", 1, 5), scores)
    assert found.reason.startswith(
        "within each case all scores agree exactly (mean over cases 2.333), which"
    )
    assert found.next_step == (
        "declare the range that no score can leave: range=(least, greatest); or ask how cases "
        'differ: population="cases_like_these"'
    )
    assert judgement_numbers(found)[1] == "2.333"
    assert any("mean 2.333, no interval" in line for line in judgement_lines(found))
    assert judge(mean_between("grade", 1, 5, range=(1, 5)), scores).next_step == ""


def test_a_range_lets_scores_that_agree_prove_something() -> None:
    """As unanimous trials do of a rate."""
    scores = [[5.0] * 30] * 2
    assert judge(mean_between("grade", 4.0, None), scores).verdict is Verdict.UNDECIDED
    found = judge(mean_between("grade", 4.0, None, range=(0, 5)), scores)
    assert found.verdict is Verdict.PROVEN
    assert found.bound == pytest.approx(5 * 0.05 ** (1 / 60))


def test_one_case_speaks_for_itself_and_for_no_other() -> None:
    """These cases, and only these."""
    found = judge(mean_between("grade", 3.0, 5.0), [[3.9, 4.1, 4.0, 4.2, 3.8]])
    assert found.verdict is Verdict.PROVEN
    assert found.claims[1].sentence.startswith("nothing: fewer than 2 cases")


def test_nothing_scored_is_undecided() -> None:
    """No evidence is not a pass."""
    found = judge(mean_between("grade", 0, 1), [[None, None]])
    assert found.verdict is Verdict.UNDECIDED
    assert "no trial was scored" in found.reason
    assert "mend what keeps them from being scored" in found.next_step


def test_a_score_outside_its_range_is_refused() -> None:
    """One 50 among grades of 1 to 5 would pass for a good mean."""
    with pytest.raises(EvalUsageError, match=r"grade=50\.0, outside of range=\(1\.0, 5\.0\)"):
        judge(mean_between("grade", 3, 5, range=(1, 5)), [[4.0, 50.0], [4.0, 3.0]])


@pytest.mark.parametrize(
    ("scored", "said"),
    [(True, r"at_least\('grade'"), ("good", r"share\('grade'")],
)
def test_what_is_no_number_is_refused_with_the_way_out(scored: Score, said: str) -> None:
    """True and texts have promises of their own."""
    (case,) = gather_cases(["a"])
    tally = Tally([PlannedCase(case=case, arm="trial", trials=1)])
    tally.add("a", Outcome.PASSED, {"grade": scored})
    with pytest.raises(EvalUsageError, match=said):
        judge_eval([mean_between("grade", 0, 1)], [], tally)


def test_an_undecided_mean_says_what_a_new_plan_would_need() -> None:
    """Trials for these cases, cases for others; nothing where the mean itself lies outside."""
    found = judge(mean_between("grade", 4.0, None), SPREAD)
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_needed is not None
    assert found.n_needed > 12
    assert "about 4 times of 5" in found.n_needed_if
    others = judge(mean_between("grade", 4.0, None, population="cases_like_these"), SPREAD)
    assert others.n_needed is not None
    assert others.n_needed > 6
    assert any("cases, if scores lie" in line for line in judgement_lines(others))
    assert judge(mean_between("grade", 4.1, None), SPREAD).n_needed is None


def test_a_negative_control_turns_it_around() -> None:
    """And leaves undecided what is."""
    low = mean_between("grade", 4.5, None)
    assert judge(must_refute(low), SPREAD).verdict is Verdict.PROVEN
    assert judge(must_refute(mean_between("grade", 3, 5)), SPREAD).verdict is Verdict.REFUTED
    assert judge(must_refute(low), [[None, None]]).verdict is Verdict.UNDECIDED


def test_a_mean_reads_as_a_line_of_a_table() -> None:
    """With its interval and how that was made."""
    lines = judgement_lines(judge(mean_between("grade", 3.5, 4.5), SPREAD))
    assert lines[0] == (
        "PROVEN    mean grade between 3.5 and 4.5: at least 3.946 and below 4.138 for these cases"
    )
    assert lines[1] == (
        "  scored 12 of 12 planned, mean 4.042, two-sided 95 % interval 3.918 to 4.165 "
        "(t within cases)"
    )


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (None, None, "both ends are open"),
        (2, 2, "expected low below high"),
        (3, 2, "expected low below high"),
        (float("nan"), 1, "finite number"),
        (True, 2, "finite number"),
        ("1", 2, "finite number"),
    ],
)
def test_ends_that_promise_nothing_are_refused(low: object, high: object, said: str) -> None:
    """With what was expected."""
    with pytest.raises(EvalUsageError, match=said):
        mean_between("grade", low, high)


@pytest.mark.parametrize("span", [5, (1,), (5, 1), (1, 1), (0, float("inf")), ("a", "b")])
def test_a_range_that_is_none_is_refused(span: object) -> None:
    """The least value first, both finite."""
    with pytest.raises(EvalUsageError, match="range"):
        mean_between("grade", 1, 2, range=span)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.none() | st.floats(0, 1), min_size=2, max_size=5), min_size=1, max_size=6
    ),
    st.floats(0, 1),
)
def test_missing_trials_never_help(scores: list[list[float | None]], low: float) -> None:
    """A verdict that stands with gaps in a known range stands without them."""
    promise = mean_between("grade", low, None, range=(0, 1), missing_ceiling=0.99)
    found = judge(promise, scores)
    if found.verdict is Verdict.UNDECIDED:
        return
    claim, alike = found.bound, found.bound_if_missing_were_like_the_rest
    assert claim is not None
    assert alike is not None
    assert claim <= alike if found.bound_side == "lower" else claim >= alike
