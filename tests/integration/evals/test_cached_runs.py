"""A run whose replies come from the cache: no new measurement, whatever is made of it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.records import RunStore
from tierwise.records.scores import Shared

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]

EVAL = """
from tierwise.evals import no_worse_than

@evaluate(
    cases=["a", "b"],
    trials=20,
    expect=[at_least("ok", 0.1), no_worse_than("ok", margin=0.5)],
    stop="fixed",
)
async def test_it(case, provider, trial):
    said = await ask(provider, trial)
    trial.score(ok="heron" in said)
"""


@pytest.fixture
def run(project: pytest.Pytester, write: Write) -> Callable[..., Any]:
    """Run the eval with the cache, and return what it came to as data."""
    write(EVAL)
    command = (sys.executable, "-m", "tierwise", "eval", "run", "--json", "--fresh")
    provider = ("--provider", "simulated:rate=0.5,secret=the blue heron")

    def run(*arguments: str, cache: bool = True) -> Any:
        more = ("--cache", *arguments) if cache else arguments
        found = json.loads(project.run(*command, *provider, *more).stdout.str())
        return found["evals"][0]

    return run


def test_copies_are_no_measurement(run: Callable[..., Any], project: pytest.Pytester) -> None:
    """They are cautioned of, count as no other run, and prove nothing beside their originals."""
    first = run()
    assert (first["n_cached"], first["run_number"]) == (0, 1)
    again = run("--baseline", "last")
    assert (again["n_cached"], again["run_number"]) == (40, 1)
    rate, kept = again["judgements"]
    caution = "40 of 40 trials answered from the cache: no new measurement"
    assert caution in rate["cautions"]
    assert caution in kept["cautions"]
    assert (rate["verdict"], kept["verdict"]) == ("proven", "undecided")
    assert "40 answered from the cache" in kept["reason"]
    with RunStore.open(project.path / ".tierwise" / "records.db") as store:
        one, two = (entry.run.run_id for entry in store.evals.runs())
        (plan,) = store.evals.runs()[1].plans
        shared = {(plan.plan_hash, plan.plan_hash): Shared(n_copied=40)}
        assert store.evals.find_shared(one, two) == store.evals.find_shared(two, one) == shared
        assert plan.is_copied


def test_an_edited_body_shares_what_it_asks_as_before(
    run: Callable[..., Any], write: Write
) -> None:
    """What it does with a reply is new, the reply is not."""
    run()
    write(EVAL.replace("heron", "blue"))
    again = run("--baseline", "last")
    assert [entry["verdict"] for entry in again["judgements"]] == ["proven", "undecided"]


def test_a_few_copies_are_counted_and_the_run_counts_too(
    run: Callable[..., Any], write: Write
) -> None:
    """One case asks something else than before: that half was measured."""
    run()
    write(
        EVAL.replace(
            "ask(provider, trial)", "ask(provider, trial, 'Where?' if case == 'b' else 'Who?')"
        )
    )
    run()
    write(
        EVAL.replace(
            "ask(provider, trial)", "ask(provider, trial, 'What?' if case == 'b' else 'Who?')"
        )
    )
    again = run("--baseline", "last")
    assert (again["n_cached"], again["run_number"]) == (20, 1)
    rate, kept = again["judgements"]
    assert "20 of 40 trials answered from the cache: no new measurement" in rate["cautions"]
    assert "20 trials are the same on both sides" in kept["reason"]


def test_a_live_run_after_copies_is_the_second(run: Callable[..., Any]) -> None:
    """Copies between two measurements are not counted, and what is measured is."""
    run()
    run()
    found = run("--baseline", "last", cache=False)
    assert (found["run_number"], found["n_cached"], found["n_unjudged_runs"]) == (2, 0, 0)
