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

from tierwise.domain.masking import Masker
from tierwise.errors import StoreError
from tierwise.records import reading, writing
from tierwise.records.drives import refuse_network_drive
from tierwise.records.sqlite import (
    BUSY_TIMEOUT_S,
    NotKeptError,
    connect,
    connect_read_only,
    connect_to_read,
    explain,
    is_locked,
    is_read_only,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from tierwise.domain import Spending
    from tierwise.records.contract_rows import DeclaredContract, KeptClause
    from tierwise.records.eval_reading import EvalReader
    from tierwise.records.map_reading import MapReader
    from tierwise.records.proof_rows import GateRow, GuardRow
    from tierwise.records.report_reading import ReportReader
    from tierwise.records.rows import (
        KeptTrial,
        PlanRow,
        PlanRun,
        RecordedTest,
        RecordedVerdict,
        RunRow,
        TrialRow,
        VerdictRow,
    )
    from tierwise.records.run_rows import RunInfo, TestResult
    from tierwise.records.upkeep import Upkeep


class RunStore:
    """A SQLite file of runs, tests, plans, trials, exchanges and verdicts.

    Each writing method is one transaction: when it returns, a kill of the process no longer
    loses those rows. Threads may share one store, and processes one file. What looks like an API
    key, and each value in `secrets`, is masked before it is written.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, secrets: Sequence[str]) -> None:
        self.path = path
        self._connection = connection
        self._mask = Masker(secrets)
        self._lock = threading.RLock()
        self._kept: Counter[str] = Counter()

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        secrets: Sequence[str] = (),
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        on_network_drive: bool = False,
    ) -> Self:
        """Open the store at `path`, made with its folder (which Git is told to ignore) if missing.

        A damaged file, a file of another program, a newer schema and, unless `on_network_drive`
        says that it is wanted, a drive of another machine raise `StoreError`.
        """
        if not on_network_drive:
            refuse_network_drive(path)
        try:
            if not path.parent.exists():
                path.parent.mkdir(parents=True, exist_ok=True)  # two may begin at once
                (path.parent / ".gitignore").write_text("*\n")
        except OSError as error:
            raise StoreError(
                f"The folder of the run store {path} cannot be made: {error}. "
                "Make it yourself, or check the rights of the folder above."
            ) from error
        return cls(path, connect(path, busy_timeout_s=busy_timeout_s), secrets)

    @classmethod
    def open_existing(cls, path: Path) -> Self | None:
        """Open the store at `path` if there is one, on whatever drive; never make it.

        One in a folder that cannot be written can be read, and nothing more.
        """
        if not path.exists():
            return None
        if is_read_only(path):
            return cls(path, connect_read_only(path), ())
        return cls.open(path, on_network_drive=True)

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

    @property
    def report(self) -> ReportReader:
        """What a report shows of all runs, counted in the store."""
        from tierwise.records.report_reading import ReportReader  # noqa: PLC0415  for one command

        return ReportReader(self._connection, self._reading)

    @property
    def map(self) -> MapReader:
        """What the map and the requirements show, counted in the store."""
        from tierwise.records.map_reading import MapReader  # noqa: PLC0415  for few commands

        return MapReader(self._connection, self._reading)

    @property
    def upkeep(self) -> Upkeep:
        """The store as a whole: exported, taken in, pruned and described."""
        from tierwise.records.upkeep import Upkeep  # noqa: PLC0415  for few commands

        return Upkeep(
            self._connection,
            self.path,
            reading=self._reading,
            writing=self._writing,
            looking=self._looking,
            mask=self._mask,
        )

    def start_run(self, info: RunInfo) -> str:
        """Record that a run started and return its id; a killed run stays unfinished."""
        now = datetime.now(UTC)
        run_id = f"{now:%Y%m%dT%H%M%S}-{tokens.token_hex(4)}"
        started_at = now.isoformat(timespec="seconds")
        with self._writing("runs", 1):
            writing.insert_run(self._connection, run_id, started_at, info=info, mask=self._mask)
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

    def add_test(self, run_id: str, row: TestResult) -> None:
        """Keep one test's result; for many, `add_tests` is far cheaper."""
        self.add_tests(run_id, (row,))

    def add_tests(self, run_id: str, rows: Sequence[TestResult]) -> None:
        """Keep the results of several tests in one transaction."""
        with self._writing("tests", len(rows)):
            writing.insert_tests(self._connection, run_id, rows, self._mask)

    def add_contracts(self, run_id: str, rows: Sequence[DeclaredContract]) -> None:
        """Keep which contracts a run has collected, with all their clauses and sides."""
        with self._writing("contracts", len(rows)):
            writing.insert_contracts(self._connection, run_id, rows, self._mask)

    def add_requirements(self, run_id: str, links: Mapping[str, Sequence[str]]) -> None:
        """Keep which tests a run has collected for which requirements, by node id."""
        with self._writing("requirements", len(links)):
            writing.insert_requirements(self._connection, run_id, links, self._mask)

    def add_guards(self, run_id: str, rows: Sequence[GuardRow]) -> None:
        """Keep how guards fared when what they guard was sabotaged."""
        with self._writing("guards", len(rows)):
            writing.insert_guards(self._connection, run_id, rows, self._mask)

    def add_gates(self, run_id: str, rows: Sequence[GateRow]) -> None:
        """Keep what gates, and commands that serve a level, have decided."""
        with self._writing("gates", len(rows)):
            writing.insert_gates(self._connection, run_id, rows, self._mask)

    def add_plan(self, row: PlanRow, *, reused: Iterable[int] = ()) -> int:
        """Keep a plan as this run fixed it; return how often it was measured, this time included.

        `reused` names the trials of earlier runs (`KeptTrial.seq`) that this one takes over.
        """
        with self._writing("plans", 1):
            writing.insert_plan(self._connection, row, reused, self._mask)
            return reading.count_runs_of_plan(self._connection, row.plan_hash)

    def keep_inputs(
        self, run_id: str, inputs_hash: str, entries: Mapping[str, str], *, outputs: Sequence[str]
    ) -> None:
        """Keep what a hash of inputs stands for, and to which files the run's output goes."""
        from tierwise.records import inputs  # noqa: PLC0415  tests do not pay for evals

        with self._writing("inputs", 1):
            inputs.insert_inputs(self._connection, inputs_hash, entries, self._mask)
            inputs.insert_outputs(self._connection, run_id, outputs, self._mask)

    def inputs_of(self, inputs_hash: str) -> Mapping[str, str]:
        """Return what a hash of inputs stands for, by name; empty when that was not kept."""
        from tierwise.records import inputs  # noqa: PLC0415  tests do not pay for evals

        with self._reading():
            return inputs.entries_of(self._connection, inputs_hash)

    def outputs(self) -> Mapping[str, str]:
        """Return the files that output of earlier runs went to, with the end of the last."""
        from tierwise.records import inputs  # noqa: PLC0415  tests do not pay for evals

        with self._reading():
            return inputs.outputs(self._connection)

    def add_trials(self, rows: Sequence[TrialRow]) -> None:
        """Keep several trials, with what was said in them, in one transaction."""
        with self._writing("trials", len(rows)):
            for row in rows:
                writing.insert_trial(self._connection, row, self._mask)

    def add_verdict(self, row: VerdictRow) -> None:
        """Keep one verdict."""
        with self._writing("verdicts", 1):
            writing.insert_verdict(self._connection, row, self._mask)

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

    def declared_contracts(self) -> tuple[DeclaredContract, ...]:
        """Return each contract as each class or module that tries it was collected last."""
        from tierwise.records import contract_reading  # noqa: PLC0415  tests do not pay for it

        with self._reading():
            return contract_reading.declared_contracts(self._connection)

    def kept_clauses(self) -> tuple[KeptClause, ...]:
        """Return the last result of each clause on each side, and the last that was observed."""
        from tierwise.records import contract_reading  # noqa: PLC0415  tests do not pay for it

        with self._reading():
            return contract_reading.kept_clauses(self._connection)

    def last_order_seed(self) -> int | None:
        """Return the order seed of the latest run that had one."""
        with self._reading():
            return reading.last_order_seed(self._connection)

    def count_runs_of_plan(self, plan_hash: str) -> int:
        """Return how often this plan was measured; runs that go on with one another are one."""
        with self._reading():
            return reading.count_runs_of_plan(self._connection, plan_hash)

    def count_unjudged_runs_of_plan(self, plan_hash: str, *, but: str) -> int:
        """Return how many measurements of it have no verdict, that of the run `but` left out."""
        with self._reading():
            return reading.count_unjudged_runs_of_plan(self._connection, plan_hash, but)

    def runs(self) -> tuple[RunRow, ...]:
        """Return all runs, oldest first."""
        with self._reading():
            return reading.runs(self._connection)

    def trials_of_run(self, run_id: str) -> tuple[TrialRow, ...]:
        """Return a run's trials with what was said in them, oldest first.

        Those that it took over from earlier runs are among them and name the run they come from.
        """
        return tuple(self.each_trial(run_id))

    def each_trial(self, run_id: str) -> Iterator[TrialRow]:
        """Yield what `trials_of_run` returns one by one, as the store is at the first of them."""
        from tierwise.records import trial_reading  # noqa: PLC0415  tests do not pay for evals

        with self._looking() as connection:
            yield from trial_reading.each_trial(connection, run_id)

    def each_kept_trial(self, run_id: str, plan_hash: str) -> Iterator[KeptTrial]:
        """Yield a plan's trials in a run without their transcripts, those taken over first."""
        from tierwise.records import trial_reading  # noqa: PLC0415  tests do not pay for evals

        with self._looking() as connection:
            yield from trial_reading.each_kept_trial(connection, run_id, plan_hash)

    def spending(self, run_id: str, plan_hash: str) -> tuple[Spending, Spending]:
        """Return what a plan's trials took in a run, and what those taken over had taken."""
        from tierwise.records import trial_reading  # noqa: PLC0415  tests do not pay for evals

        with self._reading():
            return trial_reading.spending(self._connection, run_id, plan_hash)

    def count_cached(self, run_id: str, plan_hash: str) -> int:
        """Return how many of a plan's trials in a run had all their replies from the cache.

        Those taken over are among them, those of a control are not.
        """
        from tierwise.records import trial_reading  # noqa: PLC0415  tests do not pay for evals

        with self._reading():
            return trial_reading.count_cached(self._connection, run_id, plan_hash)

    def mark_copied(self, run_id: str, plan_hash: str) -> int:
        """Keep that a plan measured nothing in a run; return how often it was measured."""
        with self._writing("marks", 1):
            writing.mark_copied(self._connection, run_id, plan_hash)
            return reading.count_runs_of_plan(self._connection, plan_hash)

    def runs_of_eval(self, eval_id: str) -> tuple[PlanRun, ...]:
        """Return each plan of an eval in each run, newest first."""
        from tierwise.records import trial_reading  # noqa: PLC0415  tests do not pay for evals

        with self._reading():
            return trial_reading.runs_of_eval(self._connection, self._mask.name(eval_id))

    @contextmanager
    def _writing(self, table: str, n_rows: int) -> Iterator[None]:
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except (sqlite3.Error, OverflowError, ValueError) as error:
                self._roll_back()
                raise NotKeptError(
                    explain(error, self.path),
                    self.say_kept(table, n_rows),
                    is_locked=is_locked(error),
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

    @contextmanager
    def _looking(self) -> Iterator[sqlite3.Connection]:
        # A connection of its own: whoever reads for long sees one state and holds nobody up.
        try:
            connection = connect_to_read(self.path)
            try:
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise StoreError(explain(error, self.path)) from error

    def _roll_back(self) -> None:
        # A full disk may have rolled back already, and a closed file has nothing to roll back.
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            return

    def say_kept(self, table: str, n_lost: int) -> str:
        """Return how many rows this process has kept, and how many of a table it could not."""
        kept = ", ".join(f"{n} {name}" for name, n in sorted(self._kept.items()))
        return f"Kept by this process: {kept or 'nothing'}; not kept: {n_lost} {table}."
