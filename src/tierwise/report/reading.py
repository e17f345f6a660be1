"""The map read from a run store: counted there, judged by `map` and `evidence`."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.domain.masking import Masker, secrets_of_environment
from tierwise.report.evidence import (
    COMMAND,
    Evidence,
    WholeRun,
    gather_evidence,
    judge_default_run,
)
from tierwise.report.facts import facts_of_counts
from tierwise.report.map import LevelRow, TierFacts, draw_map, sum_counts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from tierwise.config import Config
    from tierwise.domain import Level
    from tierwise.records import RunStore


def read_map(
    store: RunStore | None, config: Config, *, code_hash: str, now: datetime
) -> tuple[LevelRow, ...]:
    """Return the twelve levels of a project; no store is a map of what is declared."""
    if store is None:
        empty = gather_evidence(commands=_commands(config), code_hash=code_hash)
        return draw_map(config.tiers, {}, empty)
    facts = read_facts(store, config, code_hash)
    evidence = read_evidence(store, config, facts, code_hash=code_hash, now=now)
    return draw_map(config.tiers, facts, evidence)


def read_facts(store: RunStore, config: Config, code_hash: str) -> dict[str, TierFacts]:
    """Return the facts of each tier that has results."""
    facts = facts_of_counts(store.map.tiers(code_hash), _whole_runs(store, code_hash))
    if not config.baseline_path.exists():
        return facts
    from tierwise.config.baseline import Baseline, count_by_tier, load_baseline  # noqa: PLC0415  few projects

    left = count_by_tier(config, load_baseline(config.baseline_path) or Baseline())
    return {tier: replace(fact, n_accepted=left.get(tier, 0)) for tier, fact in facts.items()}


def read_evidence(
    store: RunStore,
    config: Config,
    facts: Mapping[str, TierFacts],
    *,
    code_hash: str,
    now: datetime,
) -> dict[Level, Evidence]:
    """Return what speaks for each level besides its tests."""
    usual = {tier.name for tier in config.tiers if not tier.deliberate}
    needed = frozenset(name for name, fact in facts.items() if name in usual and fact.n_tests)
    outcomes = sum_counts(facts[name].outcomes for name in needed)
    return gather_evidence(
        gates=store.map.gates(),
        guards=store.map.guards(),
        commands=_commands(config),
        contracts=_read_contracts(store, config, code_hash=code_hash, now=now),
        default_run=judge_default_run(_whole_runs(store, code_hash), needed, outcomes),
        code_hash=code_hash,
    )


def _commands(config: Config) -> dict[Level, tuple[str, ...]]:
    """Return the commands of levels as records name them: without a secret in their words."""
    mask = Masker(secrets_of_environment(os.environ))
    return {
        level: tuple(mask.name(f"{COMMAND}{text}").removeprefix(COMMAND) for text in texts)
        for level, texts in config.map.commands.items()
    }


def _whole_runs(store: RunStore, code_hash: str) -> list[WholeRun]:
    return [
        WholeRun(
            tiers=frozenset(tiers),
            exit_code=exit_code,
            started_at=started_at,
            is_current=bool(code_hash) and code == code_hash,
            environment=environment,
        )
        for tiers, exit_code, started_at, code, environment in store.map.whole_runs()
    ]


def _read_contracts(
    store: RunStore, config: Config, *, code_hash: str, now: datetime
) -> list[tuple[str, bool, str]]:
    declared = [
        one
        for one in store.declared_contracts()
        if (config.root / one.declared_by.partition("::")[0]).exists()
    ]
    if not declared:
        return []
    from tierwise.contracts.cells import fill_sides  # noqa: PLC0415  slow to load
    from tierwise.contracts.standing import State, Terms, judge_contract  # noqa: PLC0415

    terms = Terms(now=now, max_age_days=config.contracts.max_age_days, code_hash=code_hash)
    return [
        (standing.side.name, standing.state is State.VERIFIED, standing.reason)
        for sides in fill_sides(declared, store.kept_clauses()).values()
        for standing in judge_contract(sides, terms)
    ]
