"""The session's state, hung on `config.stash`: read by every hook, built by `starting`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from tierwise.pytest_plugin.placing import build_policy, placement_of

if TYPE_CHECKING:
    from pathlib import Path

    from tierwise.config import Config
    from tierwise.domain import Mode, Tier, Violation
    from tierwise.pytest_plugin.recording import Recording
    from tierwise.records import RunStore
    from tierwise.sandbox import Policy, Sandbox


@dataclass(slots=True, kw_only=True)
class State:
    """What tierwise knows in one pytest session, be it controller, worker or nested."""

    config: Config
    sandbox: Sandbox
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

    @property
    def mode(self) -> Mode:
        """How strongly the policy acts."""
        return self.config.mode

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
        return placement_of(self.config, item).tier

    def policy_of_item(self, item: pytest.Item) -> Policy:
        """Return what the item may touch: its tier's allowances and its own."""
        if item is self.current_item and self.current is not None:
            return self.current
        return build_policy(self.config, item)

    def begin_item(self, item: pytest.Item) -> Policy:
        """Make the item the one that is running and return its policy."""
        if self.current is None or item is not self.current_item:
            self.current = build_policy(self.config, item)
            self.current_item = item
        return self.current


STATE = pytest.StashKey[State]()
