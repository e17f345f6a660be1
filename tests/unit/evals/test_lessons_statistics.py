"""Public reports of wrong statistics in other eval tools, each shown not to happen here."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Outcome, Verdict
from tierwise.errors import EvalUsageError
from tierwise.evals import (
    Trial,
    at_least,
    at_most,
    evaluate,
    mean_between,
    must_refute,
    never,
    pass_at_k,
    pass_hat_k,
)
from tierwise.evals.cases import gather_cases
from tierwise.evals.judging import Judged, judge_eval
from tierwise.evals.plan import PlannedCase
from tierwise.evals.table import judgement_lines
from tierwise.evals.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.domain import Judgement
    from tierwise.evals import Expectation
    from tierwise.evals.trial import Score

    Scores = dict[str, Score]


(CASE,) = gather_cases(["a"])


class Suite:
    """An eval whose trials are written down instead of run; None is one that erred."""

    def __init__(self, *cases: Sequence[Scores | None], outcome: Outcome = Outcome.ERROR) -> None:
        labels = gather_cases([f"case {n}" for n in range(len(cases))])
        self.tally = Tally(
            PlannedCase(case=case, arm="trial", trials=len(trials))
            for case, trials in zip(labels, cases, strict=True)
        )
        for case, trials in zip(labels, cases, strict=True):
            for scores in trials:
                ended = outcome if scores is None else Outcome.PASSED
                self.tally.add(case.id, ended, {} if scores is None else scores, message="boom")

    def judge(self, expectation: Expectation) -> Judgement:
        """Judge one promise."""
        (found,) = judge_eval([expectation], [], self.tally).judgements
        return found


def ok(trials: str) -> list[Scores | None]:
    """Return trials written as letters: T and F are scores, a dash is an error."""
    return [None if letter == "-" else {"ok": letter == "T"} for letter in trials]


def test_errors_stay_in_the_denominator() -> None:
    """UKGovernmentBEIS/inspect_ai#3707: 100 cases, 10 raise, 80 right was reported as 0.889.

    Here 10 are missing, the lower bound is that of 80 of 100, and the ceiling stops it.
    """
    suite = Suite(*[ok("T")] * 80, *[ok("F")] * 10, *[ok("-")] * 10)
    found = suite.judge(at_least("ok", 0.75))
    assert (found.n_scored, found.n_planned) == (90, 100)
    assert found.verdict is Verdict.UNDECIDED
    assert "10 of 100 trials have no score" in found.reason
    patient = suite.judge(at_least("ok", 0.75, missing_ceiling=0.2))
    assert patient.bound == pytest.approx(0.7228, abs=1e-4)
    assert patient.verdict is Verdict.UNDECIDED
    assert "scored 90 of 100 planned" in judgement_lines(patient)[1]


def test_a_score_outside_its_range_never_makes_an_average() -> None:
    """inspect_ai#4286: one score of 5.0 gave an accuracy above 1."""
    with pytest.raises(EvalUsageError, match="claims and numbers"):
        Suite(ok("T"), [{"ok": 5.0}]).judge(at_least("ok", 0.5))
    with pytest.raises(EvalUsageError, match="outside of range"):
        Suite([{"ok": 0.5}], [{"ok": 5.0}]).judge(mean_between("ok", 0.5, None, range=(0, 1)))


