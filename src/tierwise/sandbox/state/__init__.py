"""Process state: what a test may leave behind, by watchers that each look at one kind of it."""

from tierwise.domain.watching import Change as Change
from tierwise.sandbox.state.snapshot import (
    Snapshot as Snapshot,
    changes_between as changes_between,
    retake as retake,
    take_snapshot as take_snapshot,
)
