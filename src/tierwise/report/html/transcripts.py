"""Which trials stand in the page, and which on pages beside it; each as it is read."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tierwise.evals.against import speaks_against
from tierwise.report.html.marking import Segment, mark_text, read_marks
from tierwise.report.html.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tierwise.domain import Exchange
    from tierwise.records.rows import TrialRow
    from tierwise.report.html.values import EvalPart

INLINE_BYTES = 200_000
"""What the transcripts in the page may weigh together; the rest lies beside it."""
PAGE_SIZE = 50
_TAG_BYTES = 900
_LONGEST_TURN = 4_000
_LONGEST_NOTE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a conversation, shortened where it is long."""

    role: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a provider: what was asked, and what came of it."""

    title: str
    turns: tuple[Turn, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialView:
    """One trial as the page shows it."""

    anchor: str
    case_id: str
    index: int
    is_control: bool
    is_against: bool
    outcome: str
    scores: tuple[tuple[str, str], ...]
    message: str
    notes: tuple[str, ...]
    calls: tuple[Call, ...]
    taken_from: str = ""
    """The earlier run that it was taken over from."""

    @property
    def weight(self) -> int:
        """About how many bytes it takes in a page."""
        texts = [
            segment.text for call in self.calls for turn in call.turns for segment in turn.segments
        ]
        texts += [self.message, *self.notes]
        n_parts = len(texts) + sum(len(call.turns) for call in self.calls)
        return (
            _TAG_BYTES + 90 * n_parts + sum(len(text.encode("utf-8", "replace")) for text in texts)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One eval's trials: those in the page, and those on pages of their own."""

    part: EvalPart
    inline: tuple[TrialView, ...]
    beside: tuple[TrialView, ...]

    @property
    def n_trials(self) -> int:
        """How many trials ended in all, those of a control included."""
        return sum(self.part.outcomes.values()) + sum(self.part.controls.values())


def lay_out(parts: Sequence[EvalPart], budget: int = INLINE_BYTES) -> tuple[Shown, ...]:
    """Return where each trial stands: one of each eval in turn into the page, as room allows."""
    views = [[view_trial(part, trial) for trial in part.trials] for part in parts]
    n_inline = [0] * len(parts)
    is_open = [True] * len(parts)
    while any(is_open):
        for place, found in enumerate(views):
            at = n_inline[place]
            weight = found[at].weight if at < len(found) else 0
            if not is_open[place] or at >= len(found) or weight > budget:
                is_open[place] = False
                continue
            n_inline[place] += 1
            budget -= weight
    return tuple(
        Shown(part=part, inline=tuple(found[:n]), beside=tuple(found[n:]))
        for part, found, n in zip(parts, views, n_inline, strict=True)
    )


def pages_of(views: Sequence[TrialView]) -> Iterator[Sequence[TrialView]]:
    """Yield the trials of each page beside the report."""
    for start in range(0, len(views), PAGE_SIZE):
        yield views[start : start + PAGE_SIZE]


def view_trial(part: EvalPart, trial: TrialRow) -> TrialView:
    """Return a trial with its findings marked in the replies."""
    marks = read_marks(trial.notes)
    is_control = trial.arm == "control"
    better = part.plan.detail.get("better", {})
    return TrialView(
        anchor=f"trial-{trial.key[:16]}",
        case_id=trial.case_id,
        index=trial.index,
        is_control=is_control,
        is_against=not is_control and speaks_against(trial, better, None),
        outcome=str(trial.outcome),
        scores=tuple((name, _say_score(value)) for name, value in trial.scores.items()),
        message=shorten(trial.message, _LONGEST_NOTE),
        notes=tuple(shorten(note, _LONGEST_NOTE) for note in trial.notes),
        calls=tuple(
            _view_call(exchange, mark_text(exchange.reply, marks if _is_subject(exchange) else ()))
            for exchange in trial.exchanges
        ),
        taken_from=trial.run_id if trial.run_id != part.plan.run_id else "",
    )


def _is_subject(exchange: Exchange) -> bool:
    return exchange.purpose != "judge"


def _view_call(exchange: Exchange, marked: Iterable[Segment]) -> Call:
    turns = [
        Turn(role=message.role, segments=_plain(message.content)) for message in exchange.prompt
    ]
    reply = tuple(
        replace(segment, text=shorten(segment.text, _LONGEST_TURN)) for segment in marked
    )
    if exchange.reply or not (exchange.failure or exchange.tool_calls):
        turns.append(Turn(role="reply", segments=reply or _plain("(nothing)")))
    turns += [
        Turn(role="tool call", segments=_plain(f"{call.name}({_as_json(dict(call.arguments))})"))
        for call in exchange.tool_calls
    ]
    return Call(title=_say_call(exchange), turns=tuple(turns), problems=tuple(_problems(exchange)))


def _say_call(exchange: Exchange) -> str:
    who = (
        " ".join(dict.fromkeys(filter(None, (exchange.provider, exchange.model)))) or "a provider"
    )
    parts = [exchange.purpose or "call", f"to {who}"]
    if exchange.viewer:
        parts.append(f"for {exchange.viewer}")
    if exchange.source != "live":
        parts.append("from the cache" if exchange.source == "cache" else "made up")
    tokens = exchange.usage.total_tokens
    numbers = [f"{exchange.latency_s:.2f} s"] + ([f"{tokens:,} tokens"] if tokens else [])
    if exchange.cost_usd:
        numbers.append(f"{exchange.cost_usd:.4f} USD")
    return f"{' '.join(parts)}, {', '.join(numbers)}"


def _problems(exchange: Exchange) -> Iterator[str]:
    if exchange.failure:
        yield f"failure: {exchange.failure}"
    if len(exchange.attempts) > 1 or any(attempt.failure for attempt in exchange.attempts):
        for number, attempt in enumerate(exchange.attempts, start=1):
            said = f": {shorten(attempt.message, _LONGEST_NOTE)}" if attempt.message else ""
            yield f"attempt {number}: {attempt.failure or 'answered'}{said}"


def _plain(text: str) -> tuple[Segment, ...]:
    return (Segment(text=shorten(text, _LONGEST_TURN)),) if text else ()


def _say_score(value: bool | float | str) -> str:  # noqa: FBT001  a score
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float | int) else shorten(value, _LONGEST_NOTE)


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
