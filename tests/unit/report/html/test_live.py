"""The live view adds up what lands, and tells running, quiet and finished apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tierwise.records import PlanRow, RunInfo, RunRow
from tierwise.records.report_rows import Landed
from tierwise.report.html.live import Watch, describe_plan, describe_run, estimate_time_to_go

START = datetime(2026, 11, 30, 10, tzinfo=UTC)
RUN = RunRow(run_id="r", started_at=START.isoformat(), info=RunInfo())
PLAN = PlanRow(
    run_id="r",
    plan_hash="p",
    eval_id="e",
    tier="evals",
    n_cases=2,
    trials=5,
    n_planned=10,
    provider="x",
)


def landed(place: int, n: int) -> Landed:
    return Landed(
        place=place,
        trials={("p", "trial", "passed"): n, ("p", "control", "passed"): 1},
        calls={"p": (n, 10 * n, 0.5, 1)},
    )


def test_each_look_adds_to_the_last() -> None:
    """Trials and spending are summed over looks, and the place moves on."""
    watch = Watch()
    watch.add(landed(4, 3), "t1")
    watch.add(landed(9, 2), "t2")
    found = describe_plan(PLAN, watch.trials, watch.calls, {})
    assert (watch.place, watch.moved_at) == (9, "t2")
    assert (found["n_landed"], found["n_control"], found["n_planned"]) == (5, 2, 10)
    assert (found["calls"], found["tokens"], found["cost_usd"], found["unpriced"]) == (
        5,
        50,
        1.0,
        2,
    )


def test_a_look_that_finds_nothing_leaves_the_time_of_the_last() -> None:
    """How long a run has been quiet is counted from what landed last."""
    watch = Watch()
    watch.add(landed(4, 3), "t1")
    watch.add(Landed(place=4), "t2")
    assert watch.moved_at == "t1"


@pytest.mark.parametrize(
    ("quiet_s", "finished_at", "state"),
    [
        (5, "", "running"),
        (59, "", "running"),
        (60, "", "quiet"),
        (900, "2026-11-30T10:15:00+00:00", "finished"),
    ],
)
def test_a_run_that_does_nothing_is_said_to_be_quiet(
    quiet_s: int, finished_at: str, state: str
) -> None:
    """A killed run stays unfinished for ever, so silence is told from work."""
    watch = Watch(run_id="r", moved_at=START.isoformat())
    run = replace(RUN, finished_at=finished_at)
    found = describe_run(run, watch, START + timedelta(seconds=quiet_s))
    assert (found["state"], found["quiet_s"]) == (state, quiet_s)


def test_verdicts_are_those_of_the_plan() -> None:
    """Another plan's verdicts stay with it."""
    verdicts = {("p", "never leak"): "proven", ("q", "never leak"): "refuted"}
    assert describe_plan(PLAN, {}, {}, verdicts)["verdicts"] == {"never leak": "proven"}


def test_a_run_that_stopped_long_ago_is_quiet_at_the_first_look() -> None:
    """A view that is opened after a run was killed does not call it running for a minute."""
    watch = Watch(run_id="r")
    watch.add(landed(4, 3), START.isoformat(), written_at=(START - timedelta(hours=1)).isoformat())
    assert describe_run(RUN, watch, START)["state"] == "quiet"
    watch.add(landed(5, 1), START.isoformat(), written_at=START.isoformat())
    assert describe_run(RUN, watch, START)["state"] == "running"


def test_what_landed_while_nobody_looked_is_no_news() -> None:
    """The page was opened again long after the run had been killed."""
    watch = Watch(run_id="r")
    watch.add(landed(4, 3), "", written_at=(START - timedelta(hours=2)).isoformat())
    watch.add(landed(9, 3), START.isoformat(), written_at=(START - timedelta(hours=1)).isoformat())
    found = describe_run(RUN, watch, START)
    assert (found["state"], found["quiet_s"]) == ("quiet", 3600)


def test_the_time_to_go_counts_what_was_done_here() -> None:
    """Trials taken over took no time; an eval that is judged has nothing left."""
    evals = [
        {"n_left": 9, "n_fresh": 1},
        {"n_left": 0, "n_fresh": 0},
    ]
    assert estimate_time_to_go(evals, running_s=10) == 90
    assert estimate_time_to_go([{"n_left": 9, "n_fresh": 0}], running_s=10) is None
    assert estimate_time_to_go([{"n_left": 0, "n_fresh": 4}], running_s=10) is None


def test_what_is_left_of_an_eval_is_what_nobody_took_over_or_judged() -> None:
    """Ten are planned: seven landed, four of them in an earlier run."""
    trials = Counter({("p", "trial", "passed"): 7})
    found = describe_plan(PLAN, trials, {}, {}, reused={"p": 4})
    assert (found["n_left"], found["n_fresh"]) == (3, 3)
    judged = describe_plan(PLAN, trials, {}, {("p", "never leak"): "refuted"}, reused={"p": 4})
    assert judged["n_left"] == 0


def test_long_and_hostile_names_are_cut_and_written_out() -> None:
    """The view is asked every second: a name of a megabyte does not travel with each answer."""
    plan = replace(PLAN, eval_id="e.py::\u202e" + "x" * 5000, provider="y" * 5000)
    found = describe_plan(plan, {}, {}, {("p", "z" * 5000): "proven"})
    assert len(str(found)) < 2500
    assert "\\u202e" in found["eval_id"]
