"""Rows to SQLite values; secrets are masked on the way."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from tierwise.domain.masking import mask_leaves

if TYPE_CHECKING:
    from tierwise.domain import Attempt, Exchange, Message, ToolCall, Violation
    from tierwise.domain.masking import Masker
    from tierwise.records.contract_rows import DeclaredContract
    from tierwise.records.proof_rows import GateRow, GuardRow
    from tierwise.records.rows import TrialRow
    from tierwise.records.run_rows import TestResult

_NOTHING = "[]"
_NO_NAMES = "{}"
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=dict)


def storable(values: tuple[object, ...]) -> tuple[object, ...]:
    """Return the values with lone surrogates escaped: a model may send them, SQLite has none."""
    return tuple(
        value.encode("utf-8", "backslashreplace").decode()
        if isinstance(value, str) and not value.isascii()
        else value
        for value in values
    )


def _storable_text(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def to_json(value: Any, mask: Masker) -> str:  # noqa: ANN401  JSON-like data
    """Return compact JSON; masking goes before escaping, so that no quote hides a secret."""
    text = _COMPACT.encode(value)
    return _COMPACT.encode(mask_leaves(value, mask)) if mask.has_work(text) else text


def test_values(run_id: str, row: TestResult, mask: Masker) -> tuple[object, ...]:
    """Return one row of table `tests`, storable as it is; most tests have no more than a name."""
    nodeid, location = row.nodeid, row.location
    if mask.has_work(f"{nodeid}\n{location}"):  # one look at both, for each test of a run
        nodeid, location = mask.name(nodeid), mask.name(location)
    return (
        run_id,
        _storable_text(nodeid),
        row.tier,
        row.level,
        str(row.outcome),
        row.duration_s,
        _storable_text(mask(row.message)) if row.message else "",
        _violations_as_json(row.violations, mask) if row.violations else _NOTHING,
        _storable_text(to_json(row.allowed, mask)) if row.allowed else _NOTHING,
        row.attempts,
        _storable_text(location),
        _names_as_json(row.requirements, mask) if row.requirements else _NOTHING,
    )


def _names_as_json(names: tuple[str, ...], mask: Masker) -> str:
    return _storable_text(_COMPACT.encode([mask.name(name) for name in names]))


def gap_values(run_id: str, row: TestResult, mask: Masker) -> tuple[object, ...]:
    """Return one row of table `gaps` for a test that shows one."""
    gap = row.gap
    assert gap is not None  # noqa: S101  asked for tests with gaps alone
    texts = (mask.name(row.nodeid), mask(gap.reason), mask(gap.ticket))
    return storable((run_id, *texts, int(gap.is_over)))


def left_values(run_id: str, row: TestResult, mask: Masker) -> list[tuple[object, ...]]:
    """Return the rows of table `left_behind` for a test that has left something."""
    nodeid = mask.name(row.nodeid)
    return [
        storable(
            (
                run_id,
                nodeid,
                mask.name(found.subject),
                found.change.watcher,
                mask.name(found.change.owner),
                mask(found.change.before),
                mask(found.change.after),
                str(found.action),
            )
        )
        for found in row.left
    ]


def clause_values(run_id: str, row: TestResult, mask: Masker) -> tuple[object, ...]:
    """Return one row of table `clauses` for a test that tried one."""
    key = row.clause
    assert key is not None  # noqa: S101  asked for tests of contracts alone
    reason = mask(row.message).removeprefix("Skipped: ").removeprefix("unobservable: ")
    names = (key.contract, key.declared_by, key.clause, key.implementation, row.nodeid)
    return storable((run_id, *map(mask.name, names), str(row.outcome), reason))


def guard_values(run_id: str, row: GuardRow, mask: Masker) -> tuple[object, ...]:
    """Return one row of table `guards`."""
    texts = (mask(row.behaviour), mask.name(row.sabotage), str(row.verdict), mask(row.reason))
    return storable((run_id, mask.name(row.nodeid), row.level, *texts))


def gate_values(run_id: str, row: GateRow, mask: Masker) -> tuple[object, ...]:
    """Return one row of table `gates`."""
    return storable((run_id, mask.name(row.gate), row.level, str(row.decision), mask(row.reason)))


def contract_values(run_id: str, row: DeclaredContract, mask: Masker) -> tuple[object, ...]:
    """Return one row of table `contracts`."""
    sides = [mask_leaves(dataclasses.asdict(side), mask.name) for side in row.implementations]
    clauses = [mask.name(clause) for clause in row.clauses]
    names = (mask.name(row.contract), mask.name(row.declared_by))
    return storable((run_id, *names, _COMPACT.encode(clauses), _COMPACT.encode(sides)))


def _violations_as_json(violations: tuple[Violation, ...], mask: Masker) -> str:
    plain = [
        dataclasses.asdict(violation) | {"stack": list(violation.stack)}
        for violation in violations
    ]
    return _storable_text(to_json(plain, mask))


def trial_values(row: TrialRow, mask: Masker) -> tuple[object, ...]:
    """Return one row of table `trials`."""
    return (
        row.run_id,
        row.plan_hash,
        mask.name(row.eval_id),
        row.arm,
        mask.name(row.case_id),
        row.index,
        row.key,
        row.seed,
        str(row.outcome),
        to_json(dict(row.scores), mask),
        mask(row.message),
        to_json(row.notes, mask) if row.notes else _NOTHING,
        row.duration_s,
        to_json(dict(row.graders), mask) if row.graders else _NO_NAMES,
    )


def exchange_values(trial: int, position: int, said: Exchange, mask: Masker) -> tuple[object, ...]:
    """Return one row of table `exchanges`."""
    prompt = [_message_as_json(message) for message in said.prompt]
    return (
        trial,
        position,
        mask(said.purpose),
        None if said.viewer is None else mask(said.viewer),
        to_json(prompt, mask),
        mask(said.reply),
        None if said.data is None else to_json(dict(said.data), mask),
        None if said.failure is None else mask(said.failure),
        mask.name(said.provider),
        mask.name(said.model),
        said.usage.input_tokens,
        said.usage.output_tokens,
        said.latency_s,
        to_json([_attempt_as_json(attempt) for attempt in said.attempts], mask)
        if said.attempts
        else _NOTHING,
        said.source,
        said.cost_usd,
        said.usage.cached_input_tokens,
        said.usage.reasoning_tokens,
        to_json(_calls_as_json(said.tool_calls), mask) if said.tool_calls else _NOTHING,
    )


def _attempt_as_json(attempt: Attempt) -> dict[str, object]:
    """Return what is not as an attempt that was answered at once: there are many of those."""
    plain: dict[str, object] = {"latency_s": attempt.latency_s}
    if attempt.failure is not None:
        plain |= {"failure": attempt.failure, "message": attempt.message}
    if attempt.retry_after_s is not None:
        plain["retry_after_s"] = attempt.retry_after_s
    if attempt.waited_s:
        plain["waited_s"] = attempt.waited_s
    return plain


def _message_as_json(message: Message) -> dict[str, object]:
    plain: dict[str, object] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        plain["tool_calls"] = _calls_as_json(message.tool_calls)
    if message.tool_call_id is not None:
        plain["tool_call_id"] = message.tool_call_id
    return plain


def _calls_as_json(calls: tuple[ToolCall, ...]) -> list[dict[str, object]]:
    # A double may give arguments that no wire could carry; a trial is not lost for that.
    kept = [
        {"name": call.name, "arguments": dict(call.arguments), "id": call.id} for call in calls
    ]
    found: list[dict[str, object]] = json.loads(json.dumps(kept, default=str))
    return found
