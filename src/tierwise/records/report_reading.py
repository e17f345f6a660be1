"""What a report asks of the run store: counted in SQL, and only the rows that are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.records import decoding
from tierwise.records.eval_reading import plan_of
from tierwise.records.latest import ENVIRONMENT, latest_tests
from tierwise.records.report_rows import (
    Changed,
    ChangedVerdict,
    KeptLeft,
    Landed,
    Mixed,
    PlanCounts,
    RunCounts,
    VerdictPoint,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from tierwise.records.rows import PlanRow, RecordedTest, RunRow, TrialRow


class ReportReader:
    """Reads what a report shows; made by `RunStore.report`, and usable while that is open."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        reading_from: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connection = connection
        self._reading = reading_from

    def last_run_of(self, table: str) -> RunRow | None:
        """Return the latest run of `tests` other than evals, or that has `plans` of evals."""
        statement = {"tests": _LAST_RUN_OF_TESTS, "plans": _LAST_RUN_OF_PLANS}[table]
        with self._reading():
            found = self._connection.execute(statement).fetchone()
        return None if found is None else decoding.run_of(found)

    def tests_of_run(self, run_id: str) -> tuple[RecordedTest, ...]:
        """Return the results of one run, the last of each test, in the order of their landing."""
        from tierwise.records.rows import RecordedTest  # noqa: PLC0415  for one command

        with self._reading():
            found = self._connection.execute(_RUN, (run_id,)).fetchone()
            rows = self._connection.execute(_TESTS_OF_RUN, (run_id,)).fetchall()
        if found is None:
            return ()
        run = decoding.run_of(found)
        return tuple(RecordedTest(row=decoding.test_of(row), run=run) for row in rows)

    def changed_tests(self, run_id: str) -> tuple[Changed, ...]:
        """Return the tests of a run that ended otherwise than the last time before it."""
        with self._reading():
            return tuple(
                Changed(
                    nodeid=found["nodeid"],
                    before=None if found["before"] is None else Outcome(found["before"]),
                    now=Outcome(found["now"]),
                    message=found["message"],
                )
                for found in self._connection.execute(_CHANGED, (run_id,))
            )

    def left_behind(self) -> tuple[KeptLeft, ...]:
        """Return what tests left behind when they last ran, by what it is."""
        with self._reading():
            known = latest_tests(self._connection)
            found = self._connection.execute(known + _LEFT).fetchall()
        return tuple(KeptLeft(**dict(row)) for row in found)

    def gone_tests(self, run_id: str, before: str, tier: str) -> tuple[Changed, ...]:
        """Return the tests of a tier that the earlier of two runs saw and the later did not."""
        with self._reading():
            return tuple(
                Changed(nodeid=found["nodeid"], before=Outcome(found["outcome"]), now=None)
                for found in self._connection.execute(_GONE, (before, tier, run_id))
            )

    def changed_verdicts(self, run_id: str) -> tuple[ChangedVerdict, ...]:
        """Return the expectations that a run judged otherwise than the last time before it."""
        with self._reading():
            return tuple(
                ChangedVerdict(**dict(found))
                for found in self._connection.execute(_CHANGED_VERDICTS, (run_id,))
            )

    def mixed_tests(self) -> tuple[Mixed, ...]:
        """Return the tests that passed and failed on one state of the code, the worst first."""
        with self._reading():
            return tuple(Mixed(**dict(found)) for found in self._connection.execute(_MIXED))

    def run_counts(self, run_ids: Sequence[str]) -> tuple[RunCounts, ...]:
        """Return how the tests of these runs ended; runs of evals alone are left out."""
        return tuple(filter(None, map(self._counts_of, run_ids)))

    def latest_plans(self) -> tuple[PlanCounts, ...]:
        """Return the plans of each eval in the last run that planned it."""
        with self._reading():
            plans = [plan_of(found) for found in self._connection.execute(_LATEST_PLANS)]
        counted = {run_id: self._count(run_id) for run_id in {plan.run_id for plan in plans}}
        return tuple(
            PlanCounts(plan=plan, outcomes=counted[plan.run_id].get(plan.plan_hash, {}))
            for plan in plans
        )

    def verdict_points(self) -> tuple[VerdictPoint, ...]:
        """Return every verdict of every run with its estimate, oldest first."""
        with self._reading():
            return tuple(
                VerdictPoint(**dict(found)) for found in self._connection.execute(_POINTS)
            )

    def pick_trials(
        self, plan: PlanRow, *, signs: Sequence[str], n: int, offset: int = 0
    ) -> tuple[TrialRow, ...]:
        """Return some of a plan's trials with their transcripts: the worst first, then the newest.

        A sign is a part of the kept scores that speaks against the promise.
        """
        worse = "".join(" + (instr(scores, ?) > 0)" for _ in signs)
        statement = _PICKED.format(worse=worse)
        keys = (plan.run_id, plan.plan_hash)
        with self._reading():
            low, high = self._connection.execute(_RANGE, keys).fetchone()
            found = self._connection.execute(
                statement, (*keys, low, high, *keys, *signs, n, offset)
            ).fetchall()
            return tuple(self._trial(row["seq"]) for row in found)

    def landed(self, run_id: str, place: int) -> Landed:
        """Return what has landed of a run after a place of the store, trials taken over left out.

        The place of an empty look is the one that it began at.
        """
        with self._reading():
            last = self._connection.execute(_LAST_TRIAL, (run_id,)).fetchone()[0] or place
            keys = (run_id, place, last)
            trials = self._connection.execute(_LANDED, keys).fetchall()
            calls = self._connection.execute(_CALLED, keys).fetchall()
        return Landed(
            place=last,
            trials={(plan, arm, outcome): n for plan, arm, outcome, n in trials},
            calls={plan: (n, tokens, usd, dark) for plan, n, tokens, usd, dark in calls},
        )

    def reused(self, run_id: str) -> Mapping[tuple[str, str, str], int]:
        """Return how many trials a run took over, by plan, arm and outcome."""
        with self._reading():
            found = self._connection.execute(_REUSED, (run_id,)).fetchall()
        return {(plan, arm, outcome): n for plan, arm, outcome, n in found}

    def _count(self, run_id: str) -> dict[str, dict[tuple[str, str], int]]:
        counted: dict[str, dict[tuple[str, str], int]] = {}
        with self._reading():
            low, high = self._connection.execute(_RANGE_OF_RUN, (run_id,)).fetchone()
            own = self._connection.execute(_COUNTED, (run_id, low, high)).fetchall()
        for (plan, arm, outcome), n in (
            *(((plan, arm, outcome), n) for plan, arm, outcome, n in own),
            *self.reused(run_id).items(),
        ):
            of_plan = counted.setdefault(plan, {})
            of_plan[arm, outcome] = of_plan.get((arm, outcome), 0) + n
        return counted

    def _counts_of(self, run_id: str) -> RunCounts | None:
        with self._reading():
            found = self._connection.execute(_RUN_COUNTS, (run_id,)).fetchall()
        if not found:
            return None
        return RunCounts(
            run_id=run_id,
            started_at=found[0]["started_at"],
            outcomes={row["outcome"]: row["n"] for row in found},
            duration_s=sum(row["duration_s"] for row in found),
        )

    def _trial(self, seq: int) -> TrialRow:
        found = self._connection.execute("SELECT * FROM trials WHERE seq = ?", (seq,)).fetchone()
        said = self._connection.execute(
            "SELECT * FROM exchanges WHERE trial = ? ORDER BY position", (seq,)
        )
        return decoding.trial_of(found, tuple(map(decoding.exchange_of, said)))


