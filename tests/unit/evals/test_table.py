from __future__ import annotations

from dataclasses import replace

import pytest

from tierwise.domain import EvalSummary, Outcome, Verdict
from tierwise.evals import Expectation, at_least, at_most, must_refute, never
from tierwise.evals.counting import Counts
from tierwise.evals.judging import judge
from tierwise.evals.table import (
    estimate,
    eval_lines,
    judgement_lines,
    judgement_numbers,
    table_lines,
)
from tierwise.evals.wording import round_percent

CLEAN = judge(never("leak", below=0.05), Counts(per_case=((0, 58),), missing=(2,)))
SUMMARY = EvalSummary(
    eval_id="t.py::test_it",
    tier="evals",
    provider="local",
    judgements=(CLEAN,),
    n_planned=60,
    outcomes={Outcome.PASSED: 58, Outcome.ERROR: 1, Outcome.UNOBSERVABLE: 1},
    reasons=(("error: KeyError: 'x'", 1), ("unobservable: busy: later", 1)),
    run_number=3,
    shared_fixtures=("world",),
)


def test_an_eval_is_shown_with_all_that_it_rests_on() -> None:
    """Counts, interval, bound, populations, need, control, reasons, run number."""
    assert eval_lines(SUMMARY) == [
        "t.py::test_it  [local, run 3 of this plan]",
        (
            "  UNDECIDED never leak (below 5 %): below 10.13 % for these cases, which does not "
            "settle 5 %"
        ),
        "    scored 58 of 60 planned, rate 0 %, two-sided 95 % interval 0 % to 6.22 % (Wilson)",
        "    proven for these cases: below 10.13 % (95 %, one-sided)",
        (
            "    proven for cases like these: nothing: one case says nothing about cases like it; "
            "at least 2 are needed"
        ),
        "    a new plan would need 59 trials, all scored, without an occurrence",
        "    no positive control: a subject that is silent everywhere would pass as well",
        "  without a score: 1 error, 1 unobservable",
        "    1 x error: KeyError: 'x'",
        "    1 x unobservable: busy: later",
        "  shared by all trials: fixtures world",
    ]


def test_what_was_refuted_was_not_silent_and_misses_no_positive_control() -> None:
    """It is missed where silence could pass for safety: in what is proven or undecided."""
    told = {
        events: judge(never("leak", below=0.05), Counts(per_case=((events, 59),), missing=(0,)))
        for events in (0, 30)
    }
    assert told[0].control.startswith("no positive control")
    assert (told[30].verdict, told[30].control) == (Verdict.REFUTED, "")


@pytest.mark.parametrize(
    ("expectation", "per_case", "said"),
    [
        (never("leak", below=0.05), ((9, 9), (0, 9)), "nothing (the bound is 100 %) "),
        (at_least("fine", 0.5), ((0, 1),), "nothing (the bound is 0 %) "),
        (at_most("leak", 0.999), ((1999, 2000),), "at least 99.76 % "),
    ],
)
def test_a_bound_that_every_rate_keeps_is_nothing(
    expectation: Expectation, per_case: tuple[tuple[int, int], ...], said: str
) -> None:
    """No rate is above 100 % or below 0 %, so that such a line would prove nothing."""
    found = judge(expectation, Counts(per_case=per_case, missing=(0,) * len(per_case)))
    assert any(claim.sentence.startswith(said) for claim in found.claims)


def test_many_reasons_are_cut_with_their_number() -> None:
    """The most frequent are shown, the rest is counted."""
    many = replace(SUMMARY, reasons=tuple((f"error: {n}", 9 - n) for n in range(5)))
    lines = eval_lines(many)
    assert "    9 x error: 0" in lines
    assert "    and 2 other reasons" in lines


def test_a_caution_is_given_once_an_eval() -> None:
    """Two expectations on one metric share what weakens them."""
    twice = replace(CLEAN, cautions=("few cases",))
    lines = eval_lines(replace(SUMMARY, judgements=(twice, twice)))
    assert sum("few cases" in line for line in lines) == 1


def test_evals_stand_apart() -> None:
    """A blank line between two, none at the ends."""
    lines = table_lines([SUMMARY, SUMMARY])
    assert lines.count("") == 1
    assert lines[0]
    assert lines[-1]
    assert table_lines([]) == []


def test_the_cells_say_which_way_a_bound_goes() -> None:
    """Below for never and at most, from above for at least, and nothing for nothing."""
    assert judgement_numbers(CLEAN) == ("58 of 60", "0 %", "0 % to 6.22 %", "< 10.13 %")
    held = judge(at_least("fine", 0.5), Counts(per_case=((9, 10),), missing=(0,)))
    assert judgement_numbers(held) == ("10 of 10", "90 %", "59.58 % to 98.22 %", ">= 60.58 %")
    nothing = judge(at_least("fine", 0.5), Counts(per_case=((0, 0),), missing=(3,)))
    assert judgement_numbers(nothing) == ("0 of 3", "-", "-", "-")


