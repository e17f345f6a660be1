"""Trials of earlier runs that a later run takes over, read back one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Attempt, Exchange, Outcome, Spending, Usage, Verdict
from tierwise.errors import StoreError
from tierwise.records import PlanRow, RunInfo, RunStore, TrialRow, VerdictRow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVAL = "tests/evals/test_a.py::test_b"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore.open(tmp_path / ".tierwise" / "records.db") as opened:
        yield opened


def a_plan(run_id: str, plan_hash: str = "plan", **more: object) -> PlanRow:
    plan = PlanRow(
        run_id=run_id,
        plan_hash=plan_hash,
        eval_id=EVAL,
        tier="evals",
        n_cases=1,
        trials=4,
        n_planned=4,
        provider="simulated",
        definition="definition",
        inputs_hash="inputs",
    )
    return replace(plan, **more)  # type: ignore[arg-type]


def a_trial(run_id: str, index: int, plan_hash: str = "plan", **more: object) -> TrialRow:
    trial = TrialRow(
        run_id=run_id,
        plan_hash=plan_hash,
        eval_id=EVAL,
        case_id="case",
        index=index,
        key=f"key-{index}",
        seed=7,
        outcome=Outcome.PASSED,
        scores={"leak": index == 1},
    )
    return replace(trial, **more)  # type: ignore[arg-type]


def a_verdict(run_id: str, plan_hash: str = "plan") -> VerdictRow:
    return VerdictRow(
        run_id=run_id,
        plan_hash=plan_hash,
        eval_id=EVAL,
        tier="evals",
        expectation="never leak",
        metric="leak",
        verdict=Verdict.PROVEN,
        reason="because",
        n_scored=4,
        n_planned=4,
    )


def start(store: RunStore, *indices: int, plan_hash: str = "plan", **more: object) -> str:
    run_id = store.start_run(RunInfo())
    store.add_plan(a_plan(run_id, plan_hash, **more))
    store.add_trials([a_trial(run_id, index, plan_hash) for index in indices])
    return run_id


def take_over(store: RunStore, source: str, *, plan_hash: str = "plan") -> str:
    run_id = store.start_run(RunInfo())
    kept = [trial.seq for trial in store.each_kept_trial(source, plan_hash)]
    store.add_plan(a_plan(run_id, plan_hash, measurement=source), reused=kept)
    return run_id


def test_trials_of_a_run_are_its_own_and_those_it_took_over(store: RunStore) -> None:
    """Those taken over come first and name the run that they were made in."""
    first = start(store, 0, 1)
    second = take_over(store, first)
    store.add_trials([a_trial(second, 2), a_trial(second, 3)])
    rows = store.trials_of_run(second)
    assert [(row.index, row.run_id) for row in rows] == [
        (0, first),
        (1, first),
        (2, second),
        (3, second),
    ]
    assert [row.index for row in store.trials_of_run(first)] == [0, 1]


def test_a_run_that_goes_on_can_be_gone_on_with(store: RunStore) -> None:
    """A kill during a resume loses nothing of what came before it."""
    first = start(store, 0, 1)
    second = take_over(store, first)
    store.add_trials([a_trial(second, 2)])
    third = take_over(store, second)
    assert [trial.index for trial in store.each_kept_trial(third, "plan")] == [0, 1, 2]
    assert [row.run_id for row in store.trials_of_run(third)] == [first, first, second]


def test_a_kept_trial_has_what_is_counted_and_its_place(store: RunStore) -> None:
    """Outcome, scores, reason, key and what was said, and no other plan's trials."""
    run_id = start(store, 0)
    said = tuple(Exchange(prompt=(), reply=text) for text in ("one", "two"))
    store.add_trials(
        [
            a_trial(run_id, 1, exchanges=said, graders={"tone": "a judge"}),
            a_trial(run_id, 2, arm="control", outcome=Outcome.ERROR, message="KeyError: 'x'"),
            a_trial(run_id, 3, plan_hash="another"),
        ]
    )
    plain, spoken, control = store.each_kept_trial(run_id, "plan")
    assert (plain.said, spoken.said) == (None, "one\x1etwo")
    assert (plain.graders, spoken.graders) == ({}, {"tone": "a judge"})
    assert store.trials_of_run(run_id)[1].graders == {"tone": "a judge"}
    assert (spoken.index, spoken.key, spoken.run_id) == (1, "key-1", run_id)
    assert (spoken.outcome, spoken.scores) == (Outcome.PASSED, {"leak": True})
    assert (control.arm, control.outcome, control.message) == (
        "control",
        Outcome.ERROR,
        "KeyError: 'x'",
    )
    assert plain.seq < spoken.seq < control.seq


