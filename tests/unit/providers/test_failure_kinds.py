"""The table of failure kinds: who is at fault, what is retried, how a trial ends."""

from __future__ import annotations

import pytest

from tierwise.domain import Outcome
from tierwise.providers import Failure, FailureKind

ERROR, UNOBSERVABLE, SCORED = Outcome.ERROR, Outcome.UNOBSERVABLE, None
TABLE = {
    "malformed": (False, SCORED),
    "schema_mismatch": (False, SCORED),
    "refused": (False, SCORED),
    "cut_off": (False, SCORED),
    "garbled": (True, ERROR),
    "timeout": (True, ERROR),
    "unavailable": (True, ERROR),
    "busy": (True, UNOBSERVABLE),
    "retired": (False, UNOBSERVABLE),
    "no_entitlement": (False, UNOBSERVABLE),
    "not_found": (False, UNOBSERVABLE),
    "auth": (False, ERROR),
    "bad_request": (False, ERROR),
    "exhausted": (False, ERROR),
}


def test_the_table_names_every_kind() -> None:
    """No kind of failure is without a row."""
    assert {kind.value for kind in FailureKind} == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_a_row(name: str) -> None:
    """Each kind is retried, scored and counted as its row says."""
    retried, outcome = TABLE[name]
    kind = FailureKind(name)
    assert Failure(kind=kind, message="m").retryable is retried
    assert kind.outcome is outcome
    assert kind.is_scored is (outcome is SCORED)
