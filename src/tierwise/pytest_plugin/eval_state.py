"""What the trials of this run rest on, read once and kept, beside what those before rested on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.pytest_plugin.eval_inputs import OldOutputs, read_inputs
from tierwise.records.inputs import name_changes

if TYPE_CHECKING:
    from tierwise.config import Config
    from tierwise.records import PlanRun, RunStore


class InputState:
    """The inputs of a run; `hash` is "" when they could not be read."""

    def __init__(self, config: Config, store: RunStore, run_id: str) -> None:
        old = OldOutputs(config.root, store.outputs())
        found = read_inputs(config, is_old_output=old.holds)
        store.keep_inputs(run_id, found.hash, found.entries, outputs=found.outputs)
        self.hash = found.hash
        self._entries = found.entries
        self._store = store

    def find_changed(self, run: PlanRun) -> tuple[str, ...]:
        """Return the names of what is not as it was in an earlier run, if that is known."""
        before = self._store.inputs_of(run.inputs_hash)
        return name_changes(before, self._entries) if before else ()
