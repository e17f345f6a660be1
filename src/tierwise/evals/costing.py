"""What an eval will cost, from what earlier runs of it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Usage
from tierwise.evals.sides import label_providers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tierwise.evals.pricing import Rate
    from tierwise.records.scores import EvalRun, PlanUsage

_LOOKED_AT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PastUsage:
    """What the scored trials of one eval took in one run, controls included."""

    run_id: str
    provider: str
    usage: PlanUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class CostEstimate:
    """What so many trials will take if they are like those of an earlier run."""

    past: PastUsage
    n_trials: int
    n_calls: float
    n_tokens: float
    cost_usd: float | None
    """None where the price is not known."""
    seconds: float


def find_past_usage(
    runs: Sequence[EvalRun],
    eval_ids: Iterable[str],
    usage_of: Callable[[str], Mapping[str, PlanUsage]],
    *,
    provider: str | None = None,
) -> dict[str, PastUsage]:
    """Return, for each eval, its latest run that scored any trial of it; `runs` are oldest first.

    `usage_of` counts scored trials alone: one that the vendor refused takes nothing. With
    `provider` one of that provider is preferred, and another's stands in where it has none:
    tokens differ less between providers than prices do.
    """
    wanted = set(eval_ids)
    found: dict[str, PastUsage] = {}
    best: dict[str, PastUsage] = {}
    for entry in reversed(runs[-_LOOKED_AT:]):
        if wanted <= best.keys():
            break
        usage = usage_of(entry.run.run_id)
        for plan, label in zip(entry.plans, label_providers(entry.plans), strict=True):
            took = usage.get(plan.plan_hash)
            if plan.eval_id not in wanted or took is None or not took.n_trials:
                continue
            past = PastUsage(run_id=entry.run.run_id, provider=label, usage=took)
            found.setdefault(plan.eval_id, past)
            if provider in (None, label, plan.provider, plan.detail.get("identity")):
                best.setdefault(plan.eval_id, past)
    return found | best


def estimate_cost(
    past: PastUsage, n_trials: int, *, concurrency: int, rate: Rate | None = None
) -> CostEstimate:
    """Return what so many trials will take; `rate` is the price of another provider's tokens."""
    took = past.usage
    share = n_trials / took.n_trials
    n_calls = took.n_calls + took.n_cached
    cost: float | None = None
    if rate is not None:
        tokens = Usage(input_tokens=took.input_tokens, output_tokens=took.output_tokens)
        cost = rate(tokens) * share
    elif not took.n_unpriced:
        paid = took.n_calls / n_calls if n_calls else 1.0
        cost = took.cost_usd / paid * share if paid else None
    return CostEstimate(
        past=past,
        n_trials=n_trials,
        n_calls=n_calls * share,
        n_tokens=(took.input_tokens + took.output_tokens) * share,
        cost_usd=cost,
        seconds=took.trial_s * share / concurrency,
    )


def say_estimate(cost: CostEstimate | None, *, concurrency: int) -> str:
    """Return what a run will cost in one line; what is not known is said to be unknown."""
    if cost is None:
        return (
            "cost: unknown, since no recorded run of this eval has a trial with a score. "
            "One trial a case tells: tierwise eval run --trials 1"
        )
    parts = [f"{_round(cost.n_calls):,} calls", f"{_round(cost.n_tokens):,} tokens"]
    if not cost.n_calls:
        parts = ["no calls"]
    if cost.n_calls:
        parts.append("of unknown price" if cost.cost_usd is None else f"{cost.cost_usd:.4g} USD")
    parts.append(f"{_say_time(cost.seconds)} at concurrency {concurrency}")
    return (
        f"cost, if all of it runs: about {', '.join(parts)} (as {cost.past.usage.n_trials} trials "
        f"of run {cost.past.run_id} by {cost.past.provider})"
    )


def say_total(costs: Sequence[CostEstimate | None]) -> str:
    """Return what all evals together will cost, and of how many that is not known."""
    known = [cost for cost in costs if cost is not None]
    if not known:
        return f"in all: unknown, as is what each of the {len(costs)} evals costs"
    priced = [cost.cost_usd for cost in known if cost.cost_usd is not None]
    n_unknown = len(costs) - len(priced)
    parts = [
        f"{_round(sum(cost.n_calls for cost in known)):,} calls",
        f"{_round(sum(cost.n_tokens for cost in known)):,} tokens",
        f"{sum(priced):.4g} USD",
        _say_time(sum(cost.seconds for cost in known)),
    ]
    unknown = f", and what {n_unknown} of {len(costs)} evals cost is unknown" if n_unknown else ""
    return f"in all: about {', '.join(parts)}{unknown}"


def _round(value: float) -> int:
    return max(1, round(value)) if value > 0 else 0


def _say_time(seconds: float) -> str:
    if seconds < 60:  # noqa: PLR2004  a minute
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.2g} min" if seconds < 3600 else f"{seconds / 3600:.2g} h"  # noqa: PLR2004
