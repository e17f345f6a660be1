"""Secrets to plant in every text that comes from outside, and where to look for them."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import (
    Attempt,
    Capability,
    Decision,
    Exchange,
    Message,
    Outcome,
    ToolCall,
    Verdict,
    Violation,
)
from tierwise.domain.watching import Change, LeftBehind, Watching
from tierwise.records import (
    ClauseKey,
    DeclaredContract,
    DeclaredSide,
    GateRow,
    GuardRow,
    KnownGap,
    PlanRow,
    RunInfo,
    RunStore,
    TestRow,
    TrialRow,
    VerdictRow,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEY = "sk-canary" + "0123456789abcdef" * 2
SECRET = 'tweet "tweet"\\nest'  # noqa: S105  a canary
LOUD = f"before {KEY} and {SECRET} after"
TEXT = frozenset({"TEXT", "BLOB"})


def plant_everywhere(store: RunStore) -> None:
    """Write a row of each table with the canaries in every text that comes from outside."""
    run = store.start_run(
        RunInfo(
            command=LOUD, mode=LOUD, commit=LOUD, python=LOUD, platform=LOUD, config_hash=LOUD,
            tierwise=LOUD,
        )
    )  # fmt: skip
    touch = Violation(
        capability=Capability.READ, target=LOUD, subject=LOUD, tier=LOUD, stack=(LOUD,), event=LOUD
    )
    change = Change(watcher="environ", owner=LOUD, before=LOUD, after=LOUD)
    left = LeftBehind(change=change, action=Watching.REPORT, subject=LOUD)
    clause = ClauseKey(contract=LOUD, declared_by=LOUD, clause=LOUD, implementation=LOUD)
    store.add_test(
        run,
        TestRow(
            nodeid=LOUD, tier="unit", level="unit", outcome=Outcome.FAILED, message=LOUD,
            violations=(touch,), allowed=(LOUD,), clause=clause, location=LOUD,
            requirements=(LOUD,), gap=KnownGap(reason=LOUD, ticket=LOUD), left=(left,),
        ),
    )  # fmt: skip
    side = DeclaredSide(name=LOUD, double_of=LOUD)
    store.add_contracts(
        run,
        [
            DeclaredContract(
                contract=LOUD, declared_by=LOUD, clauses=(LOUD,), implementations=(side,)
            )
        ],
    )
    store.add_requirements(run, {LOUD: [LOUD]})
    store.add_guards(
        run,
        [
            GuardRow(
                nodeid=LOUD, behaviour=LOUD, sabotage=LOUD, verdict=Verdict.PROVEN, reason=LOUD
            )
        ],
    )
    store.add_gates(run, [GateRow(gate=LOUD, decision=Decision.OK, reason=LOUD)])
    store.keep_inputs(run, "hash", {LOUD: "digest"}, outputs=[LOUD])
    plant_an_eval(store, run)


def plant_an_eval(store: RunStore, run: str) -> None:
    """Write a plan, a trial that was taken over, and a verdict."""
    store.add_plan(
        PlanRow(
            run_id=run, plan_hash="plan", eval_id=LOUD, tier="evals", n_cases=1, trials=1,
            n_planned=1, provider=LOUD, model=LOUD, detail={LOUD: LOUD},
        )
    )  # fmt: skip
    call = ToolCall(name=LOUD, arguments={LOUD: [LOUD]}, id=LOUD)
    said = Exchange(
        prompt=(Message(role="user", content=LOUD, tool_calls=(call,), tool_call_id=LOUD),),
        reply=LOUD, purpose=LOUD, viewer=LOUD, data={LOUD: LOUD}, failure=LOUD,  # type: ignore[arg-type]
        provider=LOUD, model=LOUD, tool_calls=(call,),
        attempts=(Attempt(latency_s=0.1, failure=LOUD, message=LOUD),),  # type: ignore[arg-type]
    )  # fmt: skip
    trial = TrialRow(
        run_id=run, plan_hash="plan", eval_id=LOUD, case_id=LOUD, index=0, key="k", seed=1,
        outcome=Outcome.PASSED, scores={LOUD: LOUD}, message=LOUD, notes=(LOUD,),
        graders={LOUD: LOUD}, exchanges=(said,),
    )  # fmt: skip
    store.add_trials([trial])
    store.add_verdict(
        VerdictRow(
            run_id=run, plan_hash="plan", eval_id=LOUD, tier="evals", expectation=LOUD,
            metric=LOUD, verdict=Verdict.PROVEN, reason=LOUD, n_scored=1, n_planned=1,
            detail={LOUD: {LOUD: LOUD}},
        )
    )  # fmt: skip


def texts_of(path: Path) -> dict[str, list[Any]]:
    """Return every text of a store by table and column."""
    connection = sqlite3.connect(path)
    tables = [name for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table'"
    )]  # fmt: skip
    found: dict[str, list[Any]] = {}
    for table in tables:
        for column in connection.execute(f"PRAGMA table_info({table})").fetchall():
            if column[2] in TEXT:
                rows = connection.execute(f"SELECT {column[1]} FROM {table}")  # noqa: S608
                found[f"{table}.{column[1]}"] = [value for (value,) in rows]
    connection.close()
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Canaries:
    """What is planted, how, and where it may turn up."""

    key: str
    secret: str
    plant: Callable[[RunStore], None]
    texts_of: Callable[[Path], dict[str, list[Any]]]


@pytest.fixture
def canaries() -> Canaries:
    """Return two secrets: one looks like a key, one has to be named."""
    return Canaries(key=KEY, secret=SECRET, plant=plant_everywhere, texts_of=texts_of)
