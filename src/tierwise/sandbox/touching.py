"""Touches that report themselves, where the interpreter has no event for them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tierwise.domain import Touch
from tierwise.sandbox.judge import judge_event
from tierwise.sandbox.slot import SLOT, owner_here

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.domain import Capability
    from tierwise.sandbox.world import World

    Classifier = Callable[[str, tuple[Any, ...], World], tuple[Touch, ...]]


def touch(capability: Capability, target: str) -> None:
    """Say that the caller is about to touch something; raise when the acting policy forbids it.

    Without a sandbox, or where no policy acts, this does nothing: a real provider can call it
    always.
    """
    report("touch", (capability, target), _as_told, depth=2)


def report(event: str, args: tuple[Any, ...], classify: Classifier, *, depth: int) -> None:
    """Judge what the frame that many calls above this one does, as if an audit event told it."""
    if not SLOT.sandboxes:
        return
    owner = owner_here()
    if owner is not None:
        judge_event(owner, classify, event, args, sys._getframe(depth))  # noqa: SLF001  the only way to ask who called


def _as_told(event: str, args: tuple[Any, ...], _world: World) -> tuple[Touch, ...]:
    capability, target = args
    return (Touch(capability=capability, target=target, event=event),)
