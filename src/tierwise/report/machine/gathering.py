"""Reads the run store into `Facts`; decides nothing that others decide."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tierwise.domain import Verdict
from tierwise.report.machine.values import (
    EvalEntry,
    ExpectationEntry,
    Facts,
    Origin,
    TestEntry,
)
from tierwise.report.presence import keep_present
from tierwise.report.reading import read_map

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from tierwise.config import Config
    from tierwise.records import PlanRow, RecordedTest, RunStore, VerdictRow
    from tierwise.records.scores import EvalRun

_WORST_FIRST = (Verdict.REFUTED, Verdict.UNDECIDED, Verdict.PROVEN)
NOT_JUDGED = "not judged"
"""The verdict of an eval that was planned and has none."""


def no_facts(config: Config, *, origin: Origin, now: datetime) -> Facts:
    """Return the facts of a project that has no run store: every level a gap."""
    levels = read_map(None, config, code_hash="", now=now)
    return Facts(origin=origin, tiers=tuple(config.tiers), levels=levels)


def gather(
    store: RunStore, config: Config, *, origin: Origin, code_hash: str, now: datetime
) -> Facts:
    """Return what the store holds: of the run that `origin` names, or the latest of each."""
    eval_runs = [one for one in store.evals.runs() if origin.run_id in ("", one.run.run_id)]
    if origin.run_id:
        tests: Iterable[RecordedTest] = store.report.tests_of_run(origin.run_id)
    else:
        by_tier = keep_present(store.latest_tests_by_tier(), config)
        tests = (test for tests in by_tier.values() for test in tests)
    return Facts(
        origin=origin,
        tiers=tuple(config.tiers),
        levels=read_map(store, config, code_hash=code_hash, now=now),
        tests=list_tests(tests, [tier.name for tier in config.tiers]),
        evals=tuple(
            one
            for one in read_evals(store, eval_runs)
            if origin.run_id or is_there(one.eval_id, config.root)
        ),
    )


def is_there(eval_id: str, root: Path) -> bool:
    """Tell whether an eval's file still exists: the store remembers those that are gone."""
    return (root / eval_id.partition("::")[0]).exists()


def list_tests(recorded: Iterable[RecordedTest], tiers: Sequence[str]) -> tuple[TestEntry, ...]:
    """Return the results by tier, in the order of `tiers`; those that no tier claims come last."""
    place = {name: n for n, name in enumerate(tiers)}
    found = [_test_of(one) for one in recorded]
    return tuple(sorted(found, key=lambda test: (place.get(test.tier, len(place)), test.tier)))


def _test_of(recorded: RecordedTest) -> TestEntry:
    row = recorded.row
    return TestEntry(
        nodeid=row.nodeid,
        tier=row.tier or "",
        level=row.level or "",
        outcome=row.outcome,
        duration_s=row.duration_s,
        message=row.message,
        violations=row.violations,
        run_id=recorded.run.run_id,
        started_at=recorded.run.started_at,
        location=row.location,
    )


def read_evals(store: RunStore, runs: Sequence[EvalRun]) -> tuple[EvalEntry, ...]:
    """Return each eval of the runs as the last of them that planned it judged it."""
    last = {plan.eval_id: run for run in runs for plan in run.plans}
    verdicts = {
        run_id: store.evals.verdicts(run_id)
        for run_id in {one.run.run_id for one in last.values()}
    }
    return tuple(
        _eval_of(plan, run.run.started_at, verdicts[run.run.run_id])
        for eval_id, run in last.items()
        for plan in run.plans
        if plan.eval_id == eval_id
    )


def _eval_of(plan: PlanRow, started_at: str, verdicts: Iterable[VerdictRow]) -> EvalEntry:
    judged = [
        row for row in verdicts if (row.eval_id, row.plan_hash) == (plan.eval_id, plan.plan_hash)
    ]
    return EvalEntry(
        eval_id=plan.eval_id,
        tier=plan.tier or "",
        provider=plan.provider,
        model=plan.model,
        run_id=plan.run_id,
        started_at=started_at,
        n_planned=plan.n_planned,
        verdict=worst_verdict(row.verdict for row in judged),
        expectations=tuple(map(_expectation_of, judged)),
    )


def worst_verdict(verdicts: Iterable[Verdict]) -> str:
    """Return the worst of the verdicts, or `not judged` where there is none."""
    found = set(verdicts)
    return next((str(verdict) for verdict in _WORST_FIRST if verdict in found), NOT_JUDGED)


def _expectation_of(row: VerdictRow) -> ExpectationEntry:
    return ExpectationEntry(
        expectation=row.expectation,
        metric=row.metric,
        verdict=str(row.verdict),
        reason=row.reason,
        n_scored=row.n_scored,
        n_planned=row.n_planned,
        quantity=str(row.detail.get("quantity", "rate")),
        estimate=_number(row.detail, "estimate"),
        interval=_interval(row.detail),
        confidence=_number(row.detail, "confidence"),
    )


def _number(detail: Mapping[str, object], name: str) -> float | None:
    return _finite(detail.get(name))


def _interval(detail: Mapping[str, object]) -> tuple[float, float] | None:
    found = detail.get("interval")
    low, high = map(_finite, found) if isinstance(found, list | tuple) else (None, None)
    return None if low is None or high is None else (low, high)


def _finite(found: object) -> float | None:
    # JSON has no word for infinity or for no number.
    return float(found) if isinstance(found, int | float) and math.isfinite(found) else None
