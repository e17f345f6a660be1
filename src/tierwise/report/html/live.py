"""What a run of evals has come to so far, read from the store again and again while it runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tierwise.domain import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.records import PlanRow, RunRow, RunStore
    from tierwise.records.report_rows import Landed

    Trials = Mapping[tuple[str, str, str], int]
    Calls = Mapping[str, tuple[int, int, float, int]]

_QUIET_S = 60


@dataclass(slots=True, kw_only=True)
class Watch:
    """One run as far as it was read: each look adds what has landed since the last one."""

    run_id: str = ""
    place: int = 0
    trials: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    calls: dict[str, tuple[int, int, float, int]] = field(default_factory=dict)
    moved_at: str = ""
    """When something landed last, as this watch saw it."""

    def add(self, landed: Landed, now: str) -> None:
        """Add what has landed."""
        if landed.trials or not self.moved_at:
            self.moved_at = now
        self.place = landed.place
        self.trials.update(landed.trials)
        for plan, found in landed.calls.items():
            n, tokens, usd, dark = self.calls.get(plan, (0, 0, 0.0, 0))
            self.calls[plan] = (n + found[0], tokens + found[1], usd + found[2], dark + found[3])


def look(store: RunStore, watch: Watch, now: datetime) -> dict[str, Any]:
    """Return the state of the last run of evals as JSON-like data, and move the watch on."""
    run = store.report.last_run_of("plans")
    if run is None:
        return {"state": "waiting", "evals": []}
    stamp = now.isoformat(timespec="seconds")
    if run.run_id != watch.run_id:
        watch.run_id, watch.place, watch.moved_at = run.run_id, 0, ""
        watch.trials, watch.calls = Counter(store.report.reused(run.run_id)), {}
    watch.add(store.report.landed(run.run_id, watch.place), stamp)
    plans = next(found.plans for found in store.evals.runs() if found.run.run_id == run.run_id)
    verdicts = {
        (row.plan_hash, row.expectation): str(row.verdict)
        for row in store.evals.verdicts(run.run_id)
    }
    return {
        **describe_run(run, watch, now),
        "evals": [describe_plan(plan, watch.trials, watch.calls, verdicts) for plan in plans],
    }


def describe_run(run: RunRow, watch: Watch, now: datetime) -> dict[str, Any]:
    """Return what is known of the run itself; one that is quiet for long may have been killed."""
    quiet_s = (now - datetime.fromisoformat(watch.moved_at)).total_seconds()
    ended = datetime.fromisoformat(run.finished_at) if run.finished_at else now
    state = "finished" if run.finished_at else "quiet" if quiet_s >= _QUIET_S else "running"
    return {
        "state": state,
        "run": run.run_id,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "quiet_s": round(quiet_s),
        "running_s": round((ended - datetime.fromisoformat(run.started_at)).total_seconds()),
    }


def describe_plan(
    plan: PlanRow, trials: Trials, calls: Calls, verdicts: Mapping[tuple[str, str], str]
) -> dict[str, Any]:
    """Return one eval's progress, outcomes and spending; controls are counted apart."""
    own = {key: n for key, n in trials.items() if key[0] == plan.plan_hash}
    outcomes = {
        str(kind): sum(n for (_, arm, name), n in own.items() if (arm, name) == ("trial", kind))
        for kind in Outcome
    }
    n_calls, tokens, usd, dark = calls.get(plan.plan_hash, (0, 0, 0.0, 0))
    return {
        "eval_id": plan.eval_id,
        "provider": plan.provider,
        "n_planned": plan.n_planned,
        "n_landed": sum(outcomes.values()),
        "n_control": sum(n for (_, arm, _), n in own.items() if arm == "control"),
        "outcomes": outcomes,
        "calls": n_calls,
        "tokens": tokens,
        "cost_usd": usd,
        "unpriced": dark,
        "verdicts": {
            expectation: verdict
            for (plan_hash, expectation), verdict in verdicts.items()
            if plan_hash == plan.plan_hash
        },
    }
