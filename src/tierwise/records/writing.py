"""Rows put into the run store: one function a table, each within a transaction of the store's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.records import coding

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from tierwise.domain.masking import Masker
    from tierwise.records.contract_rows import DeclaredContract
    from tierwise.records.proof_rows import GateRow, GuardRow
    from tierwise.records.rows import PlanRow, TrialRow, VerdictRow
    from tierwise.records.run_rows import RunInfo, TestResult


def insert_run(
    connection: sqlite3.Connection, run_id: str, started_at: str, *, info: RunInfo, mask: Masker
) -> None:
    """Put a run that starts into `runs`."""
    values = (
        run_id,
        started_at,
        mask(info.command),
        *map(mask, (info.mode, info.commit, info.python, info.platform, info.config_hash)),
        info.order_seed,
        mask(info.tierwise),
        info.code_hash,
    )
    _put(connection, _RUN, values)


def insert_tests(
    connection: sqlite3.Connection, run_id: str, rows: Sequence[TestResult], mask: Masker
) -> None:
    """Put results into `tests`."""
    connection.executemany(_TEST, [coding.test_values(run_id, row, mask) for row in rows])
    clauses = [coding.clause_values(run_id, row, mask) for row in rows if row.clause is not None]
    connection.executemany(_CLAUSE, clauses)
    gaps = [coding.gap_values(run_id, row, mask) for row in rows if row.gap is not None]
    connection.executemany(_GAP, gaps)
    for row in rows:
        if row.left:
            connection.executemany(_LEFT, coding.left_values(run_id, row, mask))


def insert_contracts(
    connection: sqlite3.Connection, run_id: str, rows: Sequence[DeclaredContract], mask: Masker
) -> None:
    """Put contracts as they were collected into `contracts`."""
    connection.executemany(_CONTRACT, [coding.contract_values(run_id, row, mask) for row in rows])


def insert_requirements(
    connection: sqlite3.Connection,
    run_id: str,
    links: Mapping[str, Sequence[str]],
    mask: Masker,
) -> None:
    """Put which test is for which requirements into `requirements`."""
    rows = [
        coding.storable((run_id, mask.name(nodeid), mask.name(name)))
        for nodeid, names in links.items()
        for name in names
    ]
    connection.executemany(_REQUIREMENT, rows)


def insert_guards(
    connection: sqlite3.Connection, run_id: str, rows: Sequence[GuardRow], mask: Masker
) -> None:
    """Put guards into `guards`."""
    connection.executemany(_GUARD, [coding.guard_values(run_id, row, mask) for row in rows])


def insert_gates(
    connection: sqlite3.Connection, run_id: str, rows: Sequence[GateRow], mask: Masker
) -> None:
    """Put gates into `gates`."""
    connection.executemany(_GATE, [coding.gate_values(run_id, row, mask) for row in rows])


def insert_plan(
    connection: sqlite3.Connection, row: PlanRow, reused: Iterable[int], mask: Masker
) -> None:
    """Put a plan into `plans`, and what it takes over from earlier runs into `reused`."""
    values = (
        row.run_id,
        row.plan_hash,
        mask.name(row.eval_id),
        row.tier,
        row.n_cases,
        row.trials,
        row.n_planned,
        mask.name(row.provider),
        mask.name(row.model),
        coding.to_json(dict(row.detail), mask),
        row.definition,
        row.measurement or row.run_id,
        row.inputs_hash,
    )
    _put(connection, _PLAN, values)
    connection.executemany(_REUSED, ((row.run_id, row.plan_hash, trial) for trial in reused))


def mark_copied(connection: sqlite3.Connection, run_id: str, plan_hash: str) -> None:
    """Note of a plan that all its replies came from the cache."""
    connection.execute(_MARK_COPIED, (run_id, plan_hash))


def insert_trial(connection: sqlite3.Connection, row: TrialRow, mask: Masker) -> None:
    """Put a trial into `trials`, and what was said in it into `exchanges`."""
    trial = _put(connection, _TRIAL, coding.trial_values(row, mask)).lastrowid
    assert trial is not None  # noqa: S101  an INSERT that did not raise has a row
    for position, said in enumerate(row.exchanges):
        _put(connection, _EXCHANGE, coding.exchange_values(trial, position, said, mask))


def insert_verdict(connection: sqlite3.Connection, row: VerdictRow, mask: Masker) -> None:
    """Put a verdict into `verdicts`."""
    values = (
        row.run_id,
        row.plan_hash,
        mask.name(row.eval_id),
        row.tier,
        mask.name(row.expectation),
        mask.name(row.metric),
        str(row.verdict),
        mask(row.reason),
        row.n_scored,
        row.n_planned,
        row.run_number,
        coding.to_json(dict(row.detail), mask),
    )
    _put(connection, _VERDICT, values)


def _put(
    connection: sqlite3.Connection, statement: str, values: tuple[object, ...]
) -> sqlite3.Cursor:
    try:
        return connection.execute(statement, values)
    except UnicodeEncodeError:
        return connection.execute(statement, coding.storable(values))


def _insert(table: str, *columns: str) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608  names of ours


_RUN = _insert(
    "runs",
    *("run_id", "started_at", "command", "mode", "commit_hash", "python", "platform"),
    *("config_hash", "order_seed", "tierwise", "code_hash"),
)
_TEST = _insert(
    "tests",
    *("run_id", "nodeid", "tier", "level", "outcome", "duration_s", "message", "violations"),
    *("allowed", "attempts", "location", "requirements"),
)
_GAP = _insert("gaps", "run_id", "nodeid", "reason", "ticket", "is_over")
_LEFT = _insert(
    "left_behind",
    *("run_id", "nodeid", "subject", "watcher", "owner", "was", "became", "action"),
)
_CLAUSE = _insert(
    "clauses",
    *("run_id", "contract", "declared_by", "clause", "implementation", "nodeid", "outcome"),
    "reason",
)
_REQUIREMENT = _insert("requirements", "run_id", "nodeid", "requirement")
_GUARD = _insert(
    *("guards", "run_id", "nodeid", "level", "behaviour", "sabotage", "verdict", "reason")
)
_GATE = _insert("gates", "run_id", "gate", "level", "decision", "reason")
_CONTRACT = _insert(
    "contracts", *("run_id", "contract", "declared_by", "clauses", "implementations")
)
_PLAN = _insert(
    "plans",
    *("run_id", "plan_hash", "eval_id", "tier", "n_cases", "trials", "n_planned", "provider"),
    *("model", "detail", "definition", "measurement", "inputs_hash"),
)
_MARK_COPIED = "UPDATE plans SET is_copied = 1 WHERE run_id = ? AND plan_hash = ?"
_REUSED = _insert("reused", "run_id", "plan_hash", "trial")
_TRIAL = _insert(
    "trials",
    *("run_id", "plan_hash", "eval_id", "arm", "case_id", "idx", "key", "seed", "outcome"),
    *("scores", "message", "notes", "duration_s", "graders"),
)
_EXCHANGE = _insert(
    "exchanges",
    *("trial", "position", "purpose", "viewer", "prompt", "reply", "data", "failure", "provider"),
    *("model", "input_tokens", "output_tokens", "latency_s", "attempts", "source", "cost_usd"),
    *("cached_input_tokens", "reasoning_tokens", "tool_calls"),
)
_VERDICT = _insert(
    "verdicts",
    *("run_id", "plan_hash", "eval_id", "tier", "expectation", "metric", "verdict", "reason"),
    *("n_scored", "n_planned", "run_number", "detail"),
)
