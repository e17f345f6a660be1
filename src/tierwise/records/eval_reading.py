"""What comparisons, histories and plans of evals ask of the run store."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tierwise.domain import Outcome
from tierwise.records import decoding, reading
from tierwise.records.rows import PlanRow
from tierwise.records.scores import CaseScores, EvalRun, EvalScores, PlanUsage, Shared

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from tierwise.records.rows import VerdictRow

    Tell = Callable[[int], None]

_CHUNK = 20_000


class EvalReader:
    """Reads the evals of a store; made by `RunStore.evals`, and usable while that is open."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        reading_from: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connection = connection
        self._reading = reading_from

    def runs(self) -> tuple[EvalRun, ...]:
        """Return the runs that planned evals, oldest first."""
        with self._reading():
            plans: dict[str, list[PlanRow]] = {}
            for found in self._connection.execute("SELECT * FROM plans ORDER BY seq"):
                plans.setdefault(found["run_id"], []).append(plan_of(found))
            return tuple(
                EvalRun(run=run, plans=tuple(plans[run.run_id]))
                for run in reading.runs(self._connection)
                if run.run_id in plans
            )

    def verdicts(self, run_id: str) -> tuple[VerdictRow, ...]:
        """Return a run's verdicts in the order they were reached."""
        with self._reading():
            found = self._connection.execute(
                "SELECT * FROM verdicts WHERE run_id = ? ORDER BY seq", (run_id,)
            )
            return tuple(decoding.verdict_of(row) for row in found)

    def scores(
        self, run_id: str, *, eval_id: str | None = None, tell: Tell = lambda _n: None
    ) -> tuple[EvalScores, ...]:
        """Add up a run's scores by plan and case, the trials that it took over included.

        `tell` is told now and then how many trials were read. A million trials take some seconds
        and memory for their cases alone.
        """
        with self._reading():
            plans = self._plans(run_id, eval_id)
            cases: dict[str, dict[str, CaseScores]] = {plan.plan_hash: {} for plan in plans}
            _add_up(self._rows(run_id), cases, tell)
            self._add_seeds(run_id, cases)
            reused = self._reused(run_id)
        return tuple(
            EvalScores(
                plan=plan,
                cases=cases[plan.plan_hash],
                n_reused=reused.get(plan.plan_hash, 0),
            )
            for plan in plans
        )

    def each_score(self, run_id: str, plan_hash: str, metric: str) -> Iterator[tuple[str, Any]]:
        """Yield (case id, score) of each scored trial of a plan that scored the metric."""
        with self._reading():
            for plan, case_id, outcome, text in self._rows(run_id):
                if plan == plan_hash and outcome in _SCORED:
                    scores = json.loads(text)
                    if metric in scores:
                        yield case_id, scores[metric]

    def usage(self, run_id: str, *, is_scored: bool = False) -> dict[str, PlanUsage]:
        """Return what each plan of a run took, by the plan's hash.

        With `is_scored` only trials that ended with a score count: what one takes is not told by
        those that the vendor refused, or that a budget stopped.
        """
        keys = {"run_id": run_id, "is_all": not is_scored}
        with self._reading():
            found = {
                row["plan_hash"]: dict(row)
                for row in self._connection.execute(_TRIALS_OF_RUN, keys)
            }
            for row in self._connection.execute(_CALLS_OF_RUN, keys):
                found.setdefault(row["plan_hash"], {}).update(dict(row))
            for plan_hash, n in self._reused(run_id).items():
                found.setdefault(plan_hash, {})["n_reused"] = n
        return {
            plan_hash: PlanUsage(**{k: v for k, v in row.items() if k != "plan_hash"})
            for plan_hash, row in found.items()
        }

    def find_shared(self, first: str, second: str) -> dict[tuple[str, str], Shared]:
        """Return, by the two plans' hashes, how many observations two runs have in common."""
        runs = {"first": first, "second": second}
        found: dict[tuple[str, str], Shared] = {}
        with self._reading():
            if self._reused(first) or self._reused(second):
                for row in self._connection.execute(_TAKEN_BY_BOTH, runs):
                    found[row["one"], row["two"]] = Shared(n_taken_over=row["n"])
            if self._connection.execute(_IS_ANY_CACHED, runs).fetchone()[0]:
                for row in self._connection.execute(_COPIED, runs):
                    known = found.get((row["one"], row["two"]), Shared())
                    found[row["one"], row["two"]] = replace(known, n_copied=row["n"])
        return found

    def _reused(self, run_id: str) -> dict[str, int]:
        found = self._connection.execute(_REUSED_OF_RUN, (run_id,))
        return {row["plan_hash"]: row["n"] for row in found}

    def _plans(self, run_id: str, eval_id: str | None) -> tuple[PlanRow, ...]:
        found = self._connection.execute(
            "SELECT * FROM plans WHERE run_id = ? ORDER BY seq", (run_id,)
        )
        plans = tuple(plan_of(row) for row in found)
        return plans if eval_id is None else tuple(p for p in plans if p.eval_id == eval_id)

    def _rows(self, run_id: str) -> Iterator[tuple[str, str, str, str]]:
        # By place in the file, since looking each row up by an index takes many times as long.
        low, high = self._connection.execute(_RANGE_OF_RUN, (run_id,)).fetchone()
        cursor = self._connection.cursor()
        cursor.row_factory = None  # plain tuples can be counted as they are
        yield from cursor.execute(_OWN, (run_id, low, high))
        yield from cursor.execute(_TAKEN_OVER, (run_id,))

    def _add_seeds(self, run_id: str, cases: dict[str, dict[str, CaseScores]]) -> None:
        for plan_hash, case_id, seed in self._connection.execute(_SEEDS, (run_id, run_id)):
            case = cases.get(plan_hash, {}).get(case_id)
            if case is not None:
                case.seed = seed