@pytest.mark.parametrize("value", [math.nan, math.inf, None])
def test_what_is_no_measurement_cannot_be_scored(value: object) -> None:
    """inspect_ai#4286, deepeval#3234: NaN and None were scores, and then failures or means."""
    trial = Trial(index=0, seed=0, make_folder=lambda: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(EvalUsageError, match=r"trial\.score\(grade="):
        trial.score(grade=value)  # type: ignore[arg-type]
    assert trial.scores == {}


def test_one_scored_case_of_ten_is_no_success() -> None:
    """inspect_ai#4286: 9 of 10 NaN gave the accuracy of one case, with the status success."""
    found = Suite(ok("T"), *[ok("-")] * 9).judge(at_least("ok", 0.5))
    assert found.verdict is Verdict.UNDECIDED
    assert (found.n_scored, found.n_planned) == (1, 10)


def test_scores_of_a_trial_that_raised_count_in_one_way_everywhere() -> None:
    """inspect_ai#4412: a sample that raised was scored in the log and not in the metrics.

    Here it has no score in either, and is missing from both.
    """
    tally = Tally([PlannedCase(case=CASE, arm="trial", trials=2)])
    tally.add("a", Outcome.PASSED, {"ok": True})
    tally.add("a", Outcome.ERROR, {"ok": True}, message="after the score")
    (found,) = judge_eval([at_least("ok", 0.1, missing_ceiling=0.9)], [], tally).judgements
    assert (found.n_scored, found.n_planned, found.n_events) == (1, 2, 1)
    assert tally.outcomes() == {Outcome.PASSED: 1, Outcome.ERROR: 1}


def test_an_average_carries_its_denominator() -> None:
    """pydantic/pydantic-ai#7928: raising on 3 of 4 cases showed 1.00 beside a true 0.5."""
    broken = Suite(ok("T"), ok("-"), ok("-"), ok("-")).judge(at_least("ok", 0.4))
    honest = Suite(ok("T"), ok("F"), ok("T"), ok("F")).judge(at_least("ok", 0.4))
    assert "scored 1 of 4 planned" in judgement_lines(broken)[1]
    assert "scored 4 of 4 planned" in judgement_lines(honest)[1]
    assert broken.verdict is Verdict.UNDECIDED
    assert broken.bound is not None
    assert honest.bound is not None
    assert broken.bound < honest.bound


def test_a_judge_that_fails_on_the_bad_ones_does_not_raise_the_mean() -> None:
    """ragas#2832, #2818: with the 5 bad of 10 crashed, 0.5 silently became 0.9."""
    rest: list[Scores | None] = [{"faithful": 0.9}, {"faithful": 0.95}]
    suite = Suite(*[rest] * 5, *[[None, None]] * 5)
    found = suite.judge(mean_between("faithful", 0.6, None, range=(0, 1)))
    assert found.verdict is Verdict.UNDECIDED
    assert "10 of 20 trials have no score" in found.reason
    patient = mean_between("faithful", 0.6, None, range=(0, 1), missing_ceiling=0.9)
    counted = suite.judge(patient)
    assert counted.verdict is Verdict.UNDECIDED
    assert counted.bound is not None
    assert counted.bound < 0.5


def test_an_unmeasured_trial_is_neither_failed_nor_the_end_of_the_mean() -> None:
    """confident-ai/deepeval#3234, LightRAG#4040: NaN failed its case and spoilt the run's mean."""
    grades: list[Scores | None] = [{"grade": 0.8 + 0.01 * n} for n in range(20)]
    suite = Suite([*grades, None], grades)
    found = suite.judge(mean_between("grade", 0.7, 1.0, range=(0, 1)))
    assert found.estimate == pytest.approx(0.895)
    assert found.verdict is Verdict.PROVEN
    assert found.n_scored == 40
    assert suite.tally.outcomes()[Outcome.FAILED] == 0


def test_a_global_rate_does_not_hide_a_dead_case() -> None:
    """promptfoo/promptfoo#5847, #9066, #9444: 49 cases 10/10 and one 0/10 read as 98 %.

    The case is named by its id, which no repeat changes.
    """
    suite = Suite(*[ok("T" * 10)] * 49, ok("F" * 10))
    found = suite.judge(at_least("ok", 0.95))
    assert [(case.case_id, case.n_events, case.n_scored) for case in found.outliers] == [
        ("case 49", 0, 10)
    ]
    assert any("'case 49' (0 of 10)" in line for line in judgement_lines(found))
    others = suite.judge(at_least("ok", 0.95, population="cases_like_these"))
    assert others.verdict is Verdict.UNDECIDED


def test_runs_that_straddle_the_threshold_have_one_verdict() -> None:
    """deepeval#3110 (E14): 0.62, 0.58, 0.61 at a threshold of 0.6 passed or failed by chance.

    All three are kept as evidence: their mean does not settle the limit, and says so.
    """
    found = Suite([{"grade": 0.62}, {"grade": 0.58}, {"grade": 0.61}]).judge(
        mean_between("grade", 0.6, None)
    )
    assert found.verdict is Verdict.UNDECIDED
    assert found.estimate == pytest.approx(0.6033, abs=1e-4)
    assert found.interval is not None
    assert found.interval[0] < 0.6 < found.interval[1]
    assert "does not settle 0.6" in found.reason


def test_means_disclose_what_they_rest_on_and_the_policy_is_declared() -> None:
    """ragas#2980, inspect_ai#4286, #2914 (E13): n scored of n planned, and a declared ceiling."""
    suite = Suite(*[[{"grade": 3.0}, {"grade": 4.0}, None]] * 10)
    found = suite.judge(mean_between("grade", 3.0, 4.0))
    assert "scored 20 of 30 planned" in judgement_lines(found)[1]
    assert found.verdict is Verdict.UNDECIDED
    declared = mean_between("grade", 3.0, 4.0, missing_ceiling=0.5)
    assert suite.judge(declared).verdict is Verdict.PROVEN
    assert any("10 trials have no score" in caution for caution in suite.judge(declared).cautions)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"trials": 0}, "No trial is no evidence"),
        ({"cases": []}, "nothing to run"),
        ({"expect": []}, "proves nothing"),
    ],
)
def test_nothing_at_all_is_never_green(changed: dict[str, object], said: str) -> None:
    """VangelisTech/archetype#144 (E20): `--trials 0` was green, since all([]) is True."""
    given = {"cases": ["a"], "trials": 1, "expect": [at_least("ok", 0.5)]} | changed
    with pytest.raises(EvalUsageError, match=said):
        evaluate(**given)  # type: ignore[arg-type]  what is refused
    assert Judged(judgements=(), controls=()).verdict is Verdict.UNDECIDED


