"""What a run of evals has come to so far, read from the store again and again while it runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tierwise.domain import Outcome
from tierwise.report.html.text import shorten, show_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.records import PlanRow, RunRow, RunStore
    from tierwise.records.report_rows import Landed

    Trials = Mapping[tuple[str, str, str], int]
    Calls = Mapping[str, tuple[int, int, float, int]]

_QUIET_S = 60
_LONGEST = 300


@dataclass(slots=True, kw_only=True)
class Watch:
    """One run as far as it was read: each look adds what has landed since the last one."""

    run_id: str = ""
    place: int = 0
    trials: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    reused: Counter[str] = field(default_factory=Counter)
    """Of each plan, how many of its trials were taken over from an earlier run."""
    calls: dict[str, tuple[int, int, float, int]] = field(default_factory=dict)
    moved_at: str = ""
    """When something landed last, as this watch saw it."""

    def begin(self, run_id: str, reused: Trials) -> None:
        """Forget the run before, and begin with what the new one has taken over."""
        self.run_id, self.place, self.moved_at = run_id, 0, ""
        self.trials, self.reused, self.calls = Counter(reused), Counter(), {}
        for (plan, arm, _), n in reused.items():
            if arm == "trial":
                self.reused[plan] += n

    def add(self, landed: Landed, now: str, written_at: str = "") -> None:
        """Add what has landed; nobody may have looked for long, so the store says when."""
        if landed.trials or not self.moved_at:
            self.moved_at = written_at or now
        self.place = landed.place
        self.trials.update(landed.trials)
        for plan, found in landed.calls.items():
            n, tokens, usd, dark = self.calls.get(plan, (0, 0, 0.0, 0))
            self.calls[plan] = (n + found[0], tokens + found[1], usd + found[2], dark + found[3])


def look(store: RunStore, watch: Watch, now: datetime, written_at: str = "") -> dict[str, Any]:
    """Return the state of the last run of evals as JSON-like data, and move the watch on.

    `written_at` is when the store was written last, before this look.
    """
    run = store.report.last_run_of("plans")
    if run is None:
        return {"state": "waiting", "evals": []}
    stamp = now.isoformat(timespec="seconds")
    if run.run_id != watch.run_id:
        watch.begin(run.run_id, store.report.reused(run.run_id))
    watch.add(store.report.landed(run.run_id, watch.place), stamp, written_at)
    runs = store.evals.runs()
    plans = next((found.plans for found in runs if found.run.run_id == run.run_id), ())
    verdicts = {
        (row.plan_hash, row.expectation): str(row.verdict)
        for row in store.evals.verdicts(run.run_id)
    }
    found = describe_run(run, watch, now)
    evals = [
        describe_plan(plan, watch.trials, watch.calls, verdicts, reused=watch.reused)
        for plan in plans
    ]
    to_go_s = estimate_time_to_go(evals, running_s=found["running_s"])
    return {**found, "to_go_s": to_go_s, "evals": evals}


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


def estimate_time_to_go(evals: Iterable[Mapping[str, Any]], *, running_s: int) -> int | None:
    """Return the seconds that are left at the pace so far; None where there is nothing to tell.

    Trials that were taken over from an earlier run say nothing of the pace.
    """
    known = list(evals)
    left, fresh = (sum(one[name] for one in known) for name in ("n_left", "n_fresh"))
    return round(running_s * left / fresh) if left and fresh else None


def describe_plan(
    plan: PlanRow,
    trials: Trials,
    calls: Calls,
    verdicts: Mapping[tuple[str, str], str],
    *,
    reused: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Return one eval's progress, outcomes and spending; controls are counted apart.

    An eval that is judged has nothing left: it may have been settled early.
    """
    own = {key: n for key, n in trials.items() if key[0] == plan.plan_hash}
    outcomes = {
        str(kind): sum(n for (_, arm, name), n in own.items() if (arm, name) == ("trial", kind))
        for kind in Outcome
    }
    n_calls, tokens, usd, dark = calls.get(plan.plan_hash, (0, 0, 0.0, 0))
    n_landed = sum(outcomes.values())
    judged = {
        _cut(expectation): verdict
        for (plan_hash, expectation), verdict in verdicts.items()
        if plan_hash == plan.plan_hash
    }
    return {
        "eval_id": _cut(plan.eval_id),
        "provider": _cut(plan.provider),
        "n_planned": plan.n_planned,
        "n_landed": n_landed,
        "n_fresh": n_landed - (reused or {}).get(plan.plan_hash, 0),
        "n_left": 0 if judged else max(0, plan.n_planned - n_landed),
        "n_control": sum(n for (_, arm, _), n in own.items() if arm == "control"),
        "outcomes": outcomes,
        "calls": n_calls,
        "tokens": tokens,
        "cost_usd": usd,
        "unpriced": dark,
        "verdicts": judged,
    }


def _cut(text: str) -> str:
    return shorten(show_text(text), _LONGEST)
