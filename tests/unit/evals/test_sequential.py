"""`sprt` and `anytime`: verdicts that hold although somebody looked again and again."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from tierwise.domain import Outcome, Verdict
from tierwise.errors import EvalUsageError
from tierwise.evals import (
    Sensitivity,
    anytime,
    at_least,
    at_most,
    evaluate,
    mean_between,
    must_refute,
    never,
    sprt,
)
from tierwise.evals.cases import gather_cases
from tierwise.evals.judging import judge_eval
from tierwise.evals.plan import PlannedCase
from tierwise.evals.planned_trials import PlannedTrial
from tierwise.evals.sequential import Sequential
from tierwise.evals.stopping import StopWatch
from tierwise.evals.tally import Tally
from tierwise.stats import (
    Interval,
    Undetermined,
    confidence_sequence,
    excludes_rate,
    ratio_e_value,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.domain import Judgement
    from tierwise.evals import Expectation, StoppingRule
    from tierwise.evals.trial import Score

    Landed = tuple[Outcome, dict[str, Score]]

FINE = at_least("m", 0.9)
LEAK = never("m", below=0.05)
TRUE: Landed = (Outcome.PASSED, {"m": True})
FALSE: Landed = (Outcome.PASSED, {"m": False})
GONE: Landed = (Outcome.ERROR, {})
RULES = [sprt(margin=0.05), anytime()]


def follow(
    expectation: Expectation, rule: StoppingRule, trials: Sequence[Landed], *, cases: int = 1
) -> Sequential:
    path = Sequential(expectation, rule, Counter({len(trials) // cases: cases}))
    for place, (outcome, scores) in enumerate(trials):
        path.take(place // cases, outcome, scores)
    return path


def judge(
    expectation: Expectation, rule: StoppingRule, landed: Sequence[Landed], *, planned: int
) -> Judgement:
    (case,) = gather_cases(["a"])
    plan = [PlannedCase(case=case, arm="trial", trials=planned)]
    tally, watch = Tally(plan), StopWatch(expectations=[expectation], cases=plan, rule=rule)
    for index, (outcome, scores) in enumerate(landed):
        tally.add("a", outcome, scores)
        trial = PlannedTrial(planned=plan[0], index=index, key="", seed=0)
        if watch.take(trial, outcome, scores):
            break
    (found,) = judge_eval([expectation], [], tally, watch=watch).judgements
    return found


def test_walds_test_proves_once_its_evidence_passes_one_in_twenty() -> None:
    """All True against 90 %, tested for 95 %: the first trial at which the ratio reaches 20."""
    path = follow(FINE, sprt(margin=0.05), [TRUE] * 100)
    assert path.verdict is Verdict.PROVEN
    assert ratio_e_value(path.n, path.n, rate=0.9, against=0.95) >= 20
    assert ratio_e_value(path.n - 1, path.n - 1, rate=0.9, against=0.95) < 20


def test_walds_test_refutes_against_a_worse_rate() -> None:
    """All False against 90 %, tested for 85 %."""
    path = follow(FINE, sprt(margin=0.05), [FALSE] * 100)
    assert path.verdict is Verdict.REFUTED
    assert ratio_e_value(0, path.n, rate=0.9, against=0.85) >= 20
    assert ratio_e_value(0, path.n - 1, rate=0.9, against=0.85) < 20


def test_the_sequence_decides_once_it_excludes_the_limit() -> None:
    """On the side where the observed rate lies."""
    path = follow(FINE, anytime(), [TRUE] * 100)
    assert path.verdict is Verdict.PROVEN
    assert excludes_rate(path.n, path.n, 0.9)
    assert not excludes_rate(path.n - 1, path.n - 1, 0.9)
    assert follow(FINE, anytime(), [FALSE] * 10).verdict is Verdict.REFUTED


@pytest.mark.parametrize("rule", RULES)
def test_at_most_is_the_mirror(rule: StoppingRule) -> None:
    """True and False change places."""
    most = at_most("m", 0.1)
    assert follow(most, rule, [FALSE] * 200).n == follow(FINE, rule, [TRUE] * 200).n
    assert follow(most, rule, [FALSE] * 200).verdict is Verdict.PROVEN
    assert follow(most, rule, [TRUE] * 200).verdict is Verdict.REFUTED


@pytest.mark.parametrize("rule", RULES)
def test_a_never_needs_few_more_trials_than_a_fixed_plan(rule: StoppingRule) -> None:
    """61 clean trials instead of 59 for 5 %: a tenth of the wealth tolerates gaps."""
    path = follow(LEAK, rule, [FALSE] * 100)
    assert (path.verdict, path.n) == (Verdict.PROVEN, 61)
    assert follow(LEAK, rule, [FALSE, TRUE]).verdict is Verdict.REFUTED


def test_a_gap_in_a_never_costs_trials_and_not_the_run() -> None:
    """A trial without a score may have been an occurrence."""
    path = follow(LEAK, anytime(), [*[FALSE] * 30, GONE, *[FALSE] * 300])
    assert path.verdict is Verdict.PROVEN
    assert 100 < path.n < 331


@pytest.mark.parametrize("rule", RULES)
def test_gaps_are_counted_against_either_verdict(rule: StoppingRule) -> None:
    """As False where it is to be proven, as True where it is to be refuted."""
    patient = at_least("m", 0.9, missing_ceiling=0.5)
    for gap, rest in ((FALSE, TRUE), (TRUE, FALSE)):
        found = follow(patient, rule, [GONE, *[rest] * 400])
        assert found.n == follow(patient, rule, [gap, *[rest] * 400]).n
        assert found.verdict in (Verdict.PROVEN, Verdict.REFUTED)


def test_more_gaps_than_the_ceiling_prove_nothing() -> None:
    """Of the trials that were looked at, not of the plan."""
    half = [TRUE, GONE] * 1000
    assert follow(at_least("m", 0.2), anytime(), half).verdict is None
    patient = at_least("m", 0.2, missing_ceiling=0.6)
    assert follow(patient, anytime(), half).verdict is Verdict.PROVEN


def test_it_looks_after_whole_rounds_of_cases() -> None:
    """Two of three cases never make a round, however clear they are."""
    path = Sequential(FINE, anytime(), Counter({200: 3}))
    for index in range(200):
        for _ in range(2):
            path.take(index, *FALSE)
    assert (path.verdict, path.n) == (None, 0)
    path.take(0, *FALSE)
    assert path.n == 3


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([TRUE, TRUE, TRUE, FALSE, GONE]), min_size=1, max_size=120),
    st.integers(1, 4),
    st.sampled_from([*RULES, anytime(prior=(1, 9))]),
    st.sampled_from([FINE, at_most("m", 0.5), LEAK, at_least("m", 0.5)]),
)
def test_the_order_of_landing_does_not_matter(
    trials: list[Landed], cases: int, rule: StoppingRule, expectation: Expectation
) -> None:
    """The path follows the plan, so that slow answers cannot bend a verdict."""
    n = len(trials) // cases
    sizes = Counter({n: cases})
    planned = [(place // cases, *trial) for place, trial in enumerate(trials[: n * cases])]
    found = []
    for order in (planned, random.Random(len(trials)).sample(planned, len(planned))):
        path = Sequential(expectation, rule, sizes)
        for index, outcome, scores in order:
            path.take(index, outcome, scores)
        found.append((path.verdict, path.n, path.events, path.missing))
    assert found[0] == found[1]


def test_a_decision_stays() -> None:
    """The guarantee is about ever crossing: what comes later cannot take it back."""
    path = follow(FINE, anytime(), [*[TRUE] * 100, *[FALSE] * 300])
    assert path.verdict is Verdict.PROVEN
    assert path.n < 100


def test_the_bounds_of_an_open_path_are_those_of_the_sequence() -> None:
    """With gaps counted against both ends; nothing before the first round."""
    path = follow(at_least("m", 0.5), anytime(), [TRUE, FALSE, GONE, TRUE])
    found = path.bounds()
    low, high = confidence_sequence(2, 4), confidence_sequence(3, 4)
    assert isinstance(found, Interval)
    assert isinstance(low, Interval)
    assert isinstance(high, Interval)
    assert (found.low, found.high) == (low.low, high.high)
    assert isinstance(follow(FINE, anytime(), []).bounds(), Undetermined)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (sprt(margin=0.05), "Wald's sequential test has decided"),
        (anytime(), "the confidence sequence has decided"),
    ],
)
def test_a_decided_eval_ends_and_says_how(rule: StoppingRule, said: str) -> None:
    """The claim is the limit itself; the interval is one that holds at any look."""
    found = judge(FINE, rule, [TRUE] * 400, planned=400)
    assert found.verdict is Verdict.PROVEN
    assert found.reason.startswith("at least 90")
    assert found.stopped.endswith(said)
    assert found.n_left == 400 - found.n_scored > 200
    assert found.interval_method == "confidence sequence"
    assert found.bound == pytest.approx(0.9, abs=0.01)
    assert found.claims[1].sentence.startswith("nothing: what a sequential rule stops")


def test_a_refuted_rate_is_told_by_its_limit() -> None:
    """A test of one limit shows on which side of it the rate lies, and no more."""
    found = judge(FINE, sprt(margin=0.05), [FALSE] * 400, planned=400)
    assert found.verdict is Verdict.REFUTED
    assert found.reason.startswith("the rate is below ")
    assert found.bound is not None
    assert found.bound <= 0.9


def test_an_occurrence_claims_no_rate() -> None:
    """It refutes "never" and says nothing of 5 %."""
    found = judge(LEAK, anytime(), [*[FALSE] * 40, TRUE, *[FALSE] * 40], planned=81)
    assert found.verdict is Verdict.REFUTED
    assert found.reason == "m occurred in 1 of 41 trials"
    assert found.claims[0].lower is not None
    assert found.claims[0].lower < 0.05


def test_the_end_of_the_plan_is_undecided() -> None:
    """The cap of the test; more trials may be added, since the rule holds at any number."""
    found = judge(FINE, sprt(margin=0.05), [*[TRUE] * 9, FALSE] * 3, planned=30)
    assert found.verdict is Verdict.UNDECIDED
    assert "the plan ended before 90 % was settled" in found.reason
    assert found.next_step.startswith("give the plan more by --trials")
    assert found.n_needed is None


def test_a_planted_hole_is_turned_around() -> None:
    """What is refuted is what was to be seen."""
    hole = must_refute(FINE)
    assert judge(hole, anytime(), [FALSE] * 99, planned=99).verdict is Verdict.PROVEN
    assert judge(hole, anytime(), [TRUE] * 99, planned=99).verdict is Verdict.REFUTED


def test_a_detector_that_misses_some_needs_more_clean_trials() -> None:
    """Half of the error is spent on its sensitivity, and the limit shrinks to what is seen."""
    sharp = never("m", below=0.05, detector=Sensitivity(n_caught=590, n_true=590))
    dull = never("m", below=0.05, detector=Sensitivity(n_caught=50, n_true=100))
    blind = never("m", below=0.05, detector=Sensitivity(n_caught=0, n_true=0))
    counts = [follow(entry, anytime(), [FALSE] * 400).n for entry in (LEAK, sharp, dull)]
    assert counts[0] < counts[1] < counts[2] < 400
    assert follow(blind, anytime(), [FALSE] * 400).verdict is None
    found = judge(sharp, anytime(), [FALSE] * 400, planned=400)
    assert found.verdict is Verdict.PROVEN
    assert found.claims[0].upper == pytest.approx(0.05)


@pytest.mark.parametrize("margin", [0, 1, -0.1, True, "0.1"])
def test_a_margin_that_is_no_share_is_refused(margin: object) -> None:
    """It is how far from its limit a rate has to be."""
    with pytest.raises(EvalUsageError, match=r"sprt\(margin=.*0\.05"):
        sprt(margin=margin)


@pytest.mark.parametrize("prior", [(0, 1), (1,), 1, ("a", 1), (1, -1)])
def test_a_prior_that_is_none_is_refused(prior: object) -> None:
    """A Beta distribution has two numbers above 0."""
    with pytest.raises(EvalUsageError, match=r"anytime\(prior=.*two numbers above 0"):
        anytime(prior=prior)


@pytest.mark.parametrize(
    ("expectation", "said"),
    [
        (mean_between("m", 0, 1), "judges rates, and expect holds mean_between"),
        (at_least("m", 0.9, population="cases_like_these"), "about cases like these"),
        (at_least("m", 0.97), "Use a margin below 0.03"),
    ],
)
def test_what_a_sequential_rule_cannot_judge_is_refused(
    expectation: Expectation, said: str
) -> None:
    """When the eval is declared, before it costs anything."""
    with pytest.raises(EvalUsageError, match=said):
        evaluate(cases=["a"], trials=9, expect=[expectation], stop=sprt(margin=0.05))


def test_an_unknown_rule_is_refused_with_the_closest() -> None:
    """The list is in the message."""
    with pytest.raises(EvalUsageError, match="Did you mean 'curtailed'"):
        evaluate(cases=["a"], trials=9, expect=[FINE], stop="curtail")


def test_a_million_trials_are_looked_at_a_few_thousand_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One look for each half percent more: what is counted is counted, what is judged is not."""
    looks = []
    monkeypatch.setattr(Sequential, "_look", lambda path: looks.append(path.n))
    path = Sequential(at_least("m", 0.5), anytime(), Counter({100_000: 1}))
    for index in range(100_000):
        path.take(index, *(TRUE if index % 2 else FALSE))
    assert path.n == 100_000
    assert 500 < len(looks) < 2_000
