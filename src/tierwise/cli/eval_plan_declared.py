"""What the project's declared evals can prove and what they will cost; nothing is run."""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from tierwise.cli.eval_choice import choose_paths, choose_tiers, say_nothing_found
from tierwise.cli.eval_records import find_store
from tierwise.config import load_config
from tierwise.domain.suite import EvalListing, EvalRequest
from tierwise.errors import ExitCode
from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.config import Config
    from tierwise.domain.suite import Suite
    from tierwise.evals import EvalDeclaration
    from tierwise.evals.costing import CostEstimate, PastUsage
    from tierwise.evals.outlook import EvalOutlook
    from tierwise.evals.pricing import Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredRequest:
    """Which declared evals are looked at, and how they would be run."""

    paths: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    keyword: str | None = None
    provider: str | None = None
    trials: int | None = None
    concurrency: int | None = None
    store: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredPlan:
    """One declared eval with what it can prove and what it will cost."""

    eval_id: str
    tier: str | None
    outlook: EvalOutlook
    cost: CostEstimate | None


def plan_declared(request: DeclaredRequest, *, is_json: bool) -> int:
    """Collect the evals, and print what each can prove and will cost."""
    config = load_config(Path.cwd())
    listing = _collect(request, config)
    if listing.output:
        click.echo(listing.output, err=True)
    if not listing.evals:
        return listing.exit_code or ExitCode.NOTHING_COLLECTED
    concurrency = request.concurrency or config.evals.concurrency
    plans = _plan(listing, request, config, concurrency)
    if is_json:
        click.echo(json.dumps([_as_data(plan) for plan in plans], indent=2, ensure_ascii=False))
    else:
        _print(plans, concurrency)
    return choose_exit(listing.exit_code, plans)


def choose_exit(collected: int, plans: Sequence[DeclaredPlan]) -> int:
    """Return what the command ends with: a plan that can prove nothing would end undecided."""
    is_hopeless = any(plan.outlook.is_hopeless for plan in plans)
    return ExitCode.UNDECIDED if is_hopeless and collected == ExitCode.OK else collected


def _collect(request: DeclaredRequest, config: Config) -> EvalListing:
    from tierwise.pytest_plugin.eval_suite import PytestSuite  # noqa: PLC0415  pytest is slow

    chosen = choose_tiers(config.tiers, request.tiers)
    base = Path.cwd() if request.paths else config.root
    places = tuple(
        os.path.relpath(base / path)
        for path in choose_paths(request.paths, chosen, lambda path: (base / path).exists())
    )
    suite: Suite = PytestSuite()
    listing = EvalListing(exit_code=ExitCode.NOTHING_COLLECTED)
    if places:
        listing = suite.list_evals(
            EvalRequest(
                root=config.root,
                paths=places,
                tiers=tuple(tier.name for tier in chosen) if request.tiers else (),
                keyword=request.keyword,
            )
        )
    if listing.exit_code == ExitCode.NOTHING_COLLECTED:
        said = say_nothing_found(chosen, places, request.keyword, is_declared=config.declared)
        return EvalListing(exit_code=ExitCode.NOTHING_COLLECTED, output=said)
    return listing


def _plan(
    listing: EvalListing, request: DeclaredRequest, config: Config, concurrency: int
) -> list[DeclaredPlan]:
    from tierwise.evals.costing import estimate_cost  # noqa: PLC0415  statistics are slow to load
    from tierwise.evals.outlook import look_ahead  # noqa: PLC0415

    past = _read_past(request, [entry.eval_id for entry in listing.evals])
    rate = None if request.provider is None else _find_rate(request.provider, config)
    plans = []
    for entry in listing.evals:
        declaration = cast("EvalDeclaration", entry.declaration)
        outlook = look_ahead(declaration, trials=request.trials)
        known = past.get(entry.eval_id)
        cost = (
            None
            if known is None
            else estimate_cost(
                known,
                outlook.n_to_run,
                concurrency=concurrency,
                rate=rate if entry.wants_provider else None,
            )
        )
        plans.append(
            DeclaredPlan(eval_id=entry.eval_id, tier=entry.tier, outlook=outlook, cost=cost)
        )
    return plans


def _read_past(request: DeclaredRequest, eval_ids: Sequence[str]) -> dict[str, PastUsage]:
    from tierwise.evals.costing import find_past_usage  # noqa: PLC0415  loaded when asked for

    store = RunStore.open_existing(find_store(request.store))
    if store is None:
        return {}
    with store:
        return find_past_usage(
            store.evals.runs(),
            eval_ids,
            partial(store.evals.usage, is_scored=True),
            provider=request.provider,
        )


def _find_rate(spec: str, config: Config) -> Rate | None:
    """Return what a provider's tokens cost; None where nobody knows."""
    from tierwise.evals.pricing import PriceList, read_prices  # noqa: PLC0415  loaded when asked
    from tierwise.providers import provider_from_spec  # noqa: PLC0415

    own = read_prices(config.evals.prices, where="tool.tierwise.evals.prices")
    return PriceList(own).rate_of(provider_from_spec(spec))


def _print(plans: Sequence[DeclaredPlan], concurrency: int) -> None:
    from tierwise.evals.costing import say_estimate, say_total  # noqa: PLC0415  loaded when asked
    from tierwise.evals.outlook import outlook_lines, say_size  # noqa: PLC0415

    for position, plan in enumerate(plans):
        if position:
            click.echo()
        click.echo(f"{plan.eval_id}  [{say_size(plan.outlook)}]")
        for line in outlook_lines(plan.outlook):
            click.echo(f"  {line}")
        click.echo(f"  {say_estimate(plan.cost, concurrency=concurrency)}")
    if len(plans) > 1:
        click.echo(f"\n{say_total([plan.cost for plan in plans])}")


def _as_data(plan: DeclaredPlan) -> dict[str, Any]:
    return {
        "eval_id": plan.eval_id,
        "tier": plan.tier,
        **dataclasses.asdict(plan.outlook),
        "n_to_run": plan.outlook.n_to_run,
        "is_hopeless": plan.outlook.is_hopeless,
        "cost": None if plan.cost is None else dataclasses.asdict(plan.cost),
    }
