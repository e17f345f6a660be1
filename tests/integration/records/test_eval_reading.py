"""Scores of whole runs, added up from a store on disk."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Exchange, Outcome, Usage, Verdict
from tierwise.records import PlanRow, RunInfo, RunStore, TrialRow, VerdictRow, eval_reading
from tierwise.records.scores import Shared

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVAL = "tests/evals/test_a.py::test_b"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore.open(tmp_path / "records.db") as opened:
        yield opened


def start(store: RunStore, *plans: str, eval_id: str = EVAL) -> str:
    run_id = store.start_run(RunInfo(command="tierwise eval run"))
    for plan_hash in plans:
        store.add_plan(
            PlanRow(
                run_id=run_id,
                plan_hash=plan_hash,
                eval_id=eval_id,
                tier="evals",
                n_cases=2,
                trials=2,
                n_planned=4,
                provider=f"provider of {plan_hash}",
                detail={"expect": ["never leak"]},
                definition="d",
            )
        )
    return run_id


def trial(run_id: str, case_id: str = "a", index: int = 0, **more: object) -> TrialRow:
    values: dict[str, object] = {
        "run_id": run_id,
        "plan_hash": "p",
        "eval_id": EVAL,
        "case_id": case_id,
        "index": index,
        "key": f"{case_id}-{index}",
        "seed": 7 + index,
        "outcome": Outcome.PASSED,
        "scores": {"leak": False},
    }
    return TrialRow(**(values | more))  # type: ignore[arg-type]


def reuse(store: RunStore, run_id: str, plan_hash: str, of: str) -> None:
    """Take over all trials of another run, as a resumed run does."""
    store._connection.execute(
        "INSERT INTO reused (run_id, plan_hash, trial) SELECT ?, ?, seq FROM trials "
        "WHERE run_id = ?",
        (run_id, plan_hash, of),
    )


def test_scores_are_added_up_by_plan_case_and_metric(store: RunStore) -> None:
    """Each plan has its own cases; another run's trials and a control's are not among them."""
    run_id = start(store, "p", "q")
    other = start(store, "p")
    store.add_trials(
        [
            trial(run_id, "a", 0, scores={"leak": True, "length": 3.5, "tone": "rude"}),
            trial(run_id, "a", 1, scores={"leak": False, "length": 4.5, "tone": "polite"}),
            trial(run_id, "b", 0, outcome=Outcome.ERROR, scores={"leak": True}),
            trial(run_id, "a", 0, plan_hash="q", scores={"leak": True}, seed=99),
            trial(run_id, "leak: c", 0, arm="control", scores={"leak": True}),
            trial(other, "a", 0, scores={"leak": True}),
        ]
    )
    first, second = store.evals.scores(run_id)
    assert first.plan.provider == "provider of p"
    assert first.plan.detail == {"expect": ["never leak"]}
    assert sorted(first.cases) == ["a", "b"]
    leak, length, tone = (first.cases["a"].metrics[name] for name in ("leak", "length", "tone"))
    assert (leak.n_true, leak.n_false) == (1, 1)
    assert (length.n_numbers, length.total, length.variance) == (2, 8.0, 0.5)
    assert tone.categories == {"rude": 1, "polite": 1}
    assert first.cases["b"].outcomes == {Outcome.ERROR: 1}
    assert first.cases["b"].metrics == {}
    assert (first.cases["a"].seed, second.cases["a"].seed) == (7, 99)
    assert second.cases["a"].metrics["leak"].n_true == 1


def test_taken_over_trials_count_for_the_run_that_took_them(store: RunStore) -> None:
    """A resumed run's scores are its own trials and those of before, under its own plan."""
    killed = start(store, "p")
    store.add_trials([trial(killed, "a", 0, scores={"leak": True}), trial(killed, "b", 0)])
    resumed = start(store, "q")
    reuse(store, resumed, "q", of=killed)
    store.add_trials([trial(resumed, "a", 1, plan_hash="q")])
    (scores,) = store.evals.scores(resumed)
    assert scores.n_reused == 2
    assert scores.n_landed == 3
    assert (scores.cases["a"].metrics["leak"].n_true, scores.cases["a"].seed) == (1, 7)
    assert store.evals.find_shared(killed, resumed) == {("p", "q"): Shared(n_taken_over=2)}
    assert store.evals.find_shared(resumed, killed) == {("q", "p"): Shared(n_taken_over=2)}


def test_two_runs_that_took_over_the_same_trials_share_them(store: RunStore) -> None:
    """Neither made them, and both count them."""
    killed, one, two = start(store, "p"), start(store, "p"), start(store, "p")
    store.add_trials([trial(killed), trial(one, "b"), trial(two, "b")])
    reuse(store, one, "p", of=killed)
    reuse(store, two, "p", of=killed)
    assert store.evals.find_shared(one, two) == {("p", "p"): Shared(n_taken_over=1)}
    assert store.evals.find_shared(one, start(store, "p")) == {}


def test_runs_at_the_same_time_are_told_apart(store: RunStore) -> None:
    """Their trials lie mixed in the file, and each is counted for its own run."""
    one, two = start(store, "p"), start(store, "p")
    for index in range(4):
        store.add_trials([trial(one, "a", index), trial(two, "b", index)])
    (scores,) = store.evals.scores(one)
    assert {case_id: case.outcomes.total() for case_id, case in scores.cases.items()} == {"a": 4}


def test_one_eval_can_be_asked_for(store: RunStore) -> None:
    """Other evals of the run are left out."""
    run_id = start(store, "p")
    assert store.evals.scores(run_id, eval_id="another") == ()
    assert len(store.evals.scores(run_id, eval_id=EVAL)) == 1


