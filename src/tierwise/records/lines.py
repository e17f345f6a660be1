"""One line of an export for each row: what it may hold, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, NotRequired

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

FORMAT = "tierwise records"
VERSION = 1
_MOST_AHEAD = timedelta(days=1)
_Outcome = Literal["passed", "failed", "error", "unobservable", "not_run"]
_Verdict = Literal["proven", "refuted", "undecided"]
_Level = Literal[
    "static", "unit", "component", "contract", "integration", "smoke", "regression", "e2e",
    "performance", "security", "acceptance", "chaos",
]  # fmt: skip
_Capability = Literal[
    "tmp", "read", "write", "loopback", "network", "subprocess", "sleep", "model"
]  # fmt: skip
_Int = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
_Count = Annotated[int, Field(ge=0, le=2**63 - 1)]
_Real = Annotated[float, Field(allow_inf_nan=False)]
_RunId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,80}$")]
_STRICT = with_config(ConfigDict(strict=True, extra="forbid"))


def _as_moment(text: str) -> str:
    """Return a moment as the store writes it; ValueError for what is none, or is to come."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError("the time has no offset from UTC")
    if found > datetime.now(UTC) + _MOST_AHEAD:
        raise ValueError("the time is still to come: results of it would stay the latest")
    return found.astimezone(UTC).isoformat(timespec="seconds")


_Moment = Annotated[str, AfterValidator(_as_moment)]
_MaybeMoment = Annotated[str, AfterValidator(lambda text: _as_moment(text) if text else "")]


@_STRICT
class _Run(TypedDict):
    run_id: _RunId
    started_at: _Moment
    finished_at: _MaybeMoment
    exit_code: _Int | None
    complete_tiers: list[str]
    command: str
    mode: str
    commit_hash: str
    python: str
    platform: str
    config_hash: str
    order_seed: _Int | None
    tierwise: str
    code_hash: str


@_STRICT
class _Violation(TypedDict):
    capability: _Capability
    target: str
    subject: str
    tier: str | None
    stack: list[str]
    event: str


@_STRICT
class _Test(TypedDict):
    nodeid: str
    tier: str | None
    level: _Level | None
    outcome: _Outcome
    duration_s: _Real
    message: str
    violations: list[_Violation]
    allowed: list[str]
    attempts: NotRequired[_Count]
    location: NotRequired[str]
    requirements: NotRequired[list[str]]


@_STRICT
class _Plan(TypedDict):
    plan_hash: str
    eval_id: str
    tier: str | None
    n_cases: _Count
    trials: _Count
    n_planned: _Count
    provider: str
    model: str
    detail: dict[str, Any]
    definition: str
    measurement: str
    inputs_hash: str
    is_copied: Literal[0, 1]


@_STRICT
class _ToolCall(TypedDict):
    name: str
    arguments: dict[str, Any]
    id: str | None


@_STRICT
class _Message(TypedDict):
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: NotRequired[list[_ToolCall]]
    tool_call_id: NotRequired[str]


@_STRICT
class _Attempt(TypedDict):
    latency_s: _Real
    failure: NotRequired[str]
    message: NotRequired[str]
    retry_after_s: NotRequired[_Real]
    waited_s: NotRequired[_Real]


@_STRICT
class _Exchange(TypedDict):
    purpose: str
    viewer: str | None
    prompt: list[_Message]
    reply: str
    data: dict[str, Any] | None
    failure: str | None
    provider: str
    model: str
    input_tokens: _Count
    output_tokens: _Count
    latency_s: _Real
    attempts: list[_Attempt]
    source: Literal["live", "cache", "made_up"]
    cost_usd: _Real | None
    cached_input_tokens: _Count
    reasoning_tokens: _Count
    tool_calls: list[_ToolCall]


@_STRICT
class _Trial(TypedDict):
    plan_hash: str
    eval_id: str
    arm: Literal["trial", "control"]
    case_id: str
    idx: _Count
    key: str
    seed: _Int
    outcome: _Outcome
    scores: dict[str, bool | _Real | str]
    message: str
    notes: list[str]
    duration_s: _Real
    graders: dict[str, str]
    exchanges: list[_Exchange]


@_STRICT
class _Reused(TypedDict):
    plan_hash: str
    source_run: _RunId
    source_plan: str
    arm: Literal["trial", "control"]
    case_id: str
    idx: _Count


@_STRICT
class _VerdictLine(TypedDict):
    plan_hash: str
    eval_id: str
    tier: str | None
    expectation: str
    metric: str
    verdict: _Verdict
    reason: str
    n_scored: _Count
    n_planned: _Count
    run_number: _Count
    detail: dict[str, Any]


@_STRICT
class _Side(TypedDict):
    name: str
    is_real: bool
    double_of: str | None


@_STRICT
class _Contract(TypedDict):
    contract: str
    declared_by: str
    clauses: list[str]
    implementations: list[_Side]


@_STRICT
class _Clause(TypedDict):
    contract: str
    declared_by: str
    clause: str
    implementation: str
    nodeid: str
    outcome: _Outcome
    reason: str


@_STRICT
class _Requirement(TypedDict):
    nodeid: str
    requirement: str


@_STRICT
class _Guard(TypedDict):
    nodeid: str
    level: _Level | None
    behaviour: str
    sabotage: str
    verdict: _Verdict
    reason: str


@_STRICT
class _Gate(TypedDict):
    gate: str
    level: _Level | None
    decision: Literal["ok", "stale", "broken", "nothing_read"]
    reason: str


@_STRICT
class _Gap(TypedDict):
    nodeid: str
    reason: str
    ticket: str
    is_over: Literal[0, 1]


@_STRICT
class _Inputs(TypedDict):
    inputs_hash: Annotated[str, Field(min_length=1)]
    entries: dict[str, str]


@_STRICT
class _Left(TypedDict):
    nodeid: str
    subject: str
    watcher: str
    owner: str
    was: str
    became: str
    action: Literal["report", "restore", "fail"]


@_STRICT
class _Output(TypedDict):
    path: str


ROWS: dict[str, TypeAdapter[Any]] = {
    "runs": TypeAdapter(_Run),
    "inputs": TypeAdapter(_Inputs),
    "plans": TypeAdapter(_Plan),
    "trials": TypeAdapter(_Trial),
    "reused": TypeAdapter(_Reused),
    "verdicts": TypeAdapter(_VerdictLine),
    "tests": TypeAdapter(_Test),
    "contracts": TypeAdapter(_Contract),
    "clauses": TypeAdapter(_Clause),
    "requirements": TypeAdapter(_Requirement),
    "guards": TypeAdapter(_Guard),
    "gates": TypeAdapter(_Gate),
    "gaps": TypeAdapter(_Gap),
    "left_behind": TypeAdapter(_Left),
    "outputs": TypeAdapter(_Output),
}
"""What a row of each table may hold; a run's own comes first, what others refer to next."""

JSON_COLUMNS = frozenset(
    {
        *("complete_tiers", "violations", "allowed", "requirements", "detail", "scores", "notes"),
        *("graders", "prompt", "data", "attempts", "tool_calls", "clauses", "implementations"),
    }
)
"""Columns that hold JSON, but for `tests.attempts`, which is a number."""

NAMES = frozenset(
    {
        *("nodeid", "location", "eval_id", "case_id", "provider", "model", "expectation"),
        *("metric", "contract", "declared_by", "clause", "implementation", "requirement"),
        *("requirements", "sabotage", "gate", "path", "clauses", "implementations"),
        *("owner", "subject"),
    }
)
"""Columns that name something: masked so that two names stay two."""
