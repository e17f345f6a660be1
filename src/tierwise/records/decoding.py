"""SQLite rows to rows of ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tierwise.domain import (
    Attempt,
    Capability,
    Exchange,
    Message,
    Outcome,
    ToolCall,
    Usage,
    Verdict,
    Violation,
)
from tierwise.records.rows import RunRow, TrialRow, VerdictRow
from tierwise.records.run_rows import RunInfo, TestRow

if TYPE_CHECKING:
    import sqlite3


def run_of(found: sqlite3.Row) -> RunRow:
    """Return a row of `runs`."""
    return RunRow(
        run_id=found["run_id"],
        started_at=found["started_at"],
        finished_at=found["finished_at"],
        exit_code=found["exit_code"],
        complete_tiers=tuple(json.loads(found["complete_tiers"])),
        info=RunInfo(
            command=found["command"],
            mode=found["mode"],
            commit=found["commit_hash"],
            python=found["python"],
            platform=found["platform"],
            config_hash=found["config_hash"],
            order_seed=found["order_seed"],
            tierwise=found["tierwise"],
            code_hash=found["code_hash"],
        ),
    )


def test_of(found: sqlite3.Row) -> TestRow:
    """Return a row of `tests`."""
    return TestRow(
        nodeid=found["nodeid"],
        tier=found["tier"],
        level=found["level"],
        outcome=Outcome(found["outcome"]),
        duration_s=found["duration_s"],
        message=found["message"],
        violations=tuple(_violation_of(kept) for kept in json.loads(found["violations"])),
        allowed=tuple(json.loads(found["allowed"])),
        attempts=found["attempts"],
        location=found["location"],
        requirements=tuple(json.loads(found["requirements"])),
    )


def _violation_of(kept: dict[str, Any]) -> Violation:
    return Violation(
        capability=Capability(kept["capability"]),
        target=kept["target"],
        subject=kept["subject"],
        tier=kept["tier"],
        stack=tuple(kept["stack"]),
        event=kept["event"],
    )


def trial_of(found: sqlite3.Row, exchanges: tuple[Exchange, ...]) -> TrialRow:
    """Return a row of `trials` with what was said in it."""
    return TrialRow(
        run_id=found["run_id"],
        plan_hash=found["plan_hash"],
        eval_id=found["eval_id"],
        arm=found["arm"],
        case_id=found["case_id"],
        index=found["idx"],
        key=found["key"],
        seed=found["seed"],
        outcome=Outcome(found["outcome"]),
        scores=json.loads(found["scores"]),
        message=found["message"],
        notes=tuple(json.loads(found["notes"])),
        graders=json.loads(found["graders"]),
        duration_s=found["duration_s"],
        exchanges=exchanges,
    )


def exchange_of(found: sqlite3.Row) -> Exchange:
    """Return a row of `exchanges`."""
    return Exchange(
        prompt=tuple(_message_of(kept) for kept in json.loads(found["prompt"])),
        reply=found["reply"],
        purpose=found["purpose"],
        viewer=found["viewer"],
        data=None if found["data"] is None else json.loads(found["data"]),
        failure=found["failure"],
        provider=found["provider"],
        model=found["model"],
        usage=Usage(
            input_tokens=found["input_tokens"],
            output_tokens=found["output_tokens"],
            cached_input_tokens=found["cached_input_tokens"],
            reasoning_tokens=found["reasoning_tokens"],
        ),
        latency_s=found["latency_s"],
        attempts=tuple(Attempt(**kept) for kept in json.loads(found["attempts"])),
        source=found["source"],
        cost_usd=found["cost_usd"],
        tool_calls=tuple(ToolCall(**call) for call in json.loads(found["tool_calls"])),
    )


def _message_of(kept: dict[str, Any]) -> Message:
    return Message(
        role=kept["role"],
        content=kept["content"],
        tool_calls=tuple(ToolCall(**call) for call in kept.get("tool_calls", ())),
        tool_call_id=kept.get("tool_call_id"),
    )


def verdict_of(found: sqlite3.Row) -> VerdictRow:
    """Return a row of `verdicts`."""
    return VerdictRow(
        run_id=found["run_id"],
        plan_hash=found["plan_hash"],
        eval_id=found["eval_id"],
        tier=found["tier"],
        expectation=found["expectation"],
        metric=found["metric"],
        verdict=Verdict(found["verdict"]),
        reason=found["reason"],
        n_scored=found["n_scored"],
        n_planned=found["n_planned"],
        run_number=found["run_number"],
        detail=json.loads(found["detail"]),
    )
