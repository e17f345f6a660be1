"""The records of guards, gates, gaps and requirements, used as a user would; never run."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, assert_type

from tierwise.config import Config, MapConfig, RecordsConfig, RequirementsConfig, StateConfig
from tierwise.domain import Decision, Level, Outcome, Verdict
from tierwise.domain.watching import Watching
from tierwise.records import (
    GateRow,
    GuardRow,
    KeptGapRow,
    KeptGate,
    KeptGuard,
    KnownGap,
    LinkRow,
    RunStore,
    TestRow,
    TierCounts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

CONFIG = Config(
    root=Path(),
    records=RecordsConfig(keep_days=30, keep_runs=100, keep=("20260102T",), network_drive=True),
    map=MapConfig(baseline="map.json", commands={Level.STATIC: ("mypy",)}),
    requirements=RequirementsConfig(file="PRODUCT.md"),
    state=StateConfig(
        words={"environ": Watching.FAIL, "modules": Watching.RESTORE},
        thorough=True,
        ignore=("shop.registry.*",),
    ),
)


def keep(store: RunStore, run_id: str) -> None:
    gap = KnownGap(reason="ACL-7: lost", ticket="ACL-7", is_over=False)
    row = TestRow(
        nodeid="t",
        tier="unit",
        level="unit",
        outcome=Outcome.NOT_RUN,
        attempts=2,
        location="t.py:1",
        requirements=("R-1",),
        gap=gap,
    )
    store.add_test(run_id, row)
    store.add_requirements(run_id, {"t": ["R-1"]})
    guard = GuardRow(
        nodeid="t",
        behaviour="grants are asked for",
        sabotage="skip the question",
        verdict=Verdict.PROVEN,
        level="unit",
    )
    store.add_guards(run_id, [guard])
    store.add_gates(run_id, [GateRow(gate="claims", decision=Decision.NOTHING_READ, reason="-")])


def look(store: RunStore) -> None:
    assert_type(store.map.tiers("hash"), Mapping[str, TierCounts])
    assert_type(store.map.guards(), tuple[KeptGuard, ...])
    assert_type(store.map.gates(), tuple[KeptGate, ...])
    assert_type(store.map.gaps(), tuple[KeptGapRow, ...])
    assert_type(store.map.links(), tuple[LinkRow, ...])
    for link in store.map.links():
        assert_type(link.outcome, Outcome | None)


def maintain(store: RunStore, other: RunStore) -> None:
    from tierwise.records.pruning import Policy  # noqa: PLC0415  as a script would

    lines: Iterator[str] = store.upkeep.export(store.upkeep.run_ids()[-2:])
    assert_type(other.upkeep.take_in(lines, where="ci.jsonl").added, tuple[str, ...])
    planned = store.upkeep.plan_pruning(Policy(keep_days=30), now=datetime.now(UTC))
    assert_type(planned.gone, tuple[str, ...])
    assert_type(store.upkeep.describe().n_bytes, int)
