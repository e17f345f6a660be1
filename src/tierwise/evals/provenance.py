"""Where an eval's trials come from and what they took, as lines below its verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.domain import EvalSummary, Spending


def provenance_lines(summary: EvalSummary) -> list[str]:
    """Return what was taken over from earlier runs, why the rest ran, and what all of it took."""
    lines = list(summary.remarks)
    if summary.cut_by and not any(summary.cut_by in reason for reason, _ in summary.reasons):
        lines.append(summary.cut_by)
    if summary.reused:
        lines.append(_say_reused(summary))
    if summary.ran_because and summary.n_ran:
        why = ", ".join(
            reason if reason.startswith("anew") else f"{n} {reason}"
            for reason, n in summary.ran_because
        )
        lines.append(f"ran {_count(summary.n_ran)}: {why}")
    if spent := say_spending(summary.spent):
        before = say_spending(summary.spent_before)
        lines.append(f"spent: {spent}" + (f"; before: {before}" if before else ""))
    return lines


def say_spending(spending: Spending) -> str:
    """Return what was spent on one line; empty when no provider was asked."""
    parts = []
    if spending.calls:
        tries = spending.attempts
        retried = f" ({tries:,} attempts)" if tries > spending.calls else ""
        parts.append(f"{spending.calls:,} call{'s' if spending.calls > 1 else ''}{retried}")
    if spending.cached:
        parts.append(f"{spending.cached:,} from the cache")
    if spending.tokens:
        parts.append(f"{spending.tokens:,} tokens")
    if spending.cost_usd:
        parts.append(f"{spending.cost_usd:.6g} USD")
    if spending.unpriced and spending.calls:
        parts.append(
            "of unknown price"
            if spending.unpriced == spending.calls
            else f"and {spending.unpriced:,} calls of unknown price"
        )
    return ", ".join(parts)


def _say_reused(summary: EvalSummary) -> str:
    n = sum(entry.n_trials for entry in summary.reused)
    runs = " and ".join(
        f"run {entry.run_id} ({_when(entry.started_at)})" for entry in summary.reused
    )
    if not summary.n_ran:
        return f"nothing to run: {_count(n)} of {runs} reused; --fresh measures anew"
    return f"reused {_count(n)} of {runs}"


def _count(n: int) -> str:
    return f"{n:,} trial{'' if n == 1 else 's'}"


def _when(started_at: str) -> str:
    return started_at.replace("T", " ")[:16] + " UTC"
