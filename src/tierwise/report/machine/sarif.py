"""Findings as SARIF 2.1.0, which code hosts show beside the code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tierwise.report.machine.findings import list_findings
from tierwise.report.machine.sarif_log import write_location, write_log
from tierwise.report.machine.text import xml_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.report.machine.findings import Finding
    from tierwise.report.machine.values import Facts

_FINGERPRINT = "tierwiseViolation/v1"
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def write_sarif(facts: Facts, *, pages: Mapping[str, str], site: str) -> str:
    """Return the violations as SARIF in ASCII.

    `pages` are the documents of errors by slug; `site` is where they can be read, "" when that
    is not known.
    """
    findings = list_findings(facts)
    slugs = sorted({finding.slug for finding in findings})
    return write_log(
        version=facts.origin.tierwise,
        category="violations",
        rules=[rule_of(slug, pages.get(slug, ""), site) for slug in slugs],
        results=[_result(finding, slugs, folder=facts.origin.folder) for finding in findings],
    )


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
        "locations": [write_location(finding.place, finding.subject, folder)],
        "partialFingerprints": {_FINGERPRINT: finding.fingerprint},
        "occurrenceCount": finding.n_times,
    }
