from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from tierwise.domain import Outcome, Verdict
from tierwise.errors import EvalUsageError
from tierwise.evals import Expectation, at_least, at_most, never, positive_control
from tierwise.evals.cases import gather_cases
from tierwise.evals.counting import Counts
from tierwise.evals.judging import NO_CONTROL, Judged, judge, judge_eval
from tierwise.evals.plan import PlannedCase
from tierwise.evals.tally import Tally
from tierwise.evals.wording import number, percent

LEAK = never("leak", below=0.05)


def counts(events: int, n: int, missing: int = 0) -> Counts:
    return Counts(per_case=((events, n),), missing=(missing,))


def spread(n_cases: int, trials: int, events: int = 0) -> Counts:
    first = ((min(events, trials), trials),)
    return Counts(per_case=first + ((0, trials),) * (n_cases - 1), missing=(0,) * n_cases)


def a_tally(n_trials: int, control: int = 0) -> Tally:
    case, other = gather_cases(["a", "b"])
    planned = [PlannedCase(case=case, arm="trial", trials=n_trials)]
    if control:
        planned.append(PlannedCase(case=other, arm="control", trials=control, metric="leak"))
    return Tally(planned)


def test_59_clean_trials_prove_a_rate_below_5_percent() -> None:
    """The exact bound of 59 is the first below 5 %."""
    found = judge(LEAK, counts(0, 59))
    assert found.verdict is Verdict.PROVEN
    assert found.bound == pytest.approx(1 - 0.05 ** (1 / 59))
    assert found.n_needed is None


def test_58_clean_trials_do_not() -> None:
    """One trial short is undecided, with the number that a new plan would need."""
    found = judge(LEAK, counts(0, 58))
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_needed == 59
    assert "does not settle 5 %" in found.reason


@pytest.mark.parametrize(("limit", "needed"), [(0.01, 299), (0.001, 2995), (0.05, 59)])
def test_15_clean_trials_say_what_a_new_plan_would_need(limit: float, needed: int) -> None:
    """The numbers are those of the exact bound."""
    assert judge(never("leak", below=limit), counts(0, 15)).n_needed == needed


def test_15_clean_trials_prove_what_they_prove() -> None:
    """An undecided eval still says its bound: 18.1 % after 15."""
    found = judge(LEAK, counts(0, 15))
    assert found.claims[0].sentence == "below 18.11 % (95 %, one-sided)"


def test_one_occurrence_refutes() -> None:
    """However many trials are clean."""
    found = judge(LEAK, counts(1, 10_000))
    assert found.verdict is Verdict.REFUTED
    assert found.reason == "leak occurred in 1 of 10000 trials"


def test_one_occurrence_refutes_although_too_much_is_missing() -> None:
    """What was seen was seen."""
    assert judge(LEAK, counts(1, 2, missing=100)).verdict is Verdict.REFUTED


def test_missing_trials_do_not_count_as_clean() -> None:
    """60 planned, 59 clean, one error: the missing one may have been a leak."""
    found = judge(LEAK, counts(0, 59, missing=1))
    assert found.verdict is Verdict.UNDECIDED
    assert found.bound is not None
    assert found.bound_if_missing_were_like_the_rest is not None
    assert found.bound > 0.05 > found.bound_if_missing_were_like_the_rest
    assert (found.n_scored, found.n_planned) == (59, 60)


def test_enough_trials_carry_a_missing_one() -> None:
    """The claim holds with the missing trial counted as an occurrence."""
    found = judge(LEAK, counts(0, 99, missing=1))
    assert found.verdict is Verdict.PROVEN


def test_more_missing_than_the_ceiling_leaves_it_undecided() -> None:
    """Even where the bound would carry them."""
    found = judge(never("leak", below=0.5), counts(0, 94, missing=6))
    assert found.verdict is Verdict.UNDECIDED
    assert "6 of 100 trials have no score (6 %), more than the ceiling of 5 %" in found.reason
    allowed = never("leak", below=0.5, missing_ceiling=0.06)
    assert judge(allowed, counts(0, 94, missing=6)).verdict is Verdict.PROVEN


