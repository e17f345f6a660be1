"""What two requests have in common: with whose key they came, where they went, what they say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.doubles.gateway.journal import Entry

_KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")
_OUT_OF_QUOTA = "insufficient_quota"


def find_credentials(entry: Entry) -> tuple[str | None, ...]:
    """Return with whose key a request came; only to be compared, never to be shown."""
    headers = {name.lower(): value for name, value in entry.raw.headers.items()}
    return (*(headers.get(name) for name in _KEY_HEADERS), entry.raw.query.get("key"))


def is_limited_alike(entry: Entry, other: Entry) -> bool:
    """Tell whether two requests count towards the same limit: one key's, for one model."""
    return (
        (entry.vendor, entry.host, entry.model) == (other.vendor, other.host, other.model)
        and bool(entry.model)
        and find_credentials(entry) == find_credentials(other)
    )


def is_asked_elsewhere(entry: Entry, other: Entry) -> bool:
    """Tell whether `other` puts the same to another model, vendor, host or endpoint."""
    places = [(one.vendor, one.host, one.path, one.model) for one in (entry, other)]
    if places[0] == places[1] or entry.raw_asked is None or other.raw_asked is None:
        return False
    # Ids of calls, and where the system's word stands, are each vendor's own.
    said = [
        (one.system, [(turn.role, turn.text) for turn in one.turns if turn.role != "system"])
        for one in (entry.raw_asked, other.raw_asked)
    ]
    return said[0] == said[1]


def is_out_of_quota(entry: Entry) -> bool:
    """Tell whether the vendor said that the account is used up: no wait mends that."""
    if _OUT_OF_QUOTA.encode() not in entry.response.body:
        return False
    try:
        error = json.loads(entry.response.body)["error"]
        return _OUT_OF_QUOTA in (error.get("code"), error.get("type"))
    except (ValueError, LookupError, TypeError, AttributeError):
        return False