def _bound_cell(expectation: Expectation, events: int, n: int) -> str:
    return judgement_numbers(judge(expectation, Counts(per_case=((events, n),), missing=(0,))))[3]


def test_the_bound_that_is_shown_is_the_one_that_decided() -> None:
    """A refuted promise shows the bound against it, and so does a planted hole that was seen."""
    assert _bound_cell(must_refute(never("leak", below=0.05)), 13, 15) == ">= 63.65 %"
    assert _bound_cell(never("leak", below=0.05), 13, 15) == ">= 63.65 %"
    assert _bound_cell(at_least("fine", 0.9), 4, 20) == "< 40.11 %"
    assert _bound_cell(at_most("slow", 0.1), 13, 15) == ">= 63.65 %"
    assert _bound_cell(must_refute(at_least("fine", 0.9)), 4, 20) == "< 40.11 %"
    assert _bound_cell(must_refute(never("leak", below=0.05)), 0, 59) == "< 4.96 %"
    assert _bound_cell(at_most("slow", 0.5), 1, 20) == "< 21.62 %"


def test_a_rate_is_rounded_and_never_to_all_or_nothing() -> None:
    """13 of 15 is 86.67 %; one miss in a million is not 100 %."""
    assert round_percent(13 / 15) == "86.67 %"
    assert round_percent(1 / 3) == "33.33 %"
    assert (round_percent(0.0), round_percent(1.0)) == ("0 %", "100 %")
    assert (round_percent(1e-6), round_percent(1 - 1e-6)) == ("0.01 %", "99.99 %")
    seen = judge(at_least("fine", 0.5), Counts(per_case=((13, 15),), missing=(0,)))
    assert judgement_numbers(seen)[1] == "86.67 %"
    assert estimate(seen).startswith("rate 86.67 %, ")


def test_an_eval_that_was_not_judged_says_why() -> None:
    """It has a headline, the error and what became of its trials, and no verdict."""
    broken = replace(SUMMARY, judgements=(), error="no trial scored 'leak'")
    assert broken.verdict == "not judged"
    lines = eval_lines(broken)
    assert lines[:3] == [
        "t.py::test_it  [local, run 3 of this plan]",
        "  NOT JUDGED no trial scored 'leak'",
        "  without a score: 1 error, 1 unobservable",
    ]


def test_a_summary_has_the_verdict_of_its_worst_judgement() -> None:
    """Refuted goes before undecided, that before proven."""
    refuted = judge(at_most("slow", 0.1), Counts(per_case=((13, 15),), missing=(0,)))
    assert SUMMARY.verdict == "undecided"
    assert replace(SUMMARY, judgements=(CLEAN, refuted)).verdict == "refuted"
    proven = judge(never("leak", below=0.05), Counts(per_case=((0, 59),), missing=(0,)))
    assert replace(SUMMARY, judgements=(proven,)).verdict == "proven"


def test_an_eval_that_was_stopped_says_how_and_what_its_numbers_are_worth() -> None:
    """The estimate leans, the interval holds whatever the rest would have shown."""
    left = Counts(per_case=((1, 3),), missing=(0,), left=(296,))
    found = judge(never("leak", below=0.05), left, stopped="no trial can change it")
    assert judgement_lines(found)[:3] == [
        "REFUTED   never leak (below 5 %): leak occurred in 1 of 3 trials",
        (
            "  scored 3 of 299 planned, rate 33.33 % (leans towards the verdict, since it was "
            "stopped early), two-sided 95 % interval 0.05 % to 99.82 % (Wilson, whatever the "
            "rest would have shown)"
        ),
        "  stopped after 3 of 299 planned trials: no trial can change it",
    ]
    assert "nothing: the trials that were left out" in judgement_lines(found)[4]


def test_trials_that_were_left_out_are_not_among_those_without_a_score() -> None:
    """They are counted apart: nothing went wrong with them."""
    left = Counts(per_case=((1, 3),), missing=(2,), left=(295,))
    found = judge(never("leak", below=0.05), left, stopped="no trial can change it")
    summary = replace(
        SUMMARY,
        judgements=(found,),
        outcomes={Outcome.PASSED: 3, Outcome.ERROR: 1, Outcome.NOT_RUN: 296},
    )
    lines = eval_lines(summary)
    assert "  left out, since the eval was settled: 295 trials" in lines
    assert "  without a score: 1 error, 1 not_run" in lines


def test_a_case_that_a_rate_hides_stands_below_it() -> None:
    """By its id and its own counts."""
    per_case = ((10, 10),) * 49 + ((0, 10),)
    labels = tuple(f"case {n}" for n in range(50))
    found = judge(
        at_least("fine", 0.9), Counts(per_case=per_case, missing=(0,) * 50, labels=labels)
    )
    assert "  caution: the rate over all cases hides 1 far below it: 'case 49' (0 of 10)" in (
        judgement_lines(found)
    )
