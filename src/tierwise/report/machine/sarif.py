"""Findings as SARIF 2.1.0, which code hosts show beside the code."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tierwise.report.machine.findings import list_findings
from tierwise.report.machine.text import one_line, xml_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.report.machine.findings import Finding
    from tierwise.report.machine.values import Facts

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_FINGERPRINT = "tierwiseViolation/v1"
_ROOT = "%SRCROOT%"
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def write_sarif(facts: Facts, *, pages: Mapping[str, str], site: str) -> str:
    """Return the violations as SARIF in ASCII.

    `pages` are the documents of errors by slug; `site` is where they can be read, "" when that
    is not known.
    """
    findings = list_findings(facts)
    slugs = sorted({finding.slug for finding in findings})
    run = {
        "tool": {
            "driver": {
                "name": "tierwise",
                "version": facts.origin.tierwise,
                "rules": [rule_of(slug, pages.get(slug, ""), site) for slug in slugs],
            }
        },
        "automationDetails": {"id": "tierwise/violations/"},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, slugs, folder=facts.origin.folder) for finding in findings],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def rule_of(slug: str, page: str, site: str) -> dict[str, Any]:
    """Return the rule of an error: what its page says, and where that page is."""
    # A link to a neighbour leads nowhere from where a code host shows the page.
    title, _, text = _LINK.sub(r"\1", page).partition("\n")
    rule: dict[str, Any] = {
        "id": slug.upper(),
        "name": "".join(part.capitalize() for part in slug.split("-")),
        "shortDescription": {"text": title.partition(": ")[2] or slug},
        "defaultConfiguration": {"level": "error"},
    }
    more = f"Read it again with: `tierwise explain {slug}`"
    said = f"{text.strip()}\n\n{more}" if text.strip() else more
    rule["help"] = {"text": said, "markdown": said}
    if site:
        rule["helpUri"] = f"{site.rstrip('/')}/errors/{slug}.html"
    return rule


def _result(finding: Finding, slugs: Sequence[str], *, folder: str) -> dict[str, Any]:
    return {
        "ruleId": finding.slug.upper(),
        "ruleIndex": slugs.index(finding.slug),
        "level": "error",
        "message": {"text": xml_text(finding.text)},
        "locations": [_location(finding, folder)],
        "partialFingerprints": {_FINGERPRINT: finding.fingerprint},
        "occurrenceCount": finding.n_times,
    }


def _location(finding: Finding, folder: str) -> dict[str, Any]:
    place = finding.place
    name = one_line(finding.subject)
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": name}]}
    if place is None:
        return location
    path = place.within(folder).encode("utf-8", "backslashreplace")
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(path), "uriBaseId": _ROOT}}
    if place.line is not None:
        physical["region"] = {"startLine": place.line}
    return {"physicalLocation": physical, **location}
