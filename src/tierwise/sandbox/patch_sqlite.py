"""ATTACH has no audit event: an authorizer on each new connection sees it."""
# ruff: noqa: ANN401 - a stand-in takes and returns whatever the original does

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tierwise.domain import Capability, Mode, Touch
from tierwise.sandbox.judge import find_violation
from tierwise.sandbox.patching import Patch, StandIn, replace_function
from tierwise.sandbox.policy import forbids
from tierwise.sandbox.slot import owner_here
from tierwise.sandbox.sqlite_files import classify_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from sqlite3 import Connection

_OK, _DENY, _ATTACH = 0, 1, 24
"""Values of SQLite's own interface."""


def install() -> Iterable[Patch | None]:
    """Patch sqlite3.connect: the event for a new connection comes before it can be set up."""
    try:
        import sqlite3  # noqa: PLC0415  absent from some builds of Python
    except ImportError:
        return
    for module in (sqlite3, sqlite3.dbapi2):
        yield replace_function(module, "connect", _watch_connect)


def _watch_connect(original: Callable[..., Connection]) -> StandIn:
    def connect(*args: Any, **kwargs: Any) -> Connection:
        connection = original(*args, **kwargs)
        if _is_watched():
            connection.set_authorizer(authorize)
        return connection

    return StandIn(original, connect)


def _is_watched() -> bool:
    """Is there any database file that whoever acts may not use?"""
    owner = owner_here()
    probes = (Touch(capability=each, target="*") for each in (Capability.TMP, Capability.WRITE))
    return owner is not None and any(forbids(owner.policy, probe) for probe in probes)


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
