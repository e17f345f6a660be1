"""The session's state, hung on `config.stash`: read by every hook, built by `starting`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from tierwise.sandbox import Policy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tierwise.config import Config
    from tierwise.domain import Mode, Tier, Violation
    from tierwise.pytest_plugin.accepting import Accepting
    from tierwise.pytest_plugin.facts import Facts
    from tierwise.pytest_plugin.placing import Places
    from tierwise.pytest_plugin.recording import Recording
    from tierwise.records import RunStore
    from tierwise.sandbox import Sandbox
    from tierwise.sandbox.airgap import Airgap


@dataclass(slots=True, kw_only=True)
class State:
    """What tierwise knows in one pytest session, be it controller, worker or nested."""

    config: Config
    sandbox: Sandbox
    places: Places
    rootpath: Path
    wanted: tuple[str, ...] = ()
    """Tiers named by `--tier`."""
    order_seed: int | None = None
    """The seed of the random order; None when the order is left as it is."""
    order_note: str | None = None
    """Why the order is left to someone else."""
    is_worker: bool = False
    phase_violations: list[Violation] = field(default_factory=list)
    """What wider fixtures did in the phase that is running."""
    left_out: dict[str, int] = field(default_factory=dict)
    """How many tests of which deliberate tiers were collected and not run."""
    deselected: set[str] = field(default_factory=set)
    """Tiers of which a test was collected and left out, for whatever reason."""
    hints: tuple[str, ...] = ()
    """How to run the deliberate tests that were named without their tier."""
    has_misuse: bool = False
    """Did a mark or an unplaced test make a file uncollectable?"""
    current: Policy | None = None
    """The policy of the test that is running, or ran last."""
    current_item: pytest.Item | None = None
    recording: Recording | None = None
    true_environ: Mapping[str, str] = field(default_factory=dict)
    """The environment before tests were given another: the real keys in it are still masked."""
    accepting: Accepting | None = None
    """What lets violations be that the project's baseline accepts; None where it has none."""
    airgap: Airgap | None = None
    """What watches a session without a network; None where it has one."""

    @property
    def mode(self) -> Mode:
        """How strongly the policy acts."""
        return self.config.mode

    @property
    def has_touches(self) -> bool:
        """Has anything forbidden been touched that no report has told of yet?"""
        return bool(self.phase_violations) or not self.sandbox.is_clean

    @property
    def store(self) -> RunStore | None:
        """The run store, opened at the first use; None in a worker or when it cannot be."""
        return self.recording.open_store() if self.recording is not None else None

    @property
    def run_id(self) -> str | None:
        """The id of this session's run in the store; None when nothing is recorded."""
        return self.recording.run_id if self.recording is not None else None

    def tier_of_item(self, item: pytest.Item) -> Tier | None:
        """Return the item's tier; None when no tier claims it."""
        return self.places.of(item).tier

    def facts_of_nodeid(self, nodeid: str) -> Facts | None:
        """Return where a test stands; None in a controller of workers, which collects nothing."""
        item = self.current_item
        if item is not None and self.current is not None and self.current.subject == nodeid:
            return self.places.of(item).facts
        # Somebody ran the test elsewhere, as in a process of its own.
        placement = self.places.find(nodeid)
        return placement.facts if placement is not None else None

    def policy_of_item(self, item: pytest.Item) -> Policy:
        """Return what the item may touch: its tier's allowances and its own."""
        if item is self.current_item and self.current is not None:
            return self.current
        placement = self.places.of(item)
        tier = placement.tier.name if placement.tier else None
        return Policy(item.nodeid, tier, placement.allow, self.config.mode)

    def begin_item(self, item: pytest.Item) -> Policy:
        """Make the item the one that is running and return its policy."""
        if self.current is None or item is not self.current_item:
            self.current = self.policy_of_item(item)
            self.current_item = item
        return self.current


STATE = pytest.StashKey[State]()
