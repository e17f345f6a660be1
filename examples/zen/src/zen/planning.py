"""One request, decided from a row of the catalogue and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zen.protocols import body_of, key_headers, path_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from zen.catalogue import Row
    from zen.protocols import Protocol

VERSION = "0.1.0"
PUBLIC_KEY = "public"
"""What a free model is asked with: the account of the user's is not needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is sent, and where."""

    family: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class MissingKeyError(ValueError):
    """A paid model was asked for without a key."""


def choose_key(row: Row, key: str | None) -> str:
    """Return the key that a row is asked with; an empty one is none."""
    if row.is_free:
        return PUBLIC_KEY
    if key is None or not key.strip():
        raise MissingKeyError(f"{row.key} is paid for, and no key is set: set ZEN_KEY.")
    return key.strip()


def plan_request(
    row: Row, prompt: str, key: str | None, *, protocol: Protocol | None = None
) -> Plan:
    """Return the request for one answer, in the row's own protocol unless another is forced."""
    spoken = protocol or row.protocol
    return Plan(
        family=spoken.family,
        path=path_of(spoken, row.id),
        headers={
            **key_headers(spoken, choose_key(row, key)),
            "user-agent": f"zen/{VERSION}",
            "x-zen-plane": row.plane,
        },
        body=body_of(spoken, row.id, prompt),
    )
