from __future__ import annotations

import subprocess
from typing import Any

import pytest

from tierwise.errors import EvalUsageError
from tierwise.evals import (
    Budget,
    anytime,
    at_least,
    at_most,
    declaration_of,
    evaluate,
    mean_between,
    must_refute,
    never,
    no_worse_than,
    pass_at_k,
    positive_control,
    sprt,
)
from tierwise.stats import Population


def declare(**changed: object) -> object:
    given: dict[str, Any] = {"cases": ["a"], "trials": 2, "expect": [at_least("passed", 0.9)]}
    return evaluate(**(given | changed))


def test_the_function_itself_is_returned_with_its_declaration() -> None:
    """A declared eval can still be called by hand."""

    def test_it(case: str) -> str:
        return case

    declared = declare()(test_it)
    assert declared is test_it
    assert declared("x") == "x"
    found = declaration_of(declared)
    assert found is not None
    assert [case.id for case in found.cases] == ["a"]
    assert found.trials == 2


def test_a_plain_function_has_no_declaration() -> None:
    """Only `@evaluate` makes an eval."""
    assert declaration_of(lambda: None) is None


@pytest.mark.parametrize("trials", [0, -1, True, 1.5, "15"])
def test_trials_that_are_no_positive_number_are_refused(trials: object) -> None:
    """Zero trials would be a pass on no evidence."""
    with pytest.raises(EvalUsageError, match=r"trials=.*at least 1"):
        declare(trials=trials)


def test_no_cases_are_refused() -> None:
    """An empty selection is never fine."""
    with pytest.raises(EvalUsageError, match="cases is empty"):
        declare(cases=[])


def test_no_expectations_are_refused() -> None:
    """An eval that expects nothing proves nothing."""
    with pytest.raises(EvalUsageError, match="expect is empty"):
        declare(expect=[])


def test_an_expectation_outside_a_list_is_refused() -> None:
    """The usual slip is named."""
    with pytest.raises(EvalUsageError, match="expected a list, even of one"):
        declare(expect=never("leak", below=0.05))


def test_something_else_among_the_expectations_is_refused() -> None:
    """What is no expectation is quoted."""
    with pytest.raises(EvalUsageError, match=r"expect holds 0\.9"):
        declare(expect=[0.9])


def test_the_same_expectation_twice_is_refused() -> None:
    """Two limits for one question contradict or repeat each other."""
    with pytest.raises(EvalUsageError, match=r"never\('leak'\) twice"):
        declare(expect=[never("leak", below=0.05), never("leak", below=0.1)])


def test_one_metric_may_have_both_limits_and_both_populations() -> None:
    """A band, and a claim for each population, are different questions."""
    declare(
        expect=[
            at_least("m", 0.2),
            at_most("m", 0.8),
            at_most("m", 0.8, population="cases_like_these"),
        ]
    )


def test_never_without_a_limit_is_refused_with_the_way_out() -> None:
    """No number of clean trials proves a rate of zero."""
    with pytest.raises(EvalUsageError, match=r"names no limit.*below=0\.05"):
        never("leak")


@pytest.mark.parametrize("limit", [0, 1, -0.1, 1.5, True, "5%", 5])
def test_a_limit_outside_its_range_is_refused(limit: object) -> None:
    """A rate of exactly 0 or 1 cannot be proven by trials."""
    with pytest.raises(EvalUsageError, match="expected a share between 0 and 1"):
        at_least("m", limit)


def test_a_limit_given_in_percent_is_recognised() -> None:
    """5 instead of 0.05 is the likely slip."""
    with pytest.raises(EvalUsageError, match=r"Did you mean 0\.05\?"):
        never("leak", below=5)


def test_an_unknown_population_is_refused_with_the_closest() -> None:
    """The list of populations is in the message."""
    with pytest.raises(EvalUsageError, match=r"Did you mean 'these_cases'\? Expected one of"):
        never("leak", below=0.05, population="these-cases")


@pytest.mark.parametrize("metric", ["", "two words", 3])
def test_a_metric_that_could_not_be_scored_is_refused(metric: object) -> None:
    """Metrics are keyword arguments of trial.score()."""
    with pytest.raises(EvalUsageError, match="expected the name of a metric"):
        never(metric, below=0.05)


@pytest.mark.parametrize("ceiling", [-0.1, 1, "0", True])
def test_a_ceiling_outside_its_range_is_refused(ceiling: object) -> None:
    """All trials missing can never be within the ceiling."""
    with pytest.raises(EvalUsageError, match="missing_ceiling"):
        never("leak", below=0.05, missing_ceiling=ceiling)


def test_expectations_read_as_lines_of_a_table() -> None:
    """The promise is printed as it was made."""
    assert str(never("leak", below=0.05)) == "never leak (below 5 %)"
    assert str(at_least("helpful", 0.8)) == "helpful at least 80 %"
    assert str(at_most("rude", 0.125)) == "rude at most 12.5 %"
    assert never("leak", below=0.05).population is Population.THESE_CASES


