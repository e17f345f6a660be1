"""What the map asks of the run store, counted by SQL: no row of a test leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import Decision, Outcome, Verdict
from tierwise.records.latest import ENVIRONMENT, LATEST_VERDICTS, latest_tests
from tierwise.records.proof_rows import (
    GateRow,
    GuardRow,
    KeptGapRow,
    KeptGate,
    KeptGuard,
    LinkRow,
    TierCounts,
)
from tierwise.records.run_rows import KnownGap

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager


class MapReader:
    """Reads one open run store; what it returns is frozen."""

    def __init__(
        self, connection: sqlite3.Connection, reading: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._connection, self._reading = connection, reading

    def tiers(self, code_hash: str) -> Mapping[str, TierCounts]:
        """Return the latest results of each tier, without tests that are gone; `""` is no tier.

        A result of other code than that of `code_hash` is stale; so is all where it is "".
        """
        with self._reading():
            counted = self._of_known(_COUNTED, code=code_hash).fetchall()
            judged = self._connection.execute(_JUDGED).fetchall()
        verdicts: dict[str, dict[Verdict, int]] = {}
        for row in judged:
            verdicts.setdefault(row["tier"] or "", {})[Verdict(row["verdict"])] = row["n"]
        by_tier: dict[str, list[sqlite3.Row]] = {}
        for row in counted:
            by_tier.setdefault(row["tier"] or "", []).append(row)
        return {tier: _counts(rows, verdicts.get(tier, {})) for tier, rows in by_tier.items()}

    def guards(self) -> tuple[KeptGuard, ...]:
        """Return the latest result of each guard for each sabotage, oldest first."""
        with self._reading():
            found = self._connection.execute(_GUARDS).fetchall()
        return tuple(
            KeptGuard(
                row=GuardRow(
                    nodeid=row["nodeid"],
                    behaviour=row["behaviour"],
                    sabotage=row["sabotage"],
                    verdict=Verdict(row["verdict"]),
                    reason=row["reason"],
                    level=row["level"],
                ),
                started_at=row["started_at"],
                code_hash=row["code_hash"],
            )
            for row in found
        )

    def gates(self) -> tuple[KeptGate, ...]:
        """Return the latest decision of each gate, oldest first."""
        with self._reading():
            found = self._connection.execute(_GATES).fetchall()
        return tuple(
            KeptGate(
                row=GateRow(
                    gate=row["gate"],
                    decision=Decision(row["decision"]),
                    reason=row["reason"],
                    level=row["level"],
                ),
                started_at=row["started_at"],
                code_hash=row["code_hash"],
            )
            for row in found
        )

    def gaps(self) -> tuple[KeptGapRow, ...]:
        """Return the known gaps that the latest results of their tests show, by test."""
        with self._reading():
            found = self._of_known(_GAPS).fetchall()
        return tuple(
            KeptGapRow(
                nodeid=row["nodeid"],
                location=row["location"],
                gap=KnownGap(
                    reason=row["reason"], ticket=row["ticket"], is_over=bool(row["is_over"])
                ),
            )
            for row in found
        )

    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Return the node ids of each tier's tests, without those that are gone, in order."""
        with self._reading():
            found = self._of_known(_NAMES).fetchall()
        by_tier: dict[str, list[str]] = {}
        for row in found:
            by_tier.setdefault(row["tier"] or "", []).append(row["nodeid"])
        return {tier: tuple(names) for tier, names in by_tier.items()}

    def links(self) -> tuple[LinkRow, ...]:
        """Return which test is evidence for which requirement, as its last run says it."""
        with self._reading():
            found = self._of_known(_LINKS).fetchall()
        return tuple(
            LinkRow(
                nodeid=row["nodeid"],
                requirement=row["requirement"],
                outcome=None if row["outcome"] is None else Outcome(row["outcome"]),
                message=row["message"] or "",
                tier=row["tier"],
                started_at=row["started_at"] or "",
                code_hash=row["code_hash"] or "",
                attempts=row["attempts"] or 1,
                said_by=row["said_by"],
                is_gone=bool(row["is_gone"]),
            )
            for row in found
        )

    def whole_runs(self) -> tuple[tuple[tuple[str, ...], int | None, str, str, str], ...]:
        """Return what is known of runs that took tiers whole, oldest first.

        It is their tiers, exit code, start, code, and environment (Python 3.11 is one).
        """
        import json  # noqa: PLC0415

        with self._reading():
            found = self._connection.execute(_WHOLE_RUNS).fetchall()
        return tuple(
            (
                tuple(json.loads(row["complete_tiers"])),
                row["exit_code"],
                row["started_at"],
                row["code_hash"],
                row["environment"],
            )
            for row in found
        )

    def _of_known(self, statement: str, **values: str) -> sqlite3.Cursor:
        return self._connection.execute(latest_tests(self._connection) + statement, values)