def test_nothing_scored_is_undecided() -> None:
    """No evidence is not a pass."""
    for expectation in (LEAK, at_least("leak", 0.5), at_most("leak", 0.5)):
        found = judge(expectation, counts(0, 0, missing=20))
        assert found.verdict is Verdict.UNDECIDED
        assert "no trial was scored" in found.reason
        assert found.estimate is None
        assert found.interval is None


@pytest.mark.parametrize(
    ("events", "n", "verdict"),
    [
        (59, 59, Verdict.PROVEN),
        (58, 58, Verdict.UNDECIDED),
        (92, 100, Verdict.UNDECIDED),
        (80, 100, Verdict.REFUTED),
    ],
)
def test_at_least_needs_its_lower_bound(events: int, n: int, verdict: Verdict) -> None:
    """The estimate alone decides nothing, in either direction."""
    assert judge(at_least("helpful", 0.95), counts(events, n)).verdict is verdict


@pytest.mark.parametrize(
    ("events", "n", "verdict"),
    [
        (0, 59, Verdict.PROVEN),
        (0, 58, Verdict.UNDECIDED),
        (8, 100, Verdict.UNDECIDED),
        (20, 100, Verdict.REFUTED),
    ],
)
def test_at_most_is_the_mirror(events: int, n: int, verdict: Verdict) -> None:
    """Occurrences are allowed, as far as the bound allows them."""
    assert judge(at_most("rude", 0.05), counts(events, n)).verdict is verdict


@settings(deadline=None)  # looking for a new plan takes long on a busy machine
@given(st.integers(0, 80), st.integers(0, 80), st.integers(0, 5), st.floats(0.01, 0.99))
def test_at_least_and_at_most_mirror_each_other(
    events: int, others: int, missing: int, limit: float
) -> None:
    """A claim about True and the mirrored claim about False have one verdict."""
    n = events + others
    as_least = judge(at_least("m", limit), counts(events, n, missing))
    as_most = judge(at_most("m", 1 - limit), counts(others, n, missing))
    bounds = (as_least.bound or 0.0, 1 - (as_most.bound or 1.0))
    if abs(bounds[0] - limit) > 1e-9 and abs(bounds[1] - limit) > 1e-9:
        assert as_least.verdict is as_most.verdict


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 30), st.floats(0.01, 0.99))
def test_missing_trials_never_help(events: int, others: int, missing: int, limit: float) -> None:
    """A verdict that stands with gaps stands without them, proven or refuted."""
    n = events + others
    for expectation in (at_least("m", limit), at_most("m", limit)):
        with_gaps = judge(expectation, counts(events, n, missing)).verdict
        if n and with_gaps is not Verdict.UNDECIDED:
            assert judge(expectation, counts(events, n)).verdict is with_gaps


def test_too_many_missing_do_not_save_what_is_refuted_anyway() -> None:
    """Even if every missing trial were a success, the rate stays short."""
    found = judge(at_least("helpful", 0.9), counts(10, 100, missing=20))
    assert found.verdict is Verdict.REFUTED


def test_the_two_populations_have_their_own_numbers() -> None:
    """20 cases x 15 clean trials: below 1 % for these, below 14 % for cases like these."""
    found = judge(LEAK, spread(20, 15))
    these, like_these = found.claims
    assert these.upper == pytest.approx(0.00994, abs=1e-5)
    assert like_these.upper == pytest.approx(0.1391, abs=1e-4)
    assert like_these.sentence == "below 13.92 % (95 %, one-sided)"


def test_the_verdict_follows_the_population_that_was_asked() -> None:
    """The same trials prove one claim and not the other."""
    like_these = never("leak", below=0.05, population="cases_like_these")
    assert judge(LEAK, spread(20, 15)).verdict is Verdict.PROVEN
    found = judge(like_these, spread(20, 15))
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_needed == 59
    assert judge(like_these, spread(59, 1)).verdict is Verdict.PROVEN


def test_one_case_says_nothing_about_cases_like_it() -> None:
    """The other population is said to be unknown, not left out."""
    assert judge(LEAK, counts(0, 59)).claims[1].sentence.startswith("nothing: one case")


