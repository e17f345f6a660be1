"""What a test may touch, and whether one touch is among it."""

from __future__ import annotations

import os.path
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tierwise.domain import Capability, Mode
from tierwise.sandbox.targets import target_covers

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tierwise.domain import Allowance, Touch

_PATHS = frozenset({Capability.TMP, Capability.READ, Capability.WRITE})


class Policy(NamedTuple):
    """What one test, fixture or phase may touch, and what happens when it touches more.

    A named tuple, since each test has one: a frozen dataclass takes five times as long to make.
    """

    subject: str
    """Node id of the test, or the name of the fixture or phase, that touches belong to."""
    tier: str | None = None
    allow: tuple[Allowance, ...] = ()
    mode: Mode = Mode.ENFORCE
    watched: frozenset[Capability] | None = None
    """Capabilities that are judged at all; None means all of them."""


def forbids(policy: Policy, touch: Touch) -> bool:
    """Say whether the policy is broken by this touch.

    An allowance without a target covers its whole capability; `network` without a target covers
    `loopback` too.
    """
    if policy.mode is Mode.OFF:
        return False
    if policy.watched is not None and touch.capability not in policy.watched:
        return False
    for allowance in policy.allow:  # noqa: SIM110  a generator would double the cost
        if _covers(allowance, touch):
            return False
    return True


def union_of(allowances: Iterable[tuple[Allowance, ...]]) -> tuple[Allowance, ...]:
    """Return everything that any of the given tuples allows, in order of first appearance.

    A whole capability makes its narrow allowances superfluous, and they are left out.
    """
    distinct = dict.fromkeys(allowance for group in allowances for allowance in group)
    whole = {allowance.capability for allowance in distinct if allowance.target is None}
    kept: dict[tuple[Capability, str | None], Allowance] = {}
    for allowance in distinct:
        if allowance.target is None or allowance.capability not in whole:
            kept.setdefault((allowance.capability, allowance.target), allowance)
    return tuple(kept.values())


def resolve_allowance(allowance: Allowance, root: Path) -> Allowance:
    """Return the allowance with a relative path target made absolute below `root`.

    Policies compare paths as text, so a relative path target covers nothing before this.
    """
    if allowance.target is None or allowance.capability not in _PATHS:
        return allowance
    return replace(allowance, target=os.path.normpath(os.path.join(root, allowance.target)))  # noqa: PTH118  text in, text out


def _covers(allowance: Allowance, touch: Touch) -> bool:
    if allowance.target is None:
        return allowance.capability is touch.capability or (
            allowance.capability is Capability.NETWORK and touch.capability is Capability.LOOPBACK
        )
    return allowance.capability is touch.capability and target_covers(
        touch.capability, allowance.target, touch.target
    )