def whole_run_before(runs: Sequence[RunRow], run_id: str, tier: str) -> str | None:
    """Return the last run before `run_id` that took a tier whole; `runs` are oldest first."""
    earlier: str | None = None
    for run in runs:
        if run.run_id == run_id:
            return earlier
        if tier in run.complete_tiers:
            earlier = run.run_id
    return earlier


_RUN = "SELECT * FROM runs WHERE run_id = ?"
_TESTS_OF_RUN = """SELECT * FROM tests WHERE seq IN (
        SELECT max(seq) FROM tests WHERE run_id = ? GROUP BY nodeid) ORDER BY seq"""
_IS_EVAL = """EXISTS (SELECT 1 FROM plans
        WHERE plans.run_id = tests.run_id AND plans.eval_id = tests.nodeid)"""
_LAST_RUN_OF_TESTS = f"""SELECT * FROM runs
    WHERE run_id = (SELECT run_id FROM tests WHERE NOT {_IS_EVAL} ORDER BY seq DESC LIMIT 1)"""  # noqa: S608  ours
_LAST_RUN_OF_PLANS = """SELECT * FROM runs
    WHERE run_id = (SELECT run_id FROM plans ORDER BY seq DESC LIMIT 1)"""
_CHANGED = """SELECT now.nodeid AS nodeid, now.outcome AS now, now.message AS message,
        before.outcome AS before
    FROM tests AS now LEFT JOIN tests AS before ON before.seq = (
        SELECT max(seq) FROM tests AS older
        WHERE older.nodeid = now.nodeid AND older.seq < now.seq AND older.run_id <> now.run_id)
    WHERE now.run_id = ? AND before.outcome IS NOT now.outcome ORDER BY now.seq"""
_LEFT = """SELECT left_behind.nodeid, subject, watcher, owner, was, became, action
    FROM left_behind JOIN known
    ON known.nodeid = left_behind.nodeid AND known.run_id = left_behind.run_id
    ORDER BY watcher, owner, left_behind.seq"""
_GONE = """SELECT nodeid, outcome FROM tests WHERE run_id = ? AND tier = ?
    AND nodeid NOT IN (SELECT nodeid FROM tests WHERE run_id = ?) ORDER BY seq"""