def test_no_score_anywhere_is_undecided_for_every_kind_of_promise() -> None:
    """E20 again: an empty sample speaks for no promise."""
    suite = Suite(*[ok("---")] * 4)
    for expectation in (
        never("ok", below=0.5),
        at_least("ok", 0.1),
        at_most("ok", 0.9),
        mean_between("ok", 0, 1, range=(0, 1)),
        pass_hat_k("ok", 2, at_least=0.1),
        pass_at_k("ok", 2, at_least=0.1),
    ):
        for promise in (expectation, must_refute(expectation)):
            assert suite.judge(promise).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("outcome", [Outcome.ERROR, Outcome.UNOBSERVABLE, Outcome.NOT_RUN])
def test_a_time_out_is_no_failure_of_the_model_and_no_success(outcome: Outcome) -> None:
    """sunholo-data/ailang#619, allenai/vla-evaluation-harness#129, zed PR#30712 (E36).

    Harness time-outs were published as 13.6 % capability instead of some 60 %, or the other way
    round: here they are missing, neither verdict rests on them, and both bounds are given.
    """
    suite = Suite(*[ok("TTTFF--")] * 20, outcome=outcome)
    for promise in (at_least("ok", 0.45), at_most("ok", 0.7)):
        found = suite.judge(promise)
        assert found.verdict is Verdict.UNDECIDED
        assert "more than the ceiling" in found.reason
    found = suite.judge(at_least("ok", 0.5))
    assert found.estimate == pytest.approx(0.6)
    assert found.bound is not None
    assert found.bound_if_missing_were_like_the_rest is not None
    assert found.bound < 0.43
    assert found.bound_if_missing_were_like_the_rest > 0.5


