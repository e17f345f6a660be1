"""The whole `[tool.tierwise]` table as a `Config`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tierwise.config.contracts import parse_contracts
from tierwise.config.defaults import default_tiers
from tierwise.config.environment import parse_environment, parse_exit
from tierwise.config.evals import parse_evals
from tierwise.config.floors import parse_floors
from tierwise.config.live import parse_live
from tierwise.config.model import Config, Order
from tierwise.config.records import parse_map, parse_records, parse_requirements
from tierwise.config.section import (
    Section,
    check_keys,
    choice,
    flag,
    table,
    texts,
)
from tierwise.config.state import parse_state
from tierwise.config.tiers import parse_tiers
from tierwise.domain import Mode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tierwise.domain import Tier

_KEYS = (
    *("mode", "strict", "order", "airgap", "packages", "floors", "tiers"),
    *("evals", "contracts", "live", "records", "map", "requirements", "state"),
    *("environment", "exit"),
)


def parse_config(
    values: Mapping[str, object] | None, root: Path, *, mode: Mode | None = None
) -> Config:
    """Return the configuration that a `[tool.tierwise]` table says; None is no table at all.

    Without a table nothing is changed: mode `report`, the order as defined, no tiers. `mode`
    is what the command line asks for; it wins, and the other defaults follow it.
    """
    if values is None and mode is not Mode.ENFORCE:
        return Config(root=root, mode=mode or Mode.REPORT, state=parse_state(None))
    section = Section(name="tool.tierwise", values=values or {})
    check_keys(section, _KEYS)
    written = Mode(choice(section, "mode", [str(m) for m in Mode], default=Mode.ENFORCE))
    acting = mode or written
    floors = table(section, "floors")
    tiers = _tiers(section)
    return Config(
        root=root,
        declared=values is not None,
        mode=acting,
        strict=flag(section, "strict"),
        order=_order(section, acting),
        airgap=flag(section, "airgap"),
        packages=texts(section, "packages"),
        floors=parse_floors(floors) if floors else {},
        tiers=tiers,
        declares_tiers=table(section, "tiers") is not None,
        evals=parse_evals(table(section, "evals")),
        contracts=parse_contracts(table(section, "contracts")),
        live=parse_live(table(section, "live"), [tier.name for tier in tiers]),
        records=parse_records(table(section, "records")),
        map=parse_map(table(section, "map")),
        requirements=parse_requirements(table(section, "requirements")),
        state=parse_state(table(section, "state")),
        environment=parse_environment(table(section, "environment")),
        exit=parse_exit(table(section, "exit")),
    )


def _order(section: Section, mode: Mode) -> Order:
    default = "random" if mode is Mode.ENFORCE else "defined"
    return cast("Order", choice(section, "order", ("random", "defined"), default=default))


def _tiers(section: Section) -> tuple[Tier, ...]:
    declared = table(section, "tiers")
    return parse_tiers(declared) if declared else default_tiers()
