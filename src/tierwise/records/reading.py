"""What the map, the demo and the evals ask of the run store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.records.latest import LATEST_VERDICTS, latest_tests

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from tierwise.records.rows import RecordedTest, RecordedVerdict, RunRow

_RUNS_OF_PLAN = """SELECT count(DISTINCT measurement) FROM plans
    WHERE plan_hash = ? AND NOT is_copied"""
_UNJUDGED_RUNS = """SELECT count(DISTINCT measurement) FROM plans
    WHERE plan_hash = :plan AND NOT is_copied AND measurement NOT IN (
        SELECT measurement FROM plans WHERE plan_hash = :plan AND run_id = :run)
    AND measurement NOT IN (
        SELECT plans.measurement FROM plans JOIN verdicts ON verdicts.eval_id = plans.eval_id
        AND verdicts.run_id = plans.run_id AND verdicts.plan_hash = plans.plan_hash
        WHERE plans.plan_hash = :plan)"""


def runs(connection: sqlite3.Connection) -> tuple[RunRow, ...]:
    """Return all runs, oldest first."""
    from tierwise.records.decoding import run_of  # noqa: PLC0415  writing does not pay for it

    return tuple(run_of(found) for found in connection.execute("SELECT * FROM runs ORDER BY seq"))


def last_order_seed(connection: sqlite3.Connection) -> int | None:
    """Return the order seed of the latest run that had one."""
    found = connection.execute(
        "SELECT order_seed FROM runs WHERE order_seed IS NOT NULL ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    return None if found is None else int(found["order_seed"])


def count_runs_of_plan(connection: sqlite3.Connection, plan_hash: str) -> int:
    """Return how often this plan was measured; runs that go on with one another count once.

    A run whose replies all came from the cache measured nothing.
    """
    return int(connection.execute(_RUNS_OF_PLAN, (plan_hash,)).fetchone()[0])


def count_unjudged_runs_of_plan(connection: sqlite3.Connection, plan_hash: str, but: str) -> int:
    """Return how many measurements of this plan, a run's own left out, came to no verdict."""
    found = connection.execute(_UNJUDGED_RUNS, {"plan": plan_hash, "run": but})
    return int(found.fetchone()[0])


def latest_tests_by_tier(
    connection: sqlite3.Connection,
) -> Mapping[str, tuple[RecordedTest, ...]]:
    """Return each test's latest result by tier, without tests that are gone."""
    from tierwise.records.decoding import test_of  # noqa: PLC0415  writing does not pay for it
    from tierwise.records.rows import RecordedTest  # noqa: PLC0415

    known = {run.run_id: run for run in runs(connection)}
    by_tier: dict[str, list[RecordedTest]] = {}
    for found in connection.execute(f"{latest_tests(connection)} {_LATEST_TESTS}"):
        recorded = RecordedTest(row=test_of(found), run=known[found["run_id"]])
        by_tier.setdefault(found["tier"] or "", []).append(recorded)
    return {tier: tuple(rows) for tier, rows in by_tier.items()}


def latest_verdicts(connection: sqlite3.Connection) -> tuple[RecordedVerdict, ...]:
    """Return the latest verdict of each expectation of each eval."""
    from tierwise.records.decoding import verdict_of  # noqa: PLC0415  writing does not pay for it
    from tierwise.records.rows import RecordedVerdict  # noqa: PLC0415

    known = {run.run_id: run for run in runs(connection)}
    return tuple(
        RecordedVerdict(row=verdict_of(found), run=known[found["run_id"]])
        for found in connection.execute(_LATEST_VERDICTS)
    )


_LATEST_TESTS = "SELECT * FROM known ORDER BY seq"
_LATEST_VERDICTS = f"SELECT * FROM verdicts WHERE {LATEST_VERDICTS} ORDER BY seq"  # noqa: S608  words of ours
