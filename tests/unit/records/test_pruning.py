"""Which runs a policy lets go of, and which files name a run."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tierwise.records.named_runs import Named, find_named
from tierwise.records.pruning import Age, Policy, Pruning, Rests, choose

NOW = datetime(2026, 1, 10, tzinfo=UTC)


def age(day: int, *, is_finished: bool = True) -> Age:
    """Return a run of that day of January, called by it."""
    started_at = f"2026-01-{day:02}T00:00:00+00:00"
    return Age(run_id=f"run-{day:02}", started_at=started_at, is_finished=is_finished)


AGES = [age(day) for day in (1, 3, 5, 7, 9)]


def prune(policy: Policy, rests: Rests | None = None) -> Pruning:
    """Decide about the five runs."""
    return choose(AGES, rests or Rests(), policy, now=NOW)


@pytest.mark.parametrize(
    ("policy", "gone"),
    [
        (Policy(), 0),
        (Policy(keep_runs=2), 3),
        (Policy(keep_days=5), 2),
        (Policy(keep_days=1, keep_runs=4), 1),
        (Policy(keep_days=9, keep_runs=1), 0),
        (Policy(keep_runs=99), 0),
    ],
)
def test_a_run_stays_when_either_number_keeps_it(policy: Policy, gone: int) -> None:
    """Old and beyond the count: only then it goes, the oldest first."""
    found = prune(policy)
    assert found.gone == tuple(one.run_id for one in AGES[:gone])
    assert found.n_kept == len(AGES) - gone
    assert found.held == {}


@pytest.mark.parametrize(
    ("policy", "rests", "why"),
    [
        (Policy(keep_runs=1, keep=("run-03",)), Rests(), "it is named as a baseline"),
        (Policy(keep_runs=1, keep=("run-0",)), Rests(), "it is named as a baseline"),
        (
            Policy(keep_runs=1, keep_evals=2),
            Rests(with_evals=("run-01", "run-03", "run-09")),
            "it is named as a baseline, by how long ago it was",
        ),
        (Policy(keep_runs=1), Rests(reasons={"run-03": "the map rests on it"}), "the map rests"),
    ],
)
def test_what_something_rests_on_stays(policy: Policy, rests: Rests, why: str) -> None:
    """A baseline, or the latest of its kind, with the reason."""
    found = prune(policy, rests)
    assert "run-03" not in found.gone
    assert found.held["run-03"].startswith(why)


def test_runs_whose_trials_were_taken_over_stay_with_those_that_took_them() -> None:
    """Also by way of another run; what only runs that go rest on goes with them."""
    sources = {
        "run-09": frozenset({"run-05"}),
        "run-05": frozenset({"run-01"}),
        "run-07": frozenset({"run-03"}),
    }
    found = prune(Policy(keep_runs=1), Rests(sources=sources))
    assert found.gone == ("run-03", "run-07")
    assert found.held == {
        "run-05": "the run run-09 took trials of it over",
        "run-01": "the run run-05 took trials of it over",
    }


def test_a_run_that_may_go_on_stays() -> None:
    """One that began today and has no end; one of last week was killed."""
    ages = [age(2, is_finished=False), age(10, is_finished=False), age(10)]
    found = choose(ages, Rests(), Policy(keep_runs=1), now=NOW)
    assert found.gone == ("run-02",)
    assert found.held == {"run-10": "it may be running still"}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            'no_worse_than("20260102T030405-0a1b2c3d")',
            Named(ids=("20260102T030405-0a1b2c3d",)),
        ),
        ("--baseline 20260102T0304", Named(ids=("20260102T0304",))),
        ("--baseline last~3", Named(n_latest=4)),
        ("baseline: last", Named(n_latest=1)),
        ("at last~9 it ended", Named()),
        ("the last baseline, last~1 of them", Named(n_latest=2)),
        ("120260102T030405 and 20260102", Named()),
        ("last~99999999999999999999 baseline", Named(n_latest=1)),
    ],
)
def test_runs_are_named_by_their_ids_or_by_how_long_ago(text: str, named: Named) -> None:
    """`last` is a common word: it counts where a baseline is spoken of."""
    assert find_named([text]) == named