_CHANGED_VERDICTS = """SELECT now.eval_id AS eval_id, now.expectation AS expectation,
        before.verdict AS before, now.verdict AS now
    FROM verdicts AS now JOIN verdicts AS before ON before.seq = (
        SELECT max(older.seq) FROM verdicts AS older
        JOIN plans AS theirs ON theirs.run_id = older.run_id
            AND theirs.plan_hash = older.plan_hash
        WHERE older.eval_id = now.eval_id AND older.expectation = now.expectation
        AND older.run_id <> now.run_id AND older.seq < now.seq
        AND theirs.provider = (SELECT provider FROM plans
            WHERE plans.run_id = now.run_id AND plans.plan_hash = now.plan_hash))
    WHERE now.run_id = ? AND before.verdict <> now.verdict ORDER BY now.seq"""
# What always fails on one Python and passes on another does not flicker.
_MIXED = f"""SELECT nodeid, count(*) AS n_runs, sum(outcome IN ('failed', 'error')) AS n_failed,
        max(CASE WHEN outcome IN ('failed', 'error') THEN started_at END) AS last_failed_at
    FROM tests JOIN runs ON runs.run_id = tests.run_id
    WHERE code_hash <> '' AND outcome IN ('passed', 'failed', 'error')
    AND nodeid NOT IN (SELECT eval_id FROM plans)
    GROUP BY nodeid, code_hash, {ENVIRONMENT} HAVING n_failed > 0 AND n_failed < n_runs
    ORDER BY last_failed_at DESC, nodeid LIMIT 200"""  # noqa: S608  words of ours
_RUN_COUNTS = f"""SELECT outcome, count(*) AS n, sum(duration_s) AS duration_s,
        (SELECT started_at FROM runs WHERE runs.run_id = tests.run_id) AS started_at
    FROM tests WHERE run_id = ? AND NOT {_IS_EVAL} GROUP BY outcome"""  # noqa: S608  ours
_LATEST_PLANS = """SELECT plans.* FROM plans JOIN (
        SELECT eval_id, max(seq) AS last FROM plans GROUP BY eval_id) AS latest
    ON latest.eval_id = plans.eval_id
    AND plans.run_id = (SELECT run_id FROM plans AS theirs WHERE theirs.seq = latest.last)
    ORDER BY plans.eval_id, plans.seq"""
_POINTS = """SELECT verdicts.eval_id AS eval_id, expectation, provider, started_at, verdict,
        n_scored, verdicts.n_planned AS n_planned,
        json_extract(verdicts.detail, '$.estimate') AS estimate
    FROM verdicts JOIN runs ON runs.run_id = verdicts.run_id
    JOIN plans ON plans.run_id = verdicts.run_id AND plans.plan_hash = verdicts.plan_hash
    ORDER BY verdicts.seq"""
_RANGE = "SELECT min(seq), max(seq) FROM trials WHERE run_id = ? AND plan_hash = ?"
_RANGE_OF_RUN = "SELECT min(seq), max(seq) FROM trials WHERE run_id = ?"
# By place in the file, since looking each row up by an index takes many times as long.
_COUNTED = """SELECT plan_hash, arm, outcome, count(*) FROM trials NOT INDEXED
    WHERE run_id = ? AND seq BETWEEN ? AND ? GROUP BY plan_hash, arm, outcome"""
_REUSED = """SELECT reused.plan_hash, arm, outcome, count(*) FROM reused
    JOIN trials ON trials.seq = reused.trial
    WHERE reused.run_id = ? GROUP BY reused.plan_hash, arm, outcome"""
_PICKED = """SELECT seq FROM (
        SELECT seq, arm, outcome, scores FROM trials NOT INDEXED
        WHERE run_id = ? AND plan_hash = ? AND seq BETWEEN ? AND ?
        UNION ALL SELECT trials.seq, arm, outcome, scores FROM reused
        JOIN trials ON trials.seq = reused.trial
        WHERE reused.run_id = ? AND reused.plan_hash = ?)
    ORDER BY (arm = 'trial') * ((outcome <> 'passed'){worse}) DESC, arm = 'trial' DESC, seq DESC
    LIMIT ? OFFSET ?"""
_LAST_TRIAL = "SELECT max(seq) FROM trials WHERE run_id = ?"
_LANDED = """SELECT plan_hash, arm, outcome, count(*) FROM trials NOT INDEXED
    WHERE run_id = ? AND seq > ? AND seq <= ? GROUP BY plan_hash, arm, outcome"""
_CALLED = """SELECT plan_hash, sum(source <> 'cache'),
        sum(CASE WHEN source <> 'cache' THEN input_tokens + output_tokens ELSE 0 END),
        coalesce(sum(CASE WHEN source <> 'cache' THEN cost_usd END), 0.0),
        sum(cost_usd IS NULL AND source <> 'cache')
    FROM trials JOIN exchanges ON exchanges.trial = trials.seq
    WHERE run_id = ? AND trials.seq > ? AND trials.seq <= ? GROUP BY plan_hash"""
