"""The shape of SARIF 2.1.0, whatever a result is about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tierwise.report.machine.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.report.machine.places import Place

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"


def write_log(
    *,
    version: str,
    category: str,
    rules: Sequence[Mapping[str, Any]],
    results: Sequence[Mapping[str, Any]],
    invocation: Mapping[str, Any] | None = None,
) -> str:
    """Return a log of one run in ASCII; a code host keeps what is open by `category`."""
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "tierwise", "version": version, "rules": rules}},
        "automationDetails": {"id": f"tierwise/{category}/"},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    if invocation is not None:
        run["invocations"] = [invocation]
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def write_location(place: Place | None, name: str, folder: str) -> dict[str, Any]:
    """Return where something is, as seen from the repository in which the project is a folder."""
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": one_line(name)}]}
    if place is None:
        return location
    path = place.within(folder).encode("utf-8", "backslashreplace")
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(path), "uriBaseId": _ROOT}}
    if place.line is not None:
        physical["region"] = {"startLine": place.line}
    return {"physicalLocation": physical, **location}