def plan_of(found: sqlite3.Row) -> PlanRow:
    """Return a row of `plans`."""
    return PlanRow(
        run_id=found["run_id"],
        plan_hash=found["plan_hash"],
        eval_id=found["eval_id"],
        tier=found["tier"],
        n_cases=found["n_cases"],
        trials=found["trials"],
        n_planned=found["n_planned"],
        provider=found["provider"],
        model=found["model"],
        detail=json.loads(found["detail"]),
        definition=found["definition"],
        measurement=found["measurement"],
        inputs_hash=found["inputs_hash"],
        is_copied=bool(found["is_copied"]),
    )


def _add_up(
    rows: Iterator[tuple[str, str, str, str]],
    cases: dict[str, dict[str, CaseScores]],
    tell: Tell,
) -> None:
    # Many trials of a case end alike: those are counted first and read once. On a million trials
    # this takes a fifth of the time that json_each with GROUP BY does, which sorts all scores.
    n = 0
    decode = json.JSONDecoder().raw_decode  # what was written by us has no space around it
    while chunk := list(itertools.islice(rows, _CHUNK)):
        for (plan_hash, case_id, outcome, text), times in Counter(chunk).items():
            of_plan = cases.get(plan_hash)
            if of_plan is None:
                continue
            case = of_plan.get(case_id)
            if case is None:
                case = of_plan[case_id] = CaseScores()
            case.add(Outcome(outcome), decode(text)[0], times)
        n += len(chunk)
        tell(n)


_SCORED = ("passed", "failed")
_RANGE_OF_RUN = "SELECT min(seq), max(seq) FROM trials WHERE run_id = ?"
_OWN = """SELECT plan_hash, case_id, outcome, scores FROM trials NOT INDEXED
    WHERE run_id = ? AND seq BETWEEN ? AND ? AND arm = 'trial'"""
