"""Runs of evals, one line each: what was run, what it came to, what it took."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Verdict
from tierwise.evals.sides import label_providers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.records import RunRow, VerdictRow
    from tierwise.records.scores import EvalRun, PlanUsage

NOT_JUDGED = "not judged"
_WORST_FIRST = (Verdict.REFUTED, Verdict.UNDECIDED, Verdict.PROVEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """One run; an eval with several providers counts once for each."""

    run: RunRow
    providers: tuple[str, ...]
    evals: tuple[str, ...]
    verdicts: Mapping[str, int]
    """How many evals came to each verdict, the worst of their expectations; or `not judged`."""
    n_trials: int
    """Trials of its own that landed, controls included."""
    n_reused: int
    """Trials taken over from earlier runs."""
    n_calls: int
    n_tokens: int
    cost_usd: float
    """The sum of the costs that are known."""
    n_unpriced: int
    """How many calls have no known cost."""


def summarise_run(
    entry: EvalRun, verdicts: Iterable[VerdictRow], usage: Mapping[str, PlanUsage]
) -> RunSummary:
    """Return what a run ran, what that came to and what it took."""
    found: dict[str, set[Verdict]] = {}
    for row in verdicts:
        found.setdefault(row.plan_hash, set()).add(row.verdict)
    took = list(usage.values())
    return RunSummary(
        run=entry.run,
        providers=tuple(dict.fromkeys(label_providers(entry.plans))),
        evals=tuple(dict.fromkeys(plan.eval_id for plan in entry.plans)),
        verdicts=Counter(_worst_of(found.get(plan.plan_hash, set())) for plan in entry.plans),
        n_trials=sum(each.n_trials for each in took),
        n_reused=sum(each.n_reused for each in took),
        n_calls=sum(each.n_calls for each in took),
        n_tokens=sum(each.input_tokens + each.output_tokens for each in took),
        cost_usd=sum(each.cost_usd for each in took),
        n_unpriced=sum(each.n_unpriced for each in took),
    )


def say_cost(cost_usd: float, *, n_calls: int, n_unpriced: int) -> str:
    """Return what calls cost; what is not known is never counted as nothing."""
    if not n_calls:
        return "-"
    if n_unpriced == n_calls:
        return "unknown"
    known = f"{cost_usd:.4f} USD" if 0 < cost_usd < 1 else f"{cost_usd:.2f} USD"
    return f"{known} and {n_unpriced} calls of unknown price" if n_unpriced else known


def say_verdicts(verdicts: Mapping[str, int]) -> str:
    """Return how many evals came to each verdict, the worst first."""
    order = [*map(str, _WORST_FIRST), NOT_JUDGED]
    return ", ".join(f"{verdicts[word]} {word}" for word in order if verdicts.get(word))


def _worst_of(verdicts: set[Verdict]) -> str:
    return next((str(each) for each in _WORST_FIRST if each in verdicts), NOT_JUDGED)
