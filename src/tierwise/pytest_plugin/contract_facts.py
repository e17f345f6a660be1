"""Which contracts a session has collected: gathered in a worker, kept by the controller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.pytest_plugin.state import STATE
from tierwise.pytest_plugin.workers import DECLARED_CONTRACTS

if TYPE_CHECKING:
    from tierwise.pytest_plugin.contract_items import Suite
    from tierwise.pytest_plugin.facts import DeclaredFacts

_SUITES = pytest.StashKey[dict[tuple[str, str], "DeclaredFacts"]]()


def remember(config: pytest.Config, suite: Suite) -> None:
    """Add a clause to what is known of its contract; it travels between processes as JSON."""
    suites = config.stash.setdefault(_SUITES, {})
    known = suites.setdefault(
        (suite.contract, suite.declared_by),
        {
            "contract": suite.contract,
            "declared_by": suite.declared_by,
            "clauses": [],
            "implementations": [
                {"name": side.name, "is_real": side.real, "double_of": side.double_of}
                for side in suite.sides
            ],
        },
    )
    known["clauses"] = list(dict.fromkeys([*known["clauses"], *suite.clauses]))


def declare(config: pytest.Config) -> None:
    """Hand over what was collected: to the controller, or to whoever keeps the results."""
    found = list(config.stash.get(_SUITES, {}).values())
    state = config.stash[STATE]
    if state.is_worker:
        output: dict[str, Any] = config.workeroutput  # type: ignore[attr-defined]  # xdist's
        output[DECLARED_CONTRACTS] = found
    elif state.recording is not None:
        state.recording.declare(found)