def _counts(rows: list[sqlite3.Row], verdicts: Mapping[Verdict, int]) -> TierCounts:
    by_outcome = {row["outcome"]: row["n"] for row in rows}
    return TierCounts(
        outcomes={outcome: by_outcome[outcome] for outcome in Outcome if outcome in by_outcome},
        violations=sum(row["violations"] for row in rows),
        duration_s=sum(row["duration_s"] for row in rows),
        last_run=max(row["last_run"] for row in rows),
        n_stale=sum(row["n_stale"] for row in rows),
        n_retried=sum(row["n_retried"] for row in rows),
        n_elsewhere=sum(row["n_elsewhere"] for row in rows),
        verdicts={verdict: verdicts[verdict] for verdict in Verdict if verdict in verdicts},
    )


_COUNTED = """SELECT tier, outcome, count(*) AS n, sum(duration_s) AS duration_s,
        sum(CASE violations WHEN '[]' THEN 0 ELSE json_array_length(violations) END) AS violations,
        max(started_at) AS last_run, sum(code_hash <> :code OR code_hash = '') AS n_stale,
        sum(attempts > 1 AND outcome = 'passed') AS n_retried, sum(is_elsewhere) AS n_elsewhere
    FROM known GROUP BY tier, outcome"""
_NAMES = "SELECT tier, nodeid FROM known ORDER BY tier, nodeid"
_JUDGED = f"""SELECT tier, verdict, count(*) AS n FROM verdicts
    WHERE {LATEST_VERDICTS} GROUP BY tier, verdict"""  # noqa: S608  words of ours
_GUARDS = """SELECT guards.*, started_at, code_hash FROM guards
    JOIN runs ON runs.run_id = guards.run_id
    WHERE guards.seq IN (SELECT max(seq) FROM guards GROUP BY nodeid, sabotage)
    ORDER BY guards.seq"""
_GATES = """SELECT gates.*, started_at, code_hash FROM gates
    JOIN runs ON runs.run_id = gates.run_id
    WHERE gates.seq IN (SELECT max(seq) FROM gates GROUP BY gate) ORDER BY gates.seq"""
# A test's latest result says whether the gap is still there; a fixed one has no row of that run.
_GAPS = """SELECT gaps.*, known.location FROM gaps JOIN known
    ON known.nodeid = gaps.nodeid AND known.run_id = gaps.run_id
    WHERE gaps.seq IN (SELECT max(seq) FROM gaps GROUP BY nodeid, run_id)
    ORDER BY gaps.nodeid"""
# What the latest of its runs said of a test holds, be it by a result or by being collected.
_LINKS = """, said AS (
        SELECT nodeid, max(place) AS place FROM (
            SELECT nodeid, runs.seq AS place FROM requirements
            JOIN runs ON runs.run_id = requirements.run_id
            UNION ALL
            SELECT nodeid, runs.seq FROM tests JOIN runs ON runs.run_id = tests.run_id
            WHERE nodeid IN (SELECT nodeid FROM requirements
                UNION SELECT nodeid FROM tests WHERE requirements <> '[]'))
        GROUP BY nodeid),
    linked AS (
        SELECT said.nodeid, requirements.requirement, runs.code_hash AS said_by FROM said
        JOIN runs ON runs.seq = said.place
        JOIN requirements
        ON requirements.run_id = runs.run_id AND requirements.nodeid = said.nodeid
        UNION
        SELECT said.nodeid, ids.value, runs.code_hash FROM said
        JOIN runs ON runs.seq = said.place
        JOIN tests ON tests.run_id = runs.run_id AND tests.nodeid = said.nodeid,
        json_each(tests.requirements) AS ids)
    SELECT linked.*, tests.outcome, tests.message, tests.tier,
        tests.attempts, runs.started_at, runs.code_hash,
        known.seq IS NULL AND tests.seq IS NOT NULL AS is_gone
    FROM linked LEFT JOIN known ON known.nodeid = linked.nodeid
    LEFT JOIN tests ON tests.seq = coalesce(
        known.seq, (SELECT max(seq) FROM tests WHERE tests.nodeid = linked.nodeid))
    LEFT JOIN runs ON runs.run_id = tests.run_id
    ORDER BY linked.requirement, linked.nodeid"""
_WHOLE_RUNS = f"""SELECT complete_tiers, exit_code, started_at, code_hash,
        'Python ' || {ENVIRONMENT} AS environment
    FROM runs WHERE complete_tiers <> '[]' ORDER BY seq"""  # noqa: S608  words of ours
