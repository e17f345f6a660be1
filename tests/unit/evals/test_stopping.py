"""An eval ends early only where the rest of its plan cannot change a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import beta

from tierwise.domain import Outcome, Verdict
from tierwise.evals import (
    at_least,
    at_most,
    mean_between,
    must_refute,
    never,
    no_worse_than,
    pass_hat_k,
    positive_control,
    share,
)
from tierwise.evals.cases import gather_cases
from tierwise.evals.judging import judge_eval
from tierwise.evals.plan import PlannedCase
from tierwise.evals.planned_trials import PlannedTrial
from tierwise.evals.stopping import StopWatch, may_be_extended
from tierwise.evals.stopping_rules import CURTAILED, FIXED, anytime, sprt
from tierwise.evals.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.domain import Judgement
    from tierwise.evals import Expectation, StoppingRule
    from tierwise.evals.trial import Score

    Landed = tuple[Outcome, dict[str, Score]]

LEAK = never("m", below=0.05)
FINE = at_least("m", 0.9)
CLEAN: Landed = (Outcome.PASSED, {"m": False})
TRUE: Landed = (Outcome.PASSED, {"m": True})
GONE: Landed = (Outcome.ERROR, {})
SEEN: Landed = (Outcome.ERROR, {"m": True})


class Run:
    """A plan of so many cases and trials, told of trials until it is settled."""

    def __init__(
        self,
        expectations: Sequence[Expectation],
        *,
        trials: int,
        cases: int = 1,
        rule: StoppingRule = CURTAILED,
        control: int = 0,
    ) -> None:
        found = gather_cases([f"case {n}" for n in range(cases)])
        self.planned = [PlannedCase(case=each, arm="trial", trials=trials) for each in found]
        self.control = PlannedCase(case=found[0], arm="control", trials=control, metric="m")
        everything = [*self.planned, *([self.control] if control else [])]
        self.expectations = expectations
        self.tally = Tally(everything)
        self.watch = StopWatch(expectations=expectations, cases=everything, rule=rule)
        self.n_landed = 0

    def land(self, trials: Sequence[Landed], *, is_told: bool = True) -> Run:
        """Land trials one case after the other, until no more are needed."""
        for outcome, scores in trials:
            planned = self.planned[self.n_landed % len(self.planned)]
            index = self.n_landed // len(self.planned)
            self.n_landed += 1
            if self.take(planned, index, outcome, scores) and is_told:
                break
        return self

    def take(
        self, planned: PlannedCase, index: int, outcome: Outcome, scores: dict[str, Score]
    ) -> str | None:
        """Land one trial."""
        self.tally.add(planned.label, outcome, scores)
        trial = PlannedTrial(planned=planned, index=index, key="", seed=0)
        return self.watch.take(trial, outcome, scores)

    def judge(self) -> list[Judgement]:
        """Judge what landed."""
        found = judge_eval(self.expectations, [], self.tally, watch=self.watch)
        return list(found.judgements)

    def verdicts(self) -> list[Verdict]:
        """Return the verdicts of what landed."""
        return [entry.verdict for entry in self.judge()]


def test_a_leak_ends_the_eval_at_once() -> None:
    """Whatever the other 298 trials show, the promise is broken."""
    run = Run([LEAK], trials=299).land([CLEAN, CLEAN, TRUE, *[CLEAN] * 296])
    assert run.n_landed == 3
    (found,) = run.judge()
    assert found.verdict is Verdict.REFUTED
    assert found.reason == "m occurred in 1 of 3 trials"
    assert found.stopped == (
        "stopped after 3 of 299 planned trials: no trial that is left can change a verdict"
    )


def test_trials_in_flight_that_end_the_plan_leave_nothing_stopped() -> None:
    """Settled by the last but one, while the last was running: all of the plan was run."""
    run = Run([LEAK], trials=4).land([CLEAN, CLEAN, TRUE, CLEAN], is_told=False)
    assert run.watch.reason
    assert run.judge()[0].stopped == ""


def test_a_leak_in_a_trial_that_went_wrong_ends_it_too() -> None:
    """What was seen was seen."""
    assert Run([LEAK], trials=299).land([CLEAN, SEEN, *[CLEAN] * 297]).n_landed == 2


def test_clean_trials_never_end_it_early() -> None:
    """The last trial can still leak."""
    run = Run([LEAK], trials=299).land([CLEAN] * 299)
    assert run.n_landed == 299
    assert run.watch.reason == ""
    assert run.judge()[0].stopped == ""


def test_a_hopeless_rate_ends_once_the_rest_cannot_save_it() -> None:
    """One False less, and all that is left could still have made it undecided."""
    run = Run([FINE], trials=100).land([CLEAN] * 100)
    (found,) = run.judge()
    assert (found.verdict, found.n_left) == (Verdict.REFUTED, 100 - run.n_landed)
    n = run.n_landed - 1
    whole = Run([FINE], trials=100).land([*[CLEAN] * n, *[TRUE] * (100 - n)])
    assert whole.n_landed == 100
    assert whole.verdicts() == [Verdict.UNDECIDED]


def test_a_kept_rate_ends_only_where_even_errors_would_change_nothing() -> None:
    """All True so far: the ceiling of 5 % leaves room for the last five trials and no more."""
    run = Run([at_least("m", 0.5)], trials=100).land([TRUE] * 100)
    assert run.n_landed == 95
    assert run.verdicts() == [Verdict.PROVEN]
    wide = at_least("m", 0.5, missing_ceiling=0.9)
    assert Run([wide], trials=100).land([TRUE] * 100).n_landed == 59


def test_trials_that_were_left_out_are_no_gaps() -> None:
    """They weaken the bound and do not count for the ceiling; errors do."""
    run = Run([at_least("m", 0.5)], trials=100).land([TRUE] * 100)
    (found,) = run.judge()
    assert (found.n_scored, found.n_planned, found.n_left) == (95, 100, 5)
    assert found.bound is not None
    assert found.bound < 0.95
    assert found.bound_if_missing_were_like_the_rest is None
    assert found.claims[1].sentence.startswith("nothing: the trials that were left out")


def test_every_expectation_has_to_be_settled() -> None:
    """A leak does not cut short what still can be proven of the rest."""
    run = Run([LEAK, at_most("m", 0.3)], trials=100).land([TRUE, *[CLEAN] * 99])
    assert run.n_landed == 95
    assert run.verdicts() == [Verdict.REFUTED, Verdict.PROVEN]


def test_what_cannot_be_decided_any_more_holds_nothing_up() -> None:
    """20 trials prove no 95 %: once they cannot refute it either, a leak may end the eval."""
    run = Run([LEAK, at_least("n", 0.95)], trials=20)
    trials: list[Landed] = [(Outcome.PASSED, {"m": True, "n": True})] * 20
    assert run.land(trials).n_landed < 20
    assert run.verdicts() == [Verdict.REFUTED, Verdict.UNDECIDED]


def test_too_many_errors_settle_what_is_not_refuted_any_more() -> None:
    """Three errors of 40 are over the ceiling: when no refutation is left, nothing is."""
    few = max(x for x in range(40) if beta.ppf(0.95, x + 1, 40 - x) < 0.5)
    run = Run([LEAK, at_least("n", 0.5)], trials=40)
    seen: Landed = (Outcome.PASSED, {"m": True, "n": True})
    run.land([GONE, GONE, GONE, *[seen] * 37])
    assert run.n_landed == few + 1
    assert run.verdicts() == [Verdict.REFUTED, Verdict.UNDECIDED]


def test_an_eval_of_which_nothing_can_be_decided_runs_to_its_end() -> None:
    """Its estimate is all that a reader gets from it."""
    run = Run([at_least("m", 0.95)], trials=20).land([TRUE] * 20)
    assert run.n_landed == 20


@pytest.mark.parametrize(
    "other",
    [
        mean_between("n", 0, 1),
        no_worse_than("n", margin=0.1),
        pass_hat_k("m", 2, at_least=0.5),
        at_most("m", 0.3, population="cases_like_these"),
    ],
)
def test_means_and_claims_about_other_cases_run_to_the_end(other: Expectation) -> None:
    """Their spread can always still change."""
    assert Run([LEAK, other], trials=30, cases=2).land([TRUE] * 60).n_landed == 60


def test_the_control_has_to_be_through_first() -> None:
    """A refuted promise waits for the trials of its positive control."""
    run = Run([LEAK], trials=50, control=2)
    assert run.take(run.planned[0], 0, *TRUE) is None
    assert run.take(run.control, 0, *TRUE) is None
    assert run.take(run.control, 1, *TRUE) == "no trial that is left can change a verdict"


def test_a_fixed_plan_runs_to_its_end() -> None:
    """Nothing is left out, and nothing is said of stopping."""
    run = Run([LEAK], trials=50, rule=FIXED).land([TRUE] * 50)
    assert run.n_landed == 50
    assert run.judge()[0].stopped == ""


def test_trials_in_flight_are_counted_and_change_nothing() -> None:
    """They land after the eval was settled."""
    run = Run([at_least("m", 0.9)], trials=100).land([CLEAN] * 100)
    before = run.verdicts()
    for _ in range(8):
        assert run.take(run.planned[0], 50, *TRUE)
    assert run.verdicts() == before
    assert run.judge()[0].n_scored == run.n_landed + 8


def test_a_planted_hole_that_was_seen_waits_until_errors_cannot_hide_it() -> None:
    """More than the ceiling of errors would leave the negative control undecided."""
    hole = must_refute(LEAK)
    run = Run([hole], trials=40).land([TRUE] * 40)
    assert run.n_landed == 38
    assert run.verdicts() == [Verdict.PROVEN]


LANDED = st.sampled_from([CLEAN, TRUE, GONE, SEEN])
TONES = st.sampled_from([(Outcome.PASSED, {"m": "kind"}), (Outcome.FAILED, {"m": "rude"}), GONE])
RATES = st.sampled_from([0.05, 0.2, 0.5, 0.8, 0.95])
CEILINGS = st.sampled_from([0.0, 0.05, 0.3, 0.9])


@st.composite
def promises(draw: st.DrawFn) -> Expectation:
    limit, ceiling = draw(RATES), draw(CEILINGS)
    kind = draw(st.sampled_from(["never", "at_least", "at_most"]))
    if kind == "never":
        made = never("m", below=limit, missing_ceiling=ceiling)
    else:
        make = at_least if kind == "at_least" else at_most
        made = make("m", limit, missing_ceiling=ceiling, confidence=draw(st.just(0.9)))
    return must_refute(made) if draw(st.booleans()) else made


@settings(max_examples=300, deadline=None)
@given(
    st.lists(promises(), min_size=1, max_size=3),
    st.integers(1, 3),
    st.data(),
)
def test_an_early_stop_has_the_verdict_of_the_whole_plan(
    expectations: list[Expectation], cases: int, data: st.DataObject
) -> None:
    """Whatever the trials show, errors included, in whatever order they come."""
    trials = data.draw(st.integers(1, 25))
    weights = data.draw(st.sampled_from([LANDED, st.just(TRUE), st.just(CLEAN), st.just(GONE)]))
    n = trials * cases
    landed = data.draw(st.lists(LANDED | weights, min_size=n, max_size=n))
    early = Run(expectations, trials=trials, cases=cases).land(landed)
    whole = Run(expectations, trials=trials, cases=cases, rule=FIXED).land(landed)
    assert early.verdicts() == whole.verdicts()


@settings(max_examples=100, deadline=None)
@given(RATES, st.sampled_from(["at_least", "at_most"]), st.lists(TONES, min_size=1, max_size=60))
def test_an_early_stop_keeps_the_verdict_on_a_share(
    limit: float, kind: str, landed: list[Landed]
) -> None:
    """A category is counted as a rate is."""
    promise = share("m", "kind", **{kind: limit})
    early = Run([promise], trials=len(landed)).land(landed)
    whole = Run([promise], trials=len(landed), rule=FIXED).land(landed)
    assert early.verdicts() == whole.verdicts()


def test_a_plan_may_be_extended_where_its_statistics_allow_looking() -> None:
    """Sequential rules always, others where every promise is a `never`."""
    assert may_be_extended([LEAK], CURTAILED)
    assert not may_be_extended([LEAK, FINE], CURTAILED)
    assert may_be_extended([LEAK, FINE], anytime())
    assert may_be_extended([FINE], sprt(margin=0.05))
    assert not may_be_extended([mean_between("m", 0, 1)], FIXED)


def test_a_control_of_a_settled_eval_is_judged_as_ever() -> None:
    """What was left out of the claims was not left out of the control."""
    run = Run([LEAK], trials=59, control=10)
    for index in range(10):
        run.take(run.control, index, *TRUE)
    run.land([TRUE, *[CLEAN] * 58])
    control = positive_control(cases=["case 0"], metric="m")
    judged = judge_eval([LEAK], [control], run.tally, watch=run.watch)
    assert judged.controls[0].verdict is Verdict.PROVEN
    assert judged.controls[0].n_planned == 10
    assert judged.verdict is Verdict.REFUTED