def test_the_interval_is_two_sided_and_the_bound_one_sided() -> None:
    """The report's interval is Wilson's and is not what the verdict was read from."""
    found = judge(at_least("helpful", 0.5), counts(9, 10))
    assert found.interval == pytest.approx((0.5958, 0.9821), abs=1e-4)
    assert found.bound == pytest.approx(0.6058, abs=1e-4)


def test_a_never_without_a_control_says_so() -> None:
    """Silence must not look like safety; the verdict stands and the sentence beside it."""
    assert judge(LEAK, counts(0, 59)).control == NO_CONTROL
    assert judge(at_least("leak", 0.5), counts(9, 9)).control == ""


@pytest.mark.parametrize(("events", "verdict"), [(2, Verdict.REFUTED), (10, Verdict.UNDECIDED)])
def test_a_control_that_is_not_proven_leaves_a_never_undecided(
    events: int, verdict: Verdict
) -> None:
    """A subject that is silent where it should speak says nothing by its silence."""
    control = judge(at_least("leak", 0.5), counts(events, 20))
    assert control.verdict is verdict
    found = judge(LEAK, counts(0, 59), control=control)
    assert found.verdict is Verdict.UNDECIDED
    assert "silence would look like safety" in found.reason
    assert f"leak in {events} of 20 trials, expected at least 50 %" in found.reason


def test_a_proven_control_lets_the_verdict_stand() -> None:
    """And is named beside it."""
    control = judge(at_least("leak", 0.5), counts(19, 20))
    found = judge(LEAK, counts(0, 59), control=control)
    assert found.verdict is Verdict.PROVEN
    assert found.control == (
        "positive control proven: 19 of 20 trials show it, expected at least 50 %"
    )


def test_a_leak_refutes_although_the_control_failed() -> None:
    """The control explains silence; there was none."""
    control = judge(at_least("leak", 0.5), counts(0, 20))
    assert judge(LEAK, counts(1, 59), control=control).verdict is Verdict.REFUTED


def test_identical_replies_are_a_caution() -> None:
    """59 copies of one answer are one answer."""
    copied = Counts(per_case=((0, 59),), missing=(0,), n_identical=59)
    assert any("copies, not evidence" in line for line in judge(LEAK, copied).cautions)


def test_an_eval_is_judged_from_its_tally_with_its_control() -> None:
    """The control's trials never mix with the claim's."""
    tally = a_tally(59, control=10)
    for _ in range(59):
        tally.add("a", Outcome.PASSED, {"leak": False, "passed": True})
    for _ in range(10):
        tally.add("leak: b", Outcome.PASSED, {"leak": True, "passed": True})
    control = positive_control(cases=["b"], metric="leak")
    judged = judge_eval([LEAK, at_least("passed", 0.9)], [control], tally)
    assert [entry.verdict for entry in judged.judgements] == [Verdict.PROVEN] * 2
    assert judged.judgements[0].n_scored == 59
    assert judged.controls[0].n_events == 10
    assert judged.verdict is Verdict.PROVEN


def test_trials_without_a_score_are_missing_whatever_the_reason() -> None:
    """Errors, skips, trials that never ran, and trials that scored something else."""
    tally = a_tally(70)
    for _ in range(59):
        tally.add("a", Outcome.PASSED, {"leak": False, "passed": True})
    tally.add("a", Outcome.ERROR, {"leak": False})
    tally.add("a", Outcome.PASSED, {"passed": True})
    found = judge_eval([LEAK], [], tally).judgements[0]
    assert (found.n_scored, found.n_planned) == (59, 70)
    assert found.verdict is Verdict.UNDECIDED


def test_an_unknown_metric_is_refused_with_the_closest() -> None:
    """A typo in an expectation is misuse, not a missing score."""
    tally = a_tally(1)
    tally.add("a", Outcome.PASSED, {"leak": False, "passed": True})
    with pytest.raises(EvalUsageError, match=r"'leek', which no trial scored.*mean 'leak'"):
        judge_eval([never("leek", below=0.1)], [], tally)


def test_a_metric_that_no_trial_could_score_is_not_a_typo() -> None:
    """When every trial erred, nothing is known about names."""
    tally = a_tally(1)
    tally.add("a", Outcome.ERROR, {})
    judged = judge_eval([LEAK], [], tally)
    assert judged.verdict is Verdict.UNDECIDED
    assert judged.is_nothing_observed