def test_sums_over_many_chunks_are_those_of_the_rows(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No trial is lost or counted twice where one chunk ends and the next begins."""
    monkeypatch.setattr(eval_reading, "_CHUNK", 7)
    run_id = start(store, "p")
    rows = [
        trial(run_id, f"case {i % 3}", i // 3, scores={"leak": i % 5 == 0, "size": float(i)})
        for i in range(100)
    ]
    store.add_trials(rows)
    told: list[int] = []
    (scores,) = store.evals.scores(run_id, tell=told.append)
    expected: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        expected[row.case_id].update(
            n=1, leak=int(row.scores["leak"]), size=int(row.scores["size"])
        )
    assert {
        case_id: {
            "n": c.outcomes.total(),
            "leak": c.metrics["leak"].n_true,
            "size": c.metrics["size"].total,
        }
        for case_id, c in scores.cases.items()
    } == expected
    assert told[0] == 7
    assert told[-1] == 100


def test_single_scores_come_with_their_case(store: RunStore) -> None:
    """Only scored trials of the plan that was asked for, each as it was scored."""
    run_id = start(store, "p", "q")
    store.add_trials(
        [
            trial(run_id, "a", 0, scores={"size": 0.1}),
            trial(run_id, "b", 0, scores={"size": 0.2, "leak": True}),
            trial(run_id, "b", 1, outcome=Outcome.ERROR, scores={"size": 9.0}),
            trial(run_id, "a", 0, plan_hash="q", scores={"size": 7.0}),
            trial(run_id, "a", 1, scores={"leak": True}),
        ]
    )
    assert list(store.evals.each_score(run_id, "p", "size")) == [("a", 0.1), ("b", 0.2)]


def test_runs_of_evals_come_with_their_plans(store: RunStore) -> None:
    """A run without an eval is no run of evals; the order is that of time."""
    first = start(store, "p", "q")
    store.start_run(RunInfo(command="pytest"))
    second = start(store, "p")
    found = store.evals.runs()
    assert [entry.run.run_id for entry in found] == [first, second]
    assert [plan.plan_hash for plan in found[0].plans] == ["p", "q"]


def test_verdicts_of_one_run(store: RunStore) -> None:
    """In the order in which they were reached, and of that run alone."""
    first, second = start(store, "p"), start(store, "p")
    for run_id, verdict in ((first, Verdict.PROVEN), (second, Verdict.REFUTED)):
        store.add_verdict(
            VerdictRow(
                run_id=run_id,
                plan_hash="p",
                eval_id=EVAL,
                tier=None,
                expectation="never leak",
                metric="leak",
                verdict=verdict,
                reason="",
                n_scored=1,
                n_planned=1,
            )
        )
    assert [row.verdict for row in store.evals.verdicts(first)] == [Verdict.PROVEN]


def test_usage_adds_up_calls_tokens_and_cost(store: RunStore) -> None:
    """Replies from a cache cost nothing anew; a call without a known price is counted, not 0."""
    run_id, before = start(store, "p", "q"), start(store, "p")
    said = Exchange(
        prompt=(), reply="", cost_usd=0.25, usage=Usage(input_tokens=10, output_tokens=2)
    )
    unpriced = Exchange(prompt=(), reply="", usage=Usage(input_tokens=1, output_tokens=1))
    cached = Exchange(prompt=(), reply="", source="cache")
    store.add_trials(
        [
            trial(run_id, exchanges=(said, said), duration_s=1.5),
            trial(run_id, "leak: a", arm="control", exchanges=(unpriced, cached), duration_s=0.5),
            trial(run_id, "b", outcome=Outcome.NOT_RUN, scores={}),
            trial(before, "b", exchanges=(said,)),
        ]
    )
    reuse(store, run_id, "q", of=before)
    usage = store.evals.usage(run_id)
    assert (usage["p"].n_trials, usage["p"].n_calls, usage["p"].n_cached) == (3, 3, 1)
    assert (usage["p"].input_tokens, usage["p"].output_tokens) == (21, 5)
    assert (usage["p"].cost_usd, usage["p"].n_unpriced, usage["p"].trial_s) == (0.5, 1, 2.0)
    assert (usage["q"].n_reused, usage["q"].n_trials, usage["q"].cost_usd) == (1, 0, 0.0)


def test_what_a_trial_takes_is_told_by_scored_ones_alone(store: RunStore) -> None:
    """What was refused, or stopped, took little, and would make each look cheaper."""
    run_id, refused = start(store, "p"), start(store, "p")
    said = Exchange(prompt=(), reply="", usage=Usage(input_tokens=10, output_tokens=2))
    nothing = Exchange(prompt=(), reply="", usage=Usage())
    store.add_trials(
        [
            trial(run_id, exchanges=(said,), duration_s=1.5),
            trial(run_id, "b", outcome=Outcome.FAILED, exchanges=(said,), duration_s=0.5),
            trial(run_id, "c", outcome=Outcome.NOT_RUN, scores={}, duration_s=0.1),
            trial(run_id, "d", outcome=Outcome.ERROR, exchanges=(nothing,), duration_s=0.1),
            trial(refused, "d", outcome=Outcome.UNOBSERVABLE, exchanges=(nothing,)),
        ]
    )
    usage = store.evals.usage(run_id, is_scored=True)["p"]
    assert (usage.n_trials, usage.n_calls, usage.input_tokens, usage.trial_s) == (2, 2, 20, 2.0)
    assert store.evals.usage(refused, is_scored=True) == {}
    assert store.evals.usage(run_id)["p"].n_calls == 3
