"""Which runs a policy lets go of, and what must stay whatever it says."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from tierwise.records.latest import LATEST_VERDICTS, latest_tests

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

_MAY_RUN = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A run stays when any of these says so; with neither number, every run stays."""

    keep_days: int | None = None
    keep_runs: int | None = None
    keep: tuple[str, ...] = ()
    """Ids of runs that are named, whole or as they begin."""
    keep_evals: int = 0
    """So many of the latest runs of evals are named by how long ago they were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Age:
    """What the policy looks at of a run."""

    run_id: str
    started_at: str
    is_finished: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rests:
    """What still rests on which runs."""

    reasons: Mapping[str, str] = field(default_factory=dict)
    """By run, what is the latest of its kind and comes from it."""
    sources: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By run, the runs whose trials it took over."""
    with_evals: tuple[str, ...] = ()
    """Runs of evals, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruning:
    """What goes, and what stays although the numbers of the policy would let it go."""

    gone: tuple[str, ...]
    held: Mapping[str, str]
    """By run, the reason in words."""
    n_kept: int


def choose(ages: Sequence[Age], rests: Rests, policy: Policy, *, now: datetime) -> Pruning:
    """Decide; `ages` are oldest first."""
    if policy.keep_days is None and policy.keep_runs is None:
        return Pruning(gone=(), held={}, n_kept=len(ages))
    old = [age for place, age in enumerate(ages) if _is_old(age, len(ages) - place, policy, now)]
    held = {age.run_id: why for age in old if (why := _hold(age, rests, policy, now))}
    stays = {age.run_id for age in ages} - {age.run_id for age in old} | held.keys()
    held |= _hold_sources(stays, rests.sources, {age.run_id for age in old})
    gone = tuple(age.run_id for age in old if age.run_id not in held)
    return Pruning(gone=gone, held=held, n_kept=len(ages) - len(gone))


def _is_old(age: Age, rank: int, policy: Policy, now: datetime) -> bool:
    is_recent = policy.keep_days is not None and (
        now - datetime.fromisoformat(age.started_at) <= timedelta(days=policy.keep_days)
    )
    return not (is_recent or (policy.keep_runs is not None and rank <= policy.keep_runs))


def _hold(age: Age, rests: Rests, policy: Policy, now: datetime) -> str:
    if any(age.run_id.startswith(name) for name in policy.keep if name):
        return "it is named as a baseline"
    if policy.keep_evals and age.run_id in rests.with_evals[-policy.keep_evals :]:
        return "it is named as a baseline, by how long ago it was"
    if not age.is_finished and now - datetime.fromisoformat(age.started_at) < _MAY_RUN:
        return "it may be running still"
    return rests.reasons.get(age.run_id, "")


def _hold_sources(
    stays: Iterable[str], sources: Mapping[str, frozenset[str]], old: Collection[str]
) -> dict[str, str]:
    held: dict[str, str] = {}
    waiting = list(stays)
    while waiting:
        run = waiting.pop()
        for source in sources.get(run, frozenset()) - held.keys():
            if source in old:
                held[source] = f"the run {run} took trials of it over"
            waiting.append(source)
    return held


def read_ages(connection: sqlite3.Connection) -> list[Age]:
    """Return all runs, oldest first."""
    return [
        Age(run_id=run_id, started_at=started_at, is_finished=bool(finished_at))
        for run_id, started_at, finished_at in connection.execute(_AGES)
    ]


def read_rests(connection: sqlite3.Connection) -> Rests:
    """Return what rests on which runs."""
    reasons: dict[str, str] = {}
    rests_of_map = f"{latest_tests(connection)} {_OF_MAP}"
    for why, statement in {_MAP: rests_of_map, **_LATEST}.items():
        for (run_id,) in connection.execute(statement):
            reasons.setdefault(run_id, why)
    sources: dict[str, set[str]] = {}
    for run_id, source in connection.execute(_SOURCES):
        sources.setdefault(run_id, set()).add(source)
    return Rests(
        reasons=reasons,
        sources={run: frozenset(each - {run}) for run, each in sources.items()},
        with_evals=tuple(run_id for (run_id,) in connection.execute(_WITH_EVALS)),
    )


def delete_runs(connection: sqlite3.Connection, run_ids: Iterable[str]) -> int:
    """Delete runs with all that is theirs; return how many rows went."""
    before = connection.total_changes
    for run_id in run_ids:
        for statement in _DELETIONS:
            connection.execute(statement, (run_id,))
    connection.execute(_UNUSED_INPUTS)
    return connection.total_changes - before


_AGES = "SELECT run_id, started_at, finished_at FROM runs ORDER BY seq"
_MAP = "the map rests on results of it"
_OF_MAP = """SELECT DISTINCT tests.run_id FROM tests WHERE tests.seq IN beside
    AND nodeid IN (SELECT nodeid FROM known)"""
_LATEST = {
    "it was the last to take a tier whole": """SELECT DISTINCT run_id FROM runs
        WHERE seq IN (SELECT max(runs.seq) FROM runs, json_each(runs.complete_tiers) AS tiers
        GROUP BY tiers.value)""",
    "it holds the latest verdict of an eval": f"""SELECT DISTINCT run_id FROM verdicts
        WHERE {LATEST_VERDICTS}""",  # noqa: S608  words of ours
    "a contract was last tried, or last collected, in it": """SELECT run_id FROM clauses
        WHERE seq IN (SELECT max(seq) FROM clauses
            GROUP BY contract, implementation, clause, nodeid)
        OR seq IN (SELECT max(seq) FROM clauses WHERE outcome IN ('passed', 'failed', 'error')
            GROUP BY contract, implementation, clause, nodeid)
        UNION SELECT run_id FROM contracts
        WHERE seq IN (SELECT max(seq) FROM contracts GROUP BY contract, declared_by)""",
    "it holds the latest of a gate or a guard": """SELECT run_id FROM gates
        WHERE seq IN (SELECT max(seq) FROM gates GROUP BY gate)
        UNION SELECT run_id FROM guards
        WHERE seq IN (SELECT max(seq) FROM guards GROUP BY nodeid, sabotage)""",
    "a test was last collected for a requirement in it": """SELECT DISTINCT run_id
        FROM requirements WHERE seq IN (SELECT max(seq) FROM requirements
        GROUP BY nodeid, requirement)""",
}
_SOURCES = """SELECT DISTINCT reused.run_id, trials.run_id FROM reused
    JOIN trials ON trials.seq = reused.trial
    UNION SELECT run_id, measurement FROM plans"""
_WITH_EVALS = """SELECT run_id FROM runs WHERE run_id IN (SELECT run_id FROM plans) ORDER BY seq"""
_UNUSED_INPUTS = "DELETE FROM inputs WHERE inputs_hash NOT IN (SELECT inputs_hash FROM plans)"
_DELETIONS = (
    """DELETE FROM exchanges WHERE trial IN (SELECT seq FROM trials WHERE run_id = ?)""",
    *(
        f"DELETE FROM {table} WHERE run_id = ?"  # noqa: S608  names of ours
        for table in (
            *("reused", "trials", "verdicts", "plans", "outputs", "tests", "clauses"),
            *("contracts", "requirements", "guards", "gates", "gaps", "left_behind", "runs"),
        )
    ),
)