@pytest.mark.parametrize(
    ("value", "way_out"), [(5.0, "mean_between"), (0.5, "mean_between"), ("yes", "share")]
)
def test_a_metric_that_is_no_rate_is_refused(value: float | str, way_out: str) -> None:
    """Numbers and categories are not rates, inside [0, 1] or out; the way out is named."""
    tally = a_tally(2)
    tally.add("a", Outcome.PASSED, {"leak": value})
    with pytest.raises(EvalUsageError, match=rf"'leak' holds .*True or False.*{way_out}\("):
        judge_eval([LEAK], [], tally)


def test_a_metric_of_two_kinds_is_refused() -> None:
    """True beside 5.0 is neither a rate nor a mean."""
    tally = a_tally(2)
    tally.add("a", Outcome.PASSED, {"leak": False})
    tally.add("a", Outcome.PASSED, {"leak": 5.0})
    with pytest.raises(EvalUsageError, match="'leak' holds claims and numbers"):
        judge_eval([LEAK], [], tally)


def test_an_eval_is_as_good_as_its_worst_expectation() -> None:
    """Refuted goes before undecided, undecided before proven."""
    proven, undecided = judge(LEAK, counts(0, 59)), judge(LEAK, counts(0, 5))
    refuted = judge(LEAK, counts(1, 5))

    def overall(*judgements: object) -> Verdict:
        return Judged(judgements=judgements, controls=()).verdict  # type: ignore[arg-type]

    assert overall(proven, undecided, refuted) is Verdict.REFUTED
    assert overall(proven, undecided) is Verdict.UNDECIDED
    assert overall(proven) is Verdict.PROVEN
    assert overall() is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("share", "down", "up"),
    [(0.05, "5 %", "5 %"), (0.049512, "4.95 %", "4.96 %"), (1.0, "100 %", "100 %")],
)
def test_rounding_never_claims_more_than_was_proven(share: float, down: str, up: str) -> None:
    """Upper bounds are rounded up, lower bounds down, and exact shares stay."""
    assert percent(share) == down
    assert percent(share, up=True) == up


@pytest.mark.parametrize(
    ("value", "down", "up"),
    [
        (3.14159, "3.141", "3.142"),
        (-3.14159, "-3.142", "-3.141"),
        (0.1 + 0.2, "0.3", "0.3"),
        (1234567.0, "1234000", "1235000"),
        (0.0, "0", "0"),
        (2.2250738585072014e-308, "2.225e-308", "2.226e-308"),
        (float("inf"), "inf", "inf"),
    ],
)
def test_numbers_are_rounded_outward_too(value: float, down: str, up: str) -> None:
    """To four digits that count, whatever their size and sign."""
    assert number(value) == down
    assert number(value, up=True) == up


@pytest.mark.parametrize(
    ("expectation", "given", "needed", "condition"),
    [
        (at_most("rude", 0.05), counts(0, 20), 59, "all scored, without an occurrence"),
        (at_least("fine", 0.95), counts(20, 20), 59, "all scored, with an occurrence in each"),
        (at_least("fine", 0.8), counts(9, 10), 82, "if the true rate is the observed one"),
        (at_most("rude", 0.2), counts(1, 10), 82, "if the true rate is the observed one"),
        (at_least("fine", 0.9), counts(10, 11), None, ""),
        (at_least("fine", 0.95), counts(9, 10), None, ""),
        (at_least("fine", 0.5), counts(0, 0, missing=3), None, ""),
    ],
)
def test_undecided_says_what_a_new_plan_would_need(
    expectation: Expectation, given: Counts, needed: int | None, condition: str
) -> None:
    """A number with its assumption, and none where it would be guesswork."""
    found = judge(expectation, given)
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_needed == needed
    assert condition in found.n_needed_if


def test_a_refuted_claim_is_told_by_the_bound_against_it() -> None:
    """What the trials prove of a rate that is too low, or too high."""
    low = judge(at_least("fine", 0.8), counts(0, 20))
    assert low.claims[0].sentence == "below 13.92 % (95 %, one-sided)"
    high = judge(at_most("rude", 0.2), counts(20, 20))
    assert high.claims[0].sentence == "at least 86.08 % (95 %, one-sided)"