def test_a_control_for_another_metric_than_a_never_is_refused() -> None:
    """A control that guards nothing would be silently useless."""
    with pytest.raises(EvalUsageError, match=r"no never\(...\) of this eval.*leak"):
        declare(
            expect=[never("leak", below=0.05), at_least("helpful", 0.8)],
            control=positive_control(cases=["x"], metric="helpful"),
        )


def test_two_controls_for_one_metric_are_refused() -> None:
    """Which of the two would count?"""
    control = positive_control(cases=["x"], metric="leak")
    with pytest.raises(EvalUsageError, match="Two positive controls"):
        declare(expect=[never("leak", below=0.05)], control=[control, control])


def test_something_else_as_control_is_refused() -> None:
    """The way to declare one is named."""
    with pytest.raises(EvalUsageError, match=r"expected positive_control\(\.\.\.\)"):
        declare(expect=[never("leak", below=0.05)], control=["cases"])


def test_a_control_has_cases_and_trials_of_its_own() -> None:
    """Its arguments are checked as those of the eval are."""
    with pytest.raises(EvalUsageError, match="positive_control cases is empty"):
        positive_control(cases=[], metric="leak")
    with pytest.raises(EvalUsageError, match="positive_control trials=0"):
        positive_control(cases=["x"], metric="leak", trials=0)
    control = positive_control(cases=["x"], metric="leak", at_least=0.6, trials=5)
    assert (control.metric, control.trials) == ("leak", 5)
    assert control.expectation == at_least("leak", 0.6)


def test_a_time_out_that_no_trial_could_keep_is_refused() -> None:
    """Zero seconds would end every trial as an error."""
    with pytest.raises(EvalUsageError, match="timeout_s=0"):
        declare(timeout_s=0)


def test_what_is_no_function_is_refused() -> None:
    """A class is not the body of a trial."""
    with pytest.raises(EvalUsageError, match="expected a test function"):
        declare()(subprocess.Popen)


def test_bodies_that_cannot_be_called_by_name_are_refused() -> None:
    """Generators, star arguments and positional-only arguments each have their message."""

    def yields(case: str) -> object:
        yield case

    async def yields_too(case: str) -> object:
        yield case

    def takes_all(**others: object) -> None:
        """Take whatever comes."""

    def by_position(case: str, /) -> None:
        """Take by position."""

    for body, expected in [
        (yields, "cannot be a generator"),
        (yields_too, "cannot be a generator"),
        (takes_all, r"takes \*others"),
        (by_position, "by position only"),
    ]:
        with pytest.raises(EvalUsageError, match=expected):
            declare()(body)


def test_a_budget_and_a_stopping_rule_are_part_of_the_declaration() -> None:
    """Curtailed and without a budget unless said."""

    def test_it(case: str) -> None:
        """Take a case."""

    plain = declaration_of(declare()(test_it))
    assert plain is not None
    assert (plain.stop.kind, plain.budget) == ("curtailed", None)
    budget = Budget(calls=5)
    for stop in ("fixed", sprt(margin=0.05), anytime()):
        found = declaration_of(declare(stop=stop, budget=budget)(test_it))
        assert found is not None
        assert stop in (found.stop, found.stop.kind)
        assert found.budget == budget


def test_a_budget_that_is_none_is_refused() -> None:
    """A number alone does not say of what."""
    with pytest.raises(EvalUsageError, match=r"budget=5: expected Budget\(usd"):
        declare(budget=5)


def test_every_kind_of_promise_can_be_a_negative_control_and_once() -> None:
    """Turned around twice it would be a riddle."""
    for promise in (
        mean_between("n", 0, 1),
        no_worse_than("n", margin=0.1),
        pass_at_k("m", 2, at_least=0.5),
    ):
        turned = must_refute(promise)
        assert str(turned) == f"{promise} must be refuted"
        with pytest.raises(EvalUsageError, match="expected a promise"):
            must_refute(turned)
        declare(expect=[promise, at_least("passed", 0.5)])


@pytest.mark.parametrize("power", [9, 12, 5000])
def test_more_trials_than_anybody_could_run_are_refused(power: int) -> None:
    """A slip of the keyboard takes no memory first."""
    with pytest.raises(
        EvalUsageError, match=r"trials=.*expected at most 100,000,000 trials in all"
    ):
        declare(trials=10**power)
    with pytest.raises(EvalUsageError, match="for each of 3 cases"):
        declare(cases=list("abc"), trials=10**8)


@pytest.mark.parametrize("timeout_s", ["x", True, 0, -1, float("nan"), float("inf"), [1]])
def test_a_timeout_that_is_no_time_is_refused(timeout_s: object) -> None:
    """True is no second, and no trial may take for ever."""
    with pytest.raises(EvalUsageError, match=r"timeout_s=.*expected seconds above 0"):
        declare(timeout_s=timeout_s)


@pytest.mark.parametrize("limit", [{"calls": 0.5}, {"tokens": 1.5}])
def test_a_budget_of_half_a_call_is_refused(limit: dict[str, Any]) -> None:
    """Calls and tokens are counted."""
    with pytest.raises(EvalUsageError, match="are counted in whole numbers"):
        Budget(**limit)
    assert Budget(seconds=0.5, usd=0.5).usd == 0.5
