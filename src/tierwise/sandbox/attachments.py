"""ATTACH has no audit event: an authorizer on each connection sees it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tierwise.domain import Capability, Mode, Touch
from tierwise.sandbox.judge import find_violation
from tierwise.sandbox.policy import forbids
from tierwise.sandbox.slot import owner_here
from tierwise.sandbox.sqlite_files import classify_database

if TYPE_CHECKING:
    from tierwise.sandbox.world import World

_OK, _DENY, _ATTACH = 0, 1, 24
"""Values of SQLite's own interface, so that sqlite3 need not be imported here."""


def watch_attachments(_event: str, args: tuple[Any, ...], _world: World) -> tuple[Touch, ...]:
    """Put an authorizer on a new connection whose owner may not use every file."""
    owner = owner_here()
    probes = (Touch(capability=each, target="*") for each in (Capability.TMP, Capability.WRITE))
    if owner is not None and any(forbids(owner.policy, probe) for probe in probes):
        args[0].set_authorizer(authorize)
    return ()


def authorize(action: int, database: str | None, *_more: str | None) -> int:
    """Judge ATTACH (and VACUUM INTO, which is one inside) by who acts now; allow all else.

    An exception in an authorizer is only printed, so an enforced violation is recorded here and
    SQLite refuses the statement with an error of its own.
    """
    if action != _ATTACH:
        return _OK
    owner = owner_here()
    if owner is None:
        return _OK
    denied = False
    for touch in classify_database("sqlite3.attach", (database,), owner.world):
        violation = find_violation(owner, touch, sys._getframe(1))  # noqa: SLF001  who executed the statement
        if violation is not None:
            owner.ledger.record(violation)
            denied = owner.policy.mode is Mode.ENFORCE
    return _DENY if denied else _OK
