"""What is said in trials, added up."""

from __future__ import annotations

from dataclasses import replace

from tierwise.domain import Attempt, EvalSummary, Exchange, Reused, Spending, Usage
from tierwise.evals.provenance import provenance_lines, say_spending
from tierwise.evals.spending import SpendingCount

PAID = Exchange(
    prompt=(),
    reply="",
    attempts=(Attempt(failure="busy"), Attempt()),
    usage=Usage(input_tokens=10, output_tokens=2),
    cost_usd=0.5,
)


def test_calls_attempts_tokens_and_money_are_added_up() -> None:
    """A cached reply takes nothing, an unknown price is counted, and what was not asked is not."""
    count = SpendingCount()
    count.add([PAID, replace(PAID, cost_usd=None, attempts=())])
    count.add([replace(PAID, source="cache")])
    count.add([Exchange(prompt=(), reply="", failure="raised:BudgetReached")])
    count.add([Exchange(prompt=(), reply="", failure="raised:ValueError", cost_usd=0.0)])
    assert count.total == Spending(
        calls=3,
        attempts=4,
        cached=1,
        input_tokens=20,
        output_tokens=4,
        cost_usd=0.5,
        unpriced=1,
    )


def test_spending_is_said_on_one_line() -> None:
    """With what is not known of it."""
    assert say_spending(Spending()) == ""
    assert say_spending(Spending(calls=1, attempts=1)) == "1 call"
    paid = Spending(calls=1200, attempts=1250, input_tokens=5000, cost_usd=0.0123456789)
    assert say_spending(paid) == "1,200 calls (1,250 attempts), 5,000 tokens, 0.0123457 USD"
    assert say_spending(replace(paid, cost_usd=0.0, unpriced=1200)).endswith("of unknown price")
    assert say_spending(replace(paid, unpriced=7)).endswith("USD, and 7 calls of unknown price")
    assert say_spending(Spending(cached=3)) == "3 from the cache"


def test_a_first_run_has_only_what_it_spent() -> None:
    """Nobody is told what did not happen."""
    summary = EvalSummary(eval_id="e", tier=None, provider="p", judgements=(), n_ran=5)
    assert provenance_lines(summary) == []
    spent = replace(summary, spent=Spending(calls=5, attempts=5))
    assert provenance_lines(spent) == ["spent: 5 calls"]


def test_a_run_that_goes_on_says_from_where_and_why_the_rest_ran() -> None:
    """Each run that trials come from, by its id and its time."""
    summary = EvalSummary(
        eval_id="e",
        tier=None,
        provider="p",
        judgements=(),
        n_ran=3,
        reused=(
            Reused(run_id="r1", started_at="2026-11-30T20:40:07+00:00", n_trials=50),
            Reused(run_id="r2", started_at="2026-12-01T08:00:00+00:00", n_trials=1),
        ),
        ran_because=(("never run before", 2), ("ended in an error before", 1)),
        spent=Spending(calls=3, attempts=3),
        spent_before=Spending(calls=51, attempts=52),
        cut_by="the budget is reached",
    )
    assert provenance_lines(summary) == [
        "the budget is reached",
        "reused 51 trials of run r1 (2026-11-30 20:40 UTC) and run r2 (2026-12-01 08:00 UTC)",
        "ran 3 trials: 2 never run before, 1 ended in an error before",
        "spent: 3 calls; before: 51 calls (52 attempts)",
    ]
    whole = replace(summary, n_ran=0, ran_because=(), cut_by="", spent=Spending())
    (line,) = provenance_lines(whole)
    assert line == (
        "nothing to run: 51 trials of run r1 (2026-11-30 20:40 UTC) and run r2 "
        "(2026-12-01 08:00 UTC) reused; --fresh measures anew"
    )
    anew = replace(summary, reused=(), ran_because=(("anew, as --fresh asks", 9),), cut_by="")
    assert provenance_lines(anew)[0] == "ran 3 trials: anew, as --fresh asks"
