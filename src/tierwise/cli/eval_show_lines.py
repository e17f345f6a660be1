"""A trial as lines for a terminal: what was asked, what was replied, and how it was scored.

All of it is hostile text: a model, a vendor or a file of cases wrote it. What a terminal would
obey is escaped, and a reply keeps a margin, so that it cannot pass for a line of ours.
"""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.domain import Exchange
    from tierwise.records import TrialRow

_ESCAPED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_LONGEST_PROMPT = 300
_MARGIN = "     | "


def escape_controls(text: str) -> str:
    """Return the text with all that a terminal obeys, or that cannot be seen, written out.

    Line breaks are among it: split the text first where they are to stay.
    """
    if text.isprintable():
        return text
    return "".join(
        ascii(char)[1:-1] if unicodedata.category(char) in _ESCAPED else char for char in text
    )


def shorten(text: str, longest: int = _LONGEST_PROMPT) -> str:
    """Return the beginning of a long text, and how long it is."""
    return text if len(text) <= longest else f"{text[:longest]} ... ({len(text):,} characters)"


def shown_lines(run_id: str, trials: Sequence[TrialRow]) -> list[str]:
    """Return the lines of all trials, a blank line between two."""
    lines = [f"run {run_id}"]
    for trial in trials:
        lines += ["", *trial_lines(trial, run_id)]
    return lines


def trial_lines(trial: TrialRow, run_id: str) -> list[str]:
    """Return one trial: where it stands, how it ended, and each call that was made in it."""
    control = ", of the control" if trial.arm == "control" else ""
    made = f", taken over from run {trial.run_id}" if trial.run_id != run_id else ""
    place = f"case {trial.case_id}, trial {trial.index}{control}{made}"
    lines = [f"{trial.eval_id}  {place}: {str(trial.outcome).upper()}"]
    if trial.scores:
        scores = ", ".join(f"{name}={value!r}" for name, value in trial.scores.items())
        lines.append(f"  scores: {scores}")
    if trial.message:
        lines.append(f"  message: {trial.message}")
    lines += [f"  note: {note}" for note in trial.notes]
    if not trial.exchanges:
        lines.append("  no call of a provider is recorded")
    for position, exchange in enumerate(trial.exchanges, start=1):
        lines += exchange_lines(position, exchange)
    return [escape_controls(line) for line in lines]


def exchange_lines(position: int, exchange: Exchange) -> list[str]:
    """Return one call: the last user turn, the reply, and what became of each attempt."""
    who = " ".join(dict.fromkeys(filter(None, (exchange.provider, exchange.model)))) or "?"
    why = f" ({exchange.purpose})" if exchange.purpose else ""
    cached = ", from the cache" if exchange.source == "cache" else ""
    lines = [f"  call {position}{why} to {who}{cached}", "     asked:"]
    lines += _quote(shorten(_last_user_turn(exchange)))
    if exchange.reply or not (exchange.failure or exchange.tool_calls):
        lines += ["     replied:", *_quote(exchange.reply)]
    lines += [
        f"     tool call: {call.name}({json.dumps(dict(call.arguments), ensure_ascii=False)})"
        for call in exchange.tool_calls
    ]
    if exchange.failure:
        lines.append(f"     failure: {exchange.failure}")
    if len(exchange.attempts) > 1 or any(entry.failure for entry in exchange.attempts):
        lines += _attempt_lines(exchange)
    return lines


def _attempt_lines(exchange: Exchange) -> Iterable[str]:
    for number, attempt in enumerate(exchange.attempts, start=1):
        said = f": {attempt.message}" if attempt.message else ""
        yield f"     attempt {number}: {attempt.failure or 'answered'}{said}"


def _last_user_turn(exchange: Exchange) -> str:
    turns = [message for message in exchange.prompt if message.role == "user"]
    last = (turns or exchange.prompt)[-1:]
    return last[0].content if last else ""


def _quote(text: str) -> list[str]:
    return [f"{_MARGIN}{line}" for line in text.split("\n")] if text else [f"{_MARGIN}(nothing)"]