_TAKEN_OVER = """SELECT reused.plan_hash, case_id, outcome, scores FROM reused
    JOIN trials ON trials.seq = reused.trial WHERE reused.run_id = ? AND arm = 'trial'"""
_SEEDS = """SELECT plan_hash, case_id, seed FROM trials
    WHERE run_id = ? AND arm = 'trial' AND idx = 0
    UNION ALL SELECT reused.plan_hash, case_id, seed FROM reused
    JOIN trials ON trials.seq = reused.trial
    WHERE reused.run_id = ? AND arm = 'trial' AND idx = 0"""
_REUSED_OF_RUN = """SELECT reused.plan_hash AS plan_hash, count(*) AS n FROM reused
    JOIN trials ON trials.seq = reused.trial
    WHERE reused.run_id = ? AND arm = 'trial' GROUP BY reused.plan_hash"""
_TRIALS_OF_RUN = """SELECT plan_hash, count(*) AS n_trials, sum(duration_s) AS trial_s
    FROM trials WHERE run_id = :run_id AND (:is_all OR outcome IN ('passed', 'failed'))
    GROUP BY plan_hash"""
_CALLS_OF_RUN = """SELECT plan_hash, sum(source <> 'cache') AS n_calls,
    sum(source = 'cache') AS n_cached,
    sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
    coalesce(sum(cost_usd), 0.0) AS cost_usd,
    sum(cost_usd IS NULL AND source <> 'cache') AS n_unpriced
    FROM trials JOIN exchanges ON exchanges.trial = trials.seq
    WHERE run_id = :run_id AND (:is_all OR outcome IN ('passed', 'failed'))
    GROUP BY plan_hash"""
_TAKEN = """WITH taken (run_id, plan_hash, trial) AS MATERIALIZED (
    SELECT run_id, plan_hash, seq FROM trials
        WHERE run_id IN (:first, :second) AND arm = 'trial'
    UNION ALL SELECT reused.run_id, reused.plan_hash, trial FROM reused
        JOIN trials ON trials.seq = trial
        WHERE reused.run_id IN (:first, :second) AND arm = 'trial')"""
_TAKEN_BY_BOTH = f"""{_TAKEN} SELECT one.plan_hash AS one, two.plan_hash AS two, count(*) AS n
    FROM taken AS one JOIN taken AS two ON two.trial = one.trial
    WHERE one.run_id = :first AND two.run_id = :second GROUP BY one.plan_hash, two.plan_hash"""  # noqa: S608  ours
_IS_ANY_CACHED = f"""{_TAKEN} SELECT EXISTS (SELECT 1 FROM taken
    JOIN exchanges ON exchanges.trial = taken.trial WHERE source = 'cache')"""  # noqa: S608  ours
# A cached reply comes with the latency of the call that it is a copy of.
_COPIED = f"""{_TAKEN}, told AS MATERIALIZED (
    SELECT taken.run_id AS run_id, taken.plan_hash AS plan_hash, taken.trial AS trial,
        trials.eval_id AS eval_id, trials.case_id AS case_id, trials.idx AS idx,
        min(source = 'cache') AS is_cached,
        group_concat(reply || char(31) || latency_s || char(31) || exchanges.model, char(30))
            AS said
    FROM taken JOIN trials ON trials.seq = taken.trial
    JOIN exchanges ON exchanges.trial = taken.trial
    WHERE purpose <> 'judge' GROUP BY taken.run_id, taken.plan_hash, taken.trial)
    SELECT one.plan_hash AS one, two.plan_hash AS two, count(*) AS n
    FROM told AS one JOIN told AS two
    ON two.eval_id = one.eval_id AND two.case_id = one.case_id AND two.idx = one.idx
    WHERE one.run_id = :first AND two.run_id = :second AND one.trial <> two.trial
    AND (one.is_cached OR two.is_cached) AND one.said = two.said
    GROUP BY one.plan_hash, two.plan_hash"""  # noqa: S608  ours
