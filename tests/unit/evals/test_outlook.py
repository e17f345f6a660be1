"""What a declared eval can prove at all, and what it will cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.cli.eval_plan_declared import DeclaredPlan, choose_exit
from tierwise.domain import Verdict
from tierwise.errors import ExitCode
from tierwise.evals import (
    EvalDeclaration,
    Expectation,
    at_least,
    at_most,
    declaration_of,
    evaluate,
    must_refute,
    never,
    positive_control,
)
from tierwise.evals.costing import estimate_cost, find_past_usage, say_estimate, say_total
from tierwise.evals.expecting_means import mean_between, no_worse_than
from tierwise.evals.expecting_rates import share
from tierwise.evals.expecting_tries import pass_hat_k
from tierwise.evals.outlook import look_ahead, outlook_lines, say_size
from tierwise.evals.stopping_rules import anytime
from tierwise.records.scores import EvalRun, PlanUsage

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., Any]


def declare(
    *expect: Expectation, cases: int = 1, trials: int = 15, **more: Any
) -> EvalDeclaration:
    def test_it(trial: Any) -> None: ...

    evaluate(cases=list(range(cases)), trials=trials, expect=list(expect), **more)(test_it)
    found = declaration_of(test_it)
    assert found is not None
    return found


def test_a_plan_that_cannot_prove_its_promise_says_what_it_takes() -> None:
    """Fifteen clean trials prove 18.1 %, and below 5 % takes 59."""
    (found,) = look_ahead(declare(never("leak", below=0.05))).outlooks
    assert (found.verdict, found.n_needed, found.unit) == (Verdict.UNDECIDED, 59, "trials")
    assert found.reason == (
        "CANNOT be proven by this plan, not even by a flawless run: it takes 59 trials"
    )
    assert dict(found.claims)["these_cases"].startswith("below 18.11 %")
    (enough,) = look_ahead(declare(never("leak", below=0.05)), trials=59).outlooks
    assert (enough.verdict, enough.reason) == (Verdict.PROVEN, "can be proven by this plan")


@pytest.mark.parametrize(
    ("expectation", "verdict"),
    [
        (at_least("ok", 0.8), Verdict.PROVEN),
        (at_least("ok", 0.9), Verdict.UNDECIDED),
        (at_most("slow", 0.2), Verdict.PROVEN),
        (must_refute(never("leak", below=0.5)), Verdict.PROVEN),
        (must_refute(at_least("ok", 0.5)), Verdict.PROVEN),
        (pass_hat_k("ok", 3, at_least=0.5), Verdict.PROVEN),
        (pass_hat_k("ok", 3, at_least=0.6), Verdict.UNDECIDED),
    ],
)
def test_the_best_run_is_the_one_that_speaks_for_the_promise(
    expectation: Expectation, verdict: Verdict
) -> None:
    """All True, none True, or a hole that shows itself in every trial."""
    (found,) = look_ahead(declare(expectation)).outlooks
    assert found.verdict is verdict


def test_a_share_of_a_text_is_looked_ahead_at_as_well() -> None:
    """The text is scored in every trial of the best run."""
    (found,) = look_ahead(declare(share("tone", "warm", at_least=0.8))).outlooks
    assert found.verdict is Verdict.PROVEN


@pytest.mark.parametrize(
    ("expectation", "hint"),
    [
        (mean_between("size", 1.0, 2.0), "depends on how the scores spread"),
        (no_worse_than("ok", margin=0.1), "--see-drop BEFORE AFTER --paired"),
    ],
)
def test_what_depends_on_spread_cannot_be_told_beforehand(
    expectation: Expectation, hint: str
) -> None:
    """And nothing is made up."""
    (found,) = look_ahead(declare(expectation)).outlooks
    assert found.verdict is None
    assert found.reason.startswith("cannot be told before it runs")
    assert hint in found.reason


def test_a_control_that_cannot_speak_stands_in_the_way() -> None:
    """Four trials never prove that it shows at 50 %, so silence would look like safety."""
    control = positive_control(cases=["a"], metric="leak", trials=4)
    outlook = look_ahead(declare(never("leak", below=0.05), trials=59, control=control))
    assert outlook.outlooks[0].verdict is Verdict.UNDECIDED
    assert outlook.outlooks[0].reason.startswith(
        "CANNOT be proven by this plan: silence would look like safety"
    )
    assert (outlook.controls[0].verdict, outlook.controls[0].n_needed) == (Verdict.UNDECIDED, 5)
    assert (outlook.n_planned, outlook.n_control, outlook.n_to_run) == (59, 4, 63)
    assert say_size(outlook) == "1 case x 59 = 59 trials, and 4 of the positive control"
    assert any(
        line.startswith("positive control: leak at least 50 %") for line in outlook_lines(outlook)
    )


def test_a_sequential_end_is_said() -> None:
    """Its bounds are a little wider than those of a fixed plan."""
    lines = list(outlook_lines(look_ahead(declare(at_least("ok", 0.5), stop=anytime()))))
    assert lines[-1].startswith("it ends by anytime")
    assert not any(
        "ends by" in line for line in outlook_lines(look_ahead(declare(at_least("ok", 0.5))))
    )


TOOK = PlanUsage(
    n_trials=10,
    n_calls=20,
    input_tokens=1000,
    output_tokens=200,
    cost_usd=0.5,
    trial_s=40.0,
)


@pytest.fixture
def past(make_scores: Make, make_side: Make) -> Make:
    """Return the latest usage of eval `e` among runs, oldest first, each (provider, usage)."""

    def find(*runs: tuple[str, PlanUsage], provider: str | None = None) -> Any:
        entries = [
            EvalRun(
                run=make_side(run=f"run{place}").run,
                plans=(make_scores({"c": [None]}, provider=name, identity=f"{name}:t=0").plan,),
            )
            for place, (name, _) in enumerate(runs)
        ]
        usage = {f"run{place}": {"p": took} for place, (_, took) in enumerate(runs)}
        return find_past_usage(entries, ["e"], usage.__getitem__, provider=provider).get("e")

    return find


def test_the_latest_run_with_trials_is_the_measure(past: Make) -> None:
    """One that only took trials over says nothing of their price."""
    assert past(("x", TOOK), ("y", TOOK), ("y", PlanUsage(n_reused=9))).run_id == "run1"
    assert past(("y", PlanUsage())) is None
    assert past() is None


def test_the_same_provider_is_preferred_and_another_stands_in(past: Make) -> None:
    """By its label or by its specification."""
    runs = (("x", TOOK), ("y", TOOK))
    assert past(*runs, provider="x").run_id == "run0"
    assert past(*runs, provider="x:t=0").run_id == "run0"
    assert past(*runs, provider="z").run_id == "run1"


def test_cost_grows_with_the_trials(past: Make) -> None:
    """Calls, tokens, US dollars and time, by the trial; time is shared by concurrency."""
    cost = estimate_cost(past(("x", TOOK)), 100, concurrency=4)
    assert (cost.n_calls, cost.n_tokens, cost.cost_usd, cost.seconds) == (200, 12_000, 5.0, 100)
    assert say_estimate(cost, concurrency=4) == (
        "cost, if all of it runs: about 200 calls, 12,000 tokens, 5 USD, 1.7 min at concurrency 4 "
        "(as 10 trials of run run0 by x)"
    )


def test_an_unknown_price_stays_unknown(past: Make) -> None:
    """It is never 0, and neither is what was never run."""
    unpriced = PlanUsage(n_trials=10, n_calls=20, n_unpriced=1, cost_usd=0.5, trial_s=1.0)
    cost = estimate_cost(past(("x", unpriced)), 10, concurrency=1)
    assert cost.cost_usd is None
    assert "20 calls, 0 tokens, of unknown price" in say_estimate(cost, concurrency=1)
    assert say_estimate(None, concurrency=1).startswith("cost: unknown, since no recorded run of")
    assert say_total([None, None]) == "in all: unknown, as is what each of the 2 evals costs"
    assert "what 1 of 2 evals cost is unknown" in say_total(
        [None, estimate_cost(past(("x", TOOK)), 10, concurrency=1)]
    )


def test_another_providers_price_is_taken_for_the_same_tokens(past: Make) -> None:
    """The tokens are those that were seen, the price is the one that is asked about."""
    cost = estimate_cost(
        past(("x", TOOK)),
        100,
        concurrency=1,
        rate=lambda usage: usage.input_tokens * 0.001 + usage.output_tokens * 0.01,
    )
    assert cost.cost_usd == pytest.approx(10 * (1.0 + 2.0))


def test_replies_from_a_cache_will_have_to_be_paid(past: Make) -> None:
    """A run that was half cached cost half of what it will."""
    half = PlanUsage(n_trials=10, n_calls=10, n_cached=10, cost_usd=0.5, trial_s=1.0)
    assert estimate_cost(past(("x", half)), 10, concurrency=1).cost_usd == 1.0
    cached = PlanUsage(n_trials=10, n_cached=10, trial_s=1.0)
    assert estimate_cost(past(("x", cached)), 10, concurrency=1).cost_usd is None


@pytest.mark.parametrize(
    ("seconds", "said"), [(4.0, "0.4 s"), (5000.0, "8.3 min"), (1e5, "2.8 h")]
)
def test_time_is_said_in_a_unit_that_fits(past: Make, seconds: float, said: str) -> None:
    """Seconds, minutes, hours."""
    took = PlanUsage(n_trials=10, n_calls=1, trial_s=seconds)
    line = say_estimate(estimate_cost(past(("x", took)), 10, concurrency=10), concurrency=10)
    assert f"{said} at concurrency 10" in line


def test_an_eval_without_calls_costs_time_alone(past: Make) -> None:
    """It brings its own provider, and nobody counted what that did."""
    own = PlanUsage(n_trials=10, trial_s=10.0)
    line = say_estimate(estimate_cost(past(("x", own)), 10, concurrency=1), concurrency=1)
    assert line.startswith("cost, if all of it runs: about no calls, 10 s")


def test_a_plan_that_cannot_prove_its_claim_ends_as_such_a_run_would() -> None:
    """One hopeless eval is enough, a control is one too, and what cannot be told is not."""
    quiet = never("leak", below=0.05)
    enough, few, unknown = (
        declare(quiet, trials=59),
        declare(quiet),
        declare(no_worse_than("ok", margin=0.1)),
    )
    control = positive_control(cases=["c"], metric="leak", at_least=0.99)
    deaf = declare(quiet, trials=59, control=control)
    plans = [
        DeclaredPlan(eval_id="e", tier=None, outlook=look_ahead(entry), cost=None)
        for entry in (enough, unknown, few, deaf)
    ]
    assert choose_exit(ExitCode.OK, plans[:2]) == ExitCode.OK
    assert choose_exit(ExitCode.OK, plans[:3]) == ExitCode.UNDECIDED
    assert choose_exit(ExitCode.OK, [plans[3]]) == ExitCode.UNDECIDED
    assert choose_exit(ExitCode.USAGE, plans) == ExitCode.USAGE
