"""Trials read one after another, those that a run took over included, never all at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tierwise.domain import Outcome, Spending
from tierwise.records import decoding
from tierwise.records.rows import KeptTrial, PlanRun

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from tierwise.domain import Exchange
    from tierwise.records.rows import TrialRow


def each_trial(connection: sqlite3.Connection, run_id: str) -> Iterator[TrialRow]:
    """Yield a run's trials with their exchanges, oldest first."""
    for statement in (_TAKEN_OVER, _OWN):
        for found in connection.execute(statement, (run_id,)):
            yield decoding.trial_of(found, _exchanges_of(connection, found["seq"]))


def each_kept_trial(
    connection: sqlite3.Connection, run_id: str, plan_hash: str
) -> Iterator[KeptTrial]:
    """Yield the trials of a run's plan as they are counted, oldest first."""
    cursor = connection.cursor()
    cursor.row_factory = None  # plain tuples: a million of them are read here
    low, high = cursor.execute(_RANGE_OF_PLAN, (run_id, plan_hash)).fetchone()
    yield from map(_kept_of, cursor.execute(_KEPT_TAKEN_OVER, (run_id, plan_hash)))
    yield from map(_kept_of, cursor.execute(_KEPT_OWN, (run_id, plan_hash, low, high)))


def spending(
    connection: sqlite3.Connection, run_id: str, plan_hash: str
) -> tuple[Spending, Spending]:
    """Return what a plan's trials took in a run, and what those that it took over had taken."""
    return tuple(  # type: ignore[return-value]  # two statements, two sums
        Spending(**dict(connection.execute(statement, (run_id, plan_hash)).fetchone()))
        for statement in (_SPENT, _SPENT_BEFORE)
    )


def count_cached(connection: sqlite3.Connection, run_id: str, plan_hash: str) -> int:
    """Return how many of a plan's trials had all replies of their subject from the cache."""
    values = (run_id, plan_hash)
    return sum(
        int(connection.execute(statement, values).fetchone()[0])
        for statement in (_CACHED, _CACHED_BEFORE)
    )


def runs_of_eval(connection: sqlite3.Connection, eval_id: str) -> tuple[PlanRun, ...]:
    """Return each plan of an eval in each run, newest first."""
    return tuple(
        PlanRun(**{**dict(found), "is_judged": bool(found["is_judged"])})
        for found in connection.execute(_RUNS_OF_EVAL, (eval_id,))
    )


def _exchanges_of(connection: sqlite3.Connection, trial: int) -> tuple[Exchange, ...]:
    return tuple(map(decoding.exchange_of, connection.execute(_EXCHANGES, (trial,))))


def _kept_of(
    found: tuple[int, str, str, str, int, str, str, str, str, str, str | None],
) -> KeptTrial:
    seq, run_id, arm, case_id, index, key, outcome, scores, message, graders, said = found
    return KeptTrial(
        seq=seq,
        run_id=run_id,
        arm="control" if arm == "control" else "trial",
        case_id=case_id,
        index=index,
        key=key,
        outcome=Outcome(outcome),
        scores=json.loads(scores),
        message=message,
        said=said,
        graders=json.loads(graders) if graders != "{}" else {},
    )


_OWN = "SELECT * FROM trials WHERE run_id = ? ORDER BY seq"
_TAKEN_OVER = """SELECT trials.* FROM reused JOIN trials ON trials.seq = reused.trial
    WHERE reused.run_id = ? ORDER BY trials.seq"""
_EXCHANGES = "SELECT * FROM exchanges WHERE trial = ? ORDER BY position"
_RANGE_OF_PLAN = "SELECT min(seq), max(seq) FROM trials WHERE run_id = ? AND plan_hash = ?"
_KEPT = """SELECT trials.seq, trials.run_id, arm, case_id, idx, key, outcome, scores, message,
    graders, (SELECT group_concat(reply, char(30)) FROM exchanges
        WHERE trial = trials.seq AND purpose <> 'judge') FROM"""
_KEPT_TAKEN_OVER = f"""{_KEPT} reused JOIN trials ON trials.seq = reused.trial
    WHERE reused.run_id = ? AND reused.plan_hash = ? ORDER BY reused.seq"""
# By place in the file, since looking each row up by an index takes many times as long.
_KEPT_OWN = f"""{_KEPT} trials NOT INDEXED WHERE trials.run_id = ? AND trials.plan_hash = ?
    AND trials.seq BETWEEN ? AND ? ORDER BY trials.seq"""
_SUMS = """coalesce(sum(is_asked), 0) AS calls,
    coalesce(sum(max(json_array_length(attempts), 1)) FILTER (WHERE is_asked), 0) AS attempts,
    coalesce(sum(source = 'cache'), 0) AS cached,
    coalesce(sum(input_tokens) FILTER (WHERE is_asked), 0) AS input_tokens,
    coalesce(sum(output_tokens) FILTER (WHERE is_asked), 0) AS output_tokens,
    coalesce(sum(cost_usd) FILTER (WHERE is_asked), 0.0) AS cost_usd,
    coalesce(sum(cost_usd IS NULL AND is_asked), 0) AS unpriced"""
# Neither a cached reply costs anything nor a call that no budget covered.
_ASKED = """(SELECT *, source <> 'cache'
    AND NOT (failure IS 'raised:BudgetReached' AND attempts = '[]') AS is_asked FROM exchanges)"""
_SPENT = f"""SELECT {_SUMS} FROM trials JOIN {_ASKED} ON trial = trials.seq
    WHERE run_id = ? AND plan_hash = ?"""  # noqa: S608  ours
_SPENT_BEFORE = f"""SELECT {_SUMS} FROM reused JOIN {_ASKED} AS asked ON asked.trial = reused.trial
    WHERE run_id = ? AND plan_hash = ?"""  # noqa: S608  ours
# What a judge says varies or not, and measures nothing of the subject.
_ALL_CACHED = """arm = 'trial'
    AND EXISTS (SELECT 1 FROM exchanges WHERE trial = trials.seq AND purpose <> 'judge')
    AND NOT EXISTS (SELECT 1 FROM exchanges WHERE trial = trials.seq AND purpose <> 'judge'
        AND source <> 'cache')"""
_CACHED = f"SELECT count(*) FROM trials WHERE run_id = ? AND plan_hash = ? AND {_ALL_CACHED}"  # noqa: S608  ours
_CACHED_BEFORE = f"""SELECT count(*) FROM reused JOIN trials ON trials.seq = reused.trial
    WHERE reused.run_id = ? AND reused.plan_hash = ? AND {_ALL_CACHED}"""  # noqa: S608  ours
_RUNS_OF_EVAL = """SELECT plans.run_id, started_at, inputs_hash, plan_hash, definition,
    measurement, provider, trials, EXISTS (
        SELECT 1 FROM verdicts WHERE verdicts.eval_id = plans.eval_id
        AND verdicts.run_id = plans.run_id AND verdicts.plan_hash = plans.plan_hash) AS is_judged
    FROM plans JOIN runs ON runs.run_id = plans.run_id
    WHERE eval_id = ? ORDER BY plans.seq DESC"""