def test_a_negation_never_turns_an_outage_into_a_pass() -> None:
    """promptfoo#8983, PR#8986, #10904 (E8): inverting a grader's outage made it a success."""
    outage = Suite(*[ok("-")] * 30)
    for promise in (never("ok", below=0.2), at_least("ok", 0.5), at_most("ok", 0.1)):
        assert outage.judge(must_refute(promise)).verdict is Verdict.UNDECIDED


def test_a_grader_that_says_nothing_is_no_pass() -> None:
    """Promptfoo PR#10611, #8127 (E9): a grading without a score was a pass."""
    found = Suite(*[[{"other": True}, {"ok": True, "other": True}]] * 15).judge(
        at_least("ok", 0.4)
    )
    assert (found.n_scored, found.n_planned) == (15, 30)
    assert found.verdict is Verdict.UNDECIDED


def test_a_promise_about_nothing_is_no_pass() -> None:
    """promptfoo#3629, #345 (E19): assertions that nobody ran were "Failures: 0"."""
    with pytest.raises(EvalUsageError, match=r"'okay', which no trial scored.*mean 'ok'"):
        Suite(ok("T")).judge(never("okay", below=0.5))


def test_all_of_k_tries_can_be_asked_for() -> None:
    """promptfoo#5947, #1932 (E15): a flicker passes on average and not each time."""
    suite = Suite(*[ok("TTTTTTTTTF")] * 30)
    assert suite.judge(at_least("ok", 0.8)).verdict is Verdict.PROVEN
    found = suite.judge(pass_hat_k("ok", 5, at_least=0.8))
    assert found.verdict is not Verdict.PROVEN
    assert found.estimate == pytest.approx(0.5)


def test_resumed_trials_count_for_pass_at_k() -> None:
    """PrimeIntellect-ai/verifiers#1031: rollouts of an earlier run were left out of pass@k."""
    tally = Tally([PlannedCase(case=CASE, arm="trial", trials=8)])
    for run in ("TFTF", "FTFT"):  # of an earlier run, then of this one: rows are rows
        for scores in ok(run):
            tally.add("a", Outcome.PASSED, scores or {})
    (found,) = judge_eval([pass_at_k("ok", 4, at_least=0.5)], [], tally).judgements
    assert found.n_scored == found.n_planned == 8
    assert found.estimate == pytest.approx(1 - 1 / 70)


def test_copies_of_one_answer_are_said_to_be_copies() -> None:
    """promptfoo#360, inspect_ai#2580, lm-evaluation-harness#3046: one cached answer, repeated."""
    tally = Tally([PlannedCase(case=CASE, arm="trial", trials=59)])
    for _ in range(59):
        tally.add("a", Outcome.PASSED, {"leak": False}, reply=7)
    (found,) = judge_eval([never("leak", below=0.05)], [], tally).judgements
    assert any("copies, not evidence" in caution for caution in found.cautions)


def test_identical_text_with_different_grades_shows_its_spread() -> None:
    """deepeval#1146, #1265: the same text graded 0.2 and then 0.7 was whichever came last."""
    found = Suite([{"grade": 0.2}, {"grade": 0.7}]).judge(mean_between("grade", 0.1, 0.9))
    assert found.estimate == pytest.approx(0.45)
    assert found.verdict is Verdict.UNDECIDED
    assert "two-sided 95 % interval" in judgement_lines(found)[1]


def test_every_line_of_an_eval_says_n_scored_of_n_planned() -> None:
    """Rule of the house: no number without what it rests on, whatever the kind of promise."""
    trials: list[Scores | None] = [{"ok": True, "grade": 3.0}, {"ok": False, "grade": 4.0}, None]
    suite = Suite(*[trials] * 6)
    promises = [
        at_least("ok", 0.1),
        at_most("ok", 0.9),
        never("ok", below=0.5),
        mean_between("grade", 1, 5),
        pass_hat_k("ok", 2, at_least=0.1),
    ]
    for promise in promises:
        assert "scored 12 of 18 planned" in judgement_lines(suite.judge(promise))[1]
