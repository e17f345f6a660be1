"""The run store: what was learnt, appended as it lands, kept after a kill."""

from __future__ import annotations

import json
import secrets as tokens
import sqlite3
import threading
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from tierwise.domain.masking import mask_keys, mask_values
from tierwise.errors import StoreError
from tierwise.records import coding, reading
from tierwise.records.sqlite import BUSY_TIMEOUT_S, connect, explain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from tierwise.records.eval_reading import EvalReader
    from tierwise.records.rows import (
        PlanRow,
        RecordedTest,
        RecordedVerdict,
        RunInfo,
        RunRow,
        TestRow,
        TrialRow,
        VerdictRow,
    )


class RunStore:
    """A SQLite file of runs, tests, plans, trials, exchanges and verdicts.

    Each writing method is one transaction: when it returns, a kill of the process no longer
    loses those rows. Threads may share one store, and processes one file. What looks like an API
    key, and each value in `secrets`, is masked before it is written.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, secrets: Sequence[str]) -> None:
        self.path = path
        self._connection = connection
        self._secrets = tuple(secrets)
        self._lock = threading.RLock()
        self._kept: Counter[str] = Counter()

    @classmethod
    def open(
        cls, path: Path, *, secrets: Sequence[str] = (), busy_timeout_s: float = BUSY_TIMEOUT_S
    ) -> Self:
        """Open the store at `path`, made with its folder (which Git is told to ignore) if missing.

        A damaged file, a file of another program and a newer schema raise `StoreError`.
        """
        try:
            if not path.parent.exists():
                path.parent.mkdir(parents=True)
                (path.parent / ".gitignore").write_text("*\n")
        except OSError as error:
            raise StoreError(
                f"The folder of the run store {path} cannot be made: {error}. "
                "Make it yourself, or check the rights of the folder above."
            ) from error
        return cls(path, connect(path, busy_timeout_s=busy_timeout_s), secrets)

    @classmethod
    def open_existing(cls, path: Path) -> Self | None:
        """Open the store at `path` if there is one; never make it."""
        return cls.open(path) if path.exists() else None

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def evals(self) -> EvalReader:
        """The evals of all runs: scores by case, verdicts, what they took."""
        from tierwise.records.eval_reading import EvalReader  # noqa: PLC0415  for few commands

        return EvalReader(self._connection, self._reading)

    def start_run(self, info: RunInfo) -> str:
        """Record that a run started and return its id; a killed run stays unfinished."""
        now = datetime.now(UTC)
        run_id = f"{now:%Y%m%dT%H%M%S}-{tokens.token_hex(4)}"
        values = (
            run_id,
            now.isoformat(timespec="seconds"),
            self._mask(info.command),
            info.mode,
            info.commit,
            info.python,
            info.platform,
            info.config_hash,
            info.order_seed,
            info.tierwise,
            info.code_hash,
        )
        with self._writing("runs", 1):
            self._connection.execute(_INSERT_RUN, coding.storable(values))
        return run_id

    def finish_run(
        self, run_id: str, *, exit_code: int, complete_tiers: Sequence[str] = ()
    ) -> None:
        """Record how a run ended, and which tiers it ran whole (no selection within them)."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        values = (now, exit_code, json.dumps(list(complete_tiers)), run_id)
        with self._writing("finished runs", 1):
            self._connection.execute(
                "UPDATE runs SET finished_at = ?, exit_code = ?, complete_tiers = ? "
                "WHERE run_id = ?",
                values,
            )

    def add_test(self, run_id: str, row: TestRow) -> None:
        """Keep one test's result; for many, `add_tests` is far cheaper."""
        self.add_tests(run_id, (row,))

    def add_tests(self, run_id: str, rows: Sequence[TestRow]) -> None:
        """Keep the results of several tests in one transaction."""
        values = [coding.test_values(run_id, row, self._mask) for row in rows]
        with self._writing("tests", len(rows)):
            self._connection.executemany(_INSERT_TEST, map(coding.storable, values))

    def add_plan(self, row: PlanRow) -> int:
        """Keep a plan as this run fixed it; return how many runs of it are known with this one."""
        values = (
            row.run_id,
            row.plan_hash,
            row.eval_id,
            row.tier,
            row.n_cases,
            row.trials,
            row.n_planned,
            row.provider,
            row.model,
            coding.to_json(dict(row.detail), self._mask),
            row.definition,
        )
        with self._writing("plans", 1):
            self._connection.execute(_INSERT_PLAN, coding.storable(values))
            return reading.count_runs_of_plan(self._connection, row.plan_hash)

    def add_trials(self, rows: Sequence[TrialRow]) -> None:
        """Keep several trials, with what was said in them, in one transaction."""
        prepared = [(coding.trial_values(row, self._mask), row.exchanges) for row in rows]
        with self._writing("trials", len(rows)):
            for values, exchanges in prepared:
                trial = self._connection.execute(_INSERT_TRIAL, coding.storable(values)).lastrowid
                assert trial is not None  # noqa: S101  an INSERT that did not raise has a row
                self._connection.executemany(
                    _INSERT_EXCHANGE,
                    [
                        coding.storable(coding.exchange_values(trial, position, said, self._mask))
                        for position, said in enumerate(exchanges)
                    ],
                )

    def add_verdict(self, row: VerdictRow) -> None:
        """Keep one verdict."""
        values = (
            row.run_id,
            row.plan_hash,
            row.eval_id,
            row.tier,
            row.expectation,
            row.metric,
            str(row.verdict),
            self._mask(row.reason),
            row.n_scored,
            row.n_planned,
            row.run_number,
            coding.to_json(dict(row.detail), self._mask),
        )
        with self._writing("verdicts", 1):
            self._connection.execute(_INSERT_VERDICT, coding.storable(values))

    def latest_tests_by_tier(self) -> Mapping[str, tuple[RecordedTest, ...]]:
        """Return each test's latest result by tier; unplaced tests are under `""`.

        A test that the tier's last complete run no longer saw is left out: it is gone.
        """
        with self._reading():
            return reading.latest_tests_by_tier(self._connection)

    def latest_verdicts(self) -> tuple[RecordedVerdict, ...]:
        """Return the latest verdict of each expectation of each eval, oldest eval first."""
        with self._reading():
            return reading.latest_verdicts(self._connection)

    def last_order_seed(self) -> int | None:
        """Return the order seed of the latest run that had one."""
        with self._reading():
            return reading.last_order_seed(self._connection)

    def count_runs_of_plan(self, plan_hash: str) -> int:
        """Return how many runs used this plan."""
        with self._reading():
            return reading.count_runs_of_plan(self._connection, plan_hash)

    def count_unjudged_runs_of_plan(self, plan_hash: str, *, but: str) -> int:
        """Return how many runs of this plan came to no verdict, the run `but` left out."""
        with self._reading():
            return reading.count_unjudged_runs_of_plan(self._connection, plan_hash, but)

    def runs(self) -> tuple[RunRow, ...]:
        """Return all runs, oldest first."""
        with self._reading():
            return reading.runs(self._connection)

    def trials_of_run(self, run_id: str) -> tuple[TrialRow, ...]:
        """Return a run's trials with their exchanges, in the order they were kept."""
        with self._reading():
            return reading.trials_of_run(self._connection, run_id)

    def _mask(self, text: str) -> str:
        masked = mask_keys(text)
        return mask_values(masked, self._secrets) if self._secrets else masked

    @contextmanager
    def _writing(self, table: str, n_rows: int) -> Iterator[None]:
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._roll_back()
                raise StoreError(
                    f"{explain(error, self.path)} {self._say_kept(table, n_rows)}"
                ) from error
            except BaseException:
                self._roll_back()
                raise
            self._kept[table] += n_rows

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                raise StoreError(explain(error, self.path)) from error

    def _roll_back(self) -> None:
        # A full disk may have rolled back already, and a closed file has nothing to roll back.
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            return

    def _say_kept(self, table: str, n_lost: int) -> str:
        kept = ", ".join(f"{n} {name}" for name, n in sorted(self._kept.items()))
        return f"Kept by this process: {kept or 'nothing'}; not kept: {n_lost} {table}."


_INSERT_RUN = """INSERT INTO runs (run_id, started_at, command, mode, commit_hash, python,
    platform, config_hash, order_seed, tierwise, code_hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_TEST = """INSERT INTO tests (run_id, nodeid, tier, level, outcome, duration_s, message,
    violations, allowed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_PLAN = """INSERT INTO plans (run_id, plan_hash, eval_id, tier, n_cases, trials, n_planned,
    provider, model, detail, definition) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_TRIAL = """INSERT INTO trials (run_id, plan_hash, eval_id, arm, case_id, idx, key, seed,
    outcome, scores, message, notes, duration_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_EXCHANGE = """INSERT INTO exchanges (trial, position, purpose, viewer, prompt, reply, data,
    failure, provider, model, input_tokens, output_tokens, latency_s, attempts, source, cost_usd,
    cached_input_tokens, reasoning_tokens, tool_calls)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_VERDICT = """INSERT INTO verdicts (run_id, plan_hash, eval_id, tier, expectation, metric,
    verdict, reason, n_scored, n_planned, run_number, detail)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
