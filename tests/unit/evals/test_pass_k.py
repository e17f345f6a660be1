"""`pass_hat_k` and `pass_at_k`: what several tries of one case do."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Verdict
from tierwise.errors import EvalUsageError
from tierwise.evals import (
    at_least,
    declaration_of,
    evaluate,
    must_refute,
    pass_at_k,
    pass_hat_k,
)
from tierwise.evals.counting import Counts
from tierwise.evals.judging import judge
from tierwise.evals.plan import make_plan
from tierwise.evals.table import judgement_lines
from tierwise.stats import lower_bound, pass_hat_k as estimate, upper_bound, zero_bound

if TYPE_CHECKING:
    from tierwise.domain import Judgement
    from tierwise.evals import Expectation

MIXED = ((15, 15), (9, 15), (12, 15), (3, 15), (14, 15))


def look(
    expectation: Expectation, per_case: tuple[tuple[int, int], ...], missing: int = 0
) -> Judgement:
    gone = (missing, *[0] * (len(per_case) - 1))
    return judge(expectation, Counts(per_case=per_case, missing=gone))


def test_the_estimate_is_the_mean_of_the_cases_own() -> None:
    """Unbiased for each case, where the overall rate to the power of k is not."""
    found = look(pass_hat_k("ok", 3, at_least=0.9), MIXED)
    assert found.estimate == pytest.approx(fmean(estimate(x, n, k=3) for x, n in MIXED))
    assert (found.unit, found.quantity) == ("pass_hat_k", "pass^3")
    assert found.n_events == 53


@pytest.mark.parametrize(
    ("make", "passes", "verdict"),
    [
        (pass_hat_k, 59, Verdict.PROVEN),
        (pass_hat_k, 55, Verdict.UNDECIDED),
        (pass_hat_k, 20, Verdict.REFUTED),
        (pass_at_k, 50, Verdict.PROVEN),
        (pass_at_k, 5, Verdict.REFUTED),
    ],
)
def test_one_case_is_judged_by_what_its_rate_proves(
    make: type, passes: int, verdict: Verdict
) -> None:
    """At least 80 % with three tries."""
    assert look(make("ok", 3, at_least=0.8), ((passes, 59),)).verdict is verdict


def test_the_bound_of_one_case_is_exact() -> None:
    """Carried over from the exact bound of its rate."""
    found = look(pass_hat_k("ok", 3, at_least=0.3), ((50, 59),))
    assert found.bound == pytest.approx(lower_bound(50, 59) ** 3)
    assert found.claims[0].upper == pytest.approx(upper_bound(50, 59) ** 3)
    assert found.claims[1].sentence.startswith("nothing: fewer than 2 cases")


def test_what_refutes_it_is_said_by_its_name() -> None:
    """The upper bound, rounded up."""
    found = look(pass_hat_k("ok", 3, at_least=0.8), ((50, 59),))
    assert found.reason == "pass^3 is below 77.38 %, short of 80 %"


def test_missing_trials_count_as_failed_and_as_passed() -> None:
    """Against whichever bound they weaken."""
    found = look(pass_hat_k("ok", 3, at_least=0.8, missing_ceiling=0.5), ((50, 50),), missing=9)
    assert found.claims[0].lower == pytest.approx(lower_bound(50, 59) ** 3)
    assert found.bound_if_missing_were_like_the_rest == pytest.approx(lower_bound(50, 50) ** 3)
    poor = look(pass_hat_k("ok", 3, at_least=0.1, missing_ceiling=0.5), ((20, 50),), missing=9)
    assert poor.claims[0].upper == pytest.approx(upper_bound(29, 59) ** 3)


def test_more_missing_than_the_ceiling_is_undecided() -> None:
    """As everywhere."""
    found = look(pass_hat_k("ok", 3, at_least=0.2), ((50, 50),), missing=9)
    assert found.verdict is Verdict.UNDECIDED
    assert "more than the ceiling" in found.reason


def test_a_case_with_fewer_than_k_scores_shows_nothing() -> None:
    """It is counted and said; when all are so, nothing is known."""
    patient = pass_hat_k("ok", 3, at_least=0.5, missing_ceiling=0.5)
    found = look(patient, ((1, 2), *MIXED), missing=13)
    assert any("1 of 6 cases have fewer than 3 scored trials" in x for x in found.cautions)
    nothing = look(patient, ((1, 2), (0, 1)))
    assert nothing.verdict is Verdict.UNDECIDED
    assert "no case has the 3 scored trials that pass^3 takes (the most are 2)" in nothing.reason


def test_fewer_trials_than_tries_are_refused_at_declaration() -> None:
    """Before they cost anything."""
    with pytest.raises(EvalUsageError, match=r"pass_hat_k\('ok', 5\) needs at least 5 trials"):
        evaluate(cases=["a"], trials=4, expect=[pass_hat_k("ok", 5, at_least=0.5)])
    evaluate(cases=["a"], trials=5, expect=[pass_hat_k("ok", 5, at_least=0.5)])


def test_fewer_trials_on_the_command_line_are_refused_too() -> None:
    """`--trials 2` cannot show what three tries would do."""

    @evaluate(cases=["a"], trials=5, expect=[pass_hat_k("ok", 3, at_least=0.5)])
    def test_it(case: str) -> None:
        """Take a case."""

    declaration = declaration_of(test_it)
    assert declaration is not None
    with pytest.raises(EvalUsageError, match="and trials=2"):
        make_plan(declaration, eval_id="e", tier=None, source="", provider="mock", trials=2)


def test_two_numbers_of_tries_are_two_questions() -> None:
    """pass^2 beside pass^3 repeats nothing; pass^3 twice does."""
    two, three = pass_hat_k("ok", 2, at_least=0.9), pass_hat_k("ok", 3, at_least=0.8)
    evaluate(cases=["a"], trials=5, expect=[two, three])
    with pytest.raises(EvalUsageError, match="twice"):
        evaluate(cases=["a"], trials=5, expect=[three, pass_hat_k("ok", 3, at_least=0.7)])


@pytest.mark.parametrize("k", [1, 0, -1, True, 2.0, "3"])
def test_a_number_of_tries_that_is_none_is_refused(k: object) -> None:
    """One try is a rate."""
    with pytest.raises(EvalUsageError, match=r"at_least\('ok'"):
        pass_hat_k("ok", k, at_least=0.5)


def test_flawless_trials_say_how_many_are_needed() -> None:
    """All of 5 x 3 passed: the number at which they would prove it."""
    found = look(pass_hat_k("ok", 3, at_least=0.8), ((3, 3),) * 5)
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_needed is not None
    assert (1 - zero_bound(found.n_needed)) ** 3 >= 0.8
    assert (1 - zero_bound(found.n_needed - 1)) ** 3 < 0.8
    others = look(pass_hat_k("ok", 3, at_least=0.8, population="cases_like_these"), ((3, 3),) * 5)
    assert others.n_needed == 14


def test_a_spread_of_cases_promises_nothing_of_more_trials() -> None:
    """More trials of the same cases would not bring them closer together."""
    found = look(pass_hat_k("ok", 3, at_least=0.4), MIXED)
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_needed is None


def test_a_negative_control_turns_it_around() -> None:
    """And leaves undecided what is."""
    broken = must_refute(pass_hat_k("ok", 3, at_least=0.8))
    assert look(broken, ((20, 59),)).verdict is Verdict.PROVEN
    assert look(broken, ((59, 59),)).verdict is Verdict.REFUTED
    assert look(broken, ((1, 2),)).verdict is Verdict.UNDECIDED


def test_it_reads_as_lines_of_a_table() -> None:
    """As everybody writes it."""
    assert str(pass_at_k("ok", 5, at_least=0.9)) == "ok pass@5 at least 90 %"
    found = look(pass_hat_k("ok", 3, at_least=0.2), MIXED)
    assert judgement_lines(found)[1].startswith("  scored 75 of 75 planned, pass^3 49.41 %")


def test_it_is_not_what_at_least_says() -> None:
    """Nine of ten passed is a rate of 90 %, and a poor pass^3."""
    tens = ((9, 10),) * 30
    assert look(at_least("ok", 0.8), tens).verdict is Verdict.PROVEN
    assert look(pass_hat_k("ok", 3, at_least=0.8), tens).verdict is Verdict.UNDECIDED