def test_a_trial_taken_over_counts_for_the_plan_that_took_it(store: RunStore) -> None:
    """A longer plan may go on with the trials of a shorter one."""
    first = start(store, 0, 1)
    second = store.start_run(RunInfo())
    kept = [trial.seq for trial in store.each_kept_trial(first, "plan")]
    store.add_plan(a_plan(second, "longer"), reused=kept)
    assert [trial.index for trial in store.each_kept_trial(second, "longer")] == [0, 1]
    assert list(store.each_kept_trial(second, "plan")) == []


def test_runs_that_go_on_with_one_another_are_one_measurement(store: RunStore) -> None:
    """The number beside a verdict counts how often was measured, not how often was started."""
    first = start(store, 0)
    second = take_over(store, first)
    assert store.count_runs_of_plan("plan") == 1
    afresh = store.start_run(RunInfo())
    assert store.add_plan(a_plan(afresh)) == 2
    assert store.count_unjudged_runs_of_plan("plan", but=second) == 1
    assert store.count_unjudged_runs_of_plan("plan", but=afresh) == 1
    store.add_verdict(a_verdict(second))
    assert store.count_unjudged_runs_of_plan("plan", but=afresh) == 0


def test_a_plan_and_what_it_takes_over_are_kept_together_or_not_at_all(store: RunStore) -> None:
    """A kill in between must not leave a run that seems to have lost its trials."""
    first = start(store, 0)
    second = store.start_run(RunInfo())
    with pytest.raises(StoreError):
        store.add_plan(a_plan(second), reused=[1, 1])
    assert [run.run_id for run in store.runs_of_eval(EVAL)] == [first]


def test_runs_of_an_eval_come_newest_first_with_what_decides_about_them(store: RunStore) -> None:
    """Code, definition, plan, and whether anybody has seen a verdict."""
    first = start(store, 0, definition="older")
    second = start(store, plan_hash="longer", trials=9)
    store.add_verdict(a_verdict(first))
    newest, oldest = store.runs_of_eval(EVAL)
    assert (newest.run_id, newest.plan_hash, newest.trials) == (second, "longer", 9)
    assert (newest.is_judged, oldest.is_judged) == (False, True)
    assert (oldest.run_id, oldest.definition, oldest.inputs_hash) == (first, "older", "inputs")
    assert (oldest.measurement, oldest.provider) == (first, "simulated")
    assert store.runs_of_eval("another") == ()


def test_reading_goes_row_by_row_and_sees_one_state(store: RunStore) -> None:
    """A writer is not held up, and what it adds meanwhile does not show half way."""
    run_id = take_over(store, start(store, *range(50)))
    rows = store.each_trial(run_id)
    assert [row.index for row in islice(rows, 10)] == list(range(10))
    store.add_trials([a_trial(run_id, 50)])
    assert [row.index for row in rows] == list(range(10, 50))
    assert len(store.trials_of_run(run_id)) == 51


def test_spending_is_added_up_apart_for_this_run_and_for_what_it_took_over(
    store: RunStore,
) -> None:
    """Cached replies cost nothing, and a call of unknown cost is counted as such."""
    paid = Exchange(
        prompt=(),
        reply="",
        attempts=(Attempt(failure="busy"), Attempt()),
        usage=Usage(input_tokens=10, output_tokens=2),
        cost_usd=0.5,
    )
    free = replace(paid, attempts=(), cost_usd=None)
    cached = replace(paid, source="cache", attempts=())
    first = start(store)
    store.add_trials([a_trial(first, 0, exchanges=(paid, free))])
    second = take_over(store, first)
    uncovered = Exchange(prompt=(), reply="", failure="raised:BudgetReached")
    store.add_trials([a_trial(second, 1, exchanges=(cached, paid, uncovered))])
    now, before = store.spending(second, "plan")
    assert now == Spending(
        calls=1, attempts=2, cached=1, input_tokens=10, output_tokens=2, cost_usd=0.5
    )
    assert before == Spending(
        calls=2, attempts=3, input_tokens=20, output_tokens=4, cost_usd=0.5, unpriced=1
    )
    assert store.spending(first, "plan") == (before, Spending())
    assert (now + before).tokens == 36
