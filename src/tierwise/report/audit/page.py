"""An audit as one HTML page, in the looks of the report."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tierwise.audit.as_data import slowest
from tierwise.audit.findings import KINDS
from tierwise.domain import Level
from tierwise.report.audit.lines import say_head
from tierwise.report.html.templating import open_templates, render

if TYPE_CHECKING:
    from tierwise.audit.findings import Audit

_MOST = 200
"""Of each list; the whole is in the JSON."""


def render_audit(audit: Audit, *, made_at: str, version: str) -> str:
    """Return the page."""
    sections = [
        {"id": kind.replace("_", "-"), "title": title, "findings": audit.of_kind(kind)}
        for kind, title in KINDS.items()
        if audit.of_kind(kind)
    ]
    values = {
        "title": f"{audit.project}: an audit of its tests",
        "audit": audit,
        "headline": say_head(audit).removeprefix(f"{audit.project}: "),
        "made_at": made_at,
        "version": version,
        "levels": _levels(audit),
        "sections": sections,
        "slowest": slowest(audit),
        "most": _MOST,
    }
    return render(open_templates(), "audit.html.j2", values)


def _levels(audit: Audit) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for level in (*(str(level) for level in Level), ""):
        views = [view for view in audit.tests if view.level == level]
        if views:
            rows.append(
                {
                    "level": level or "unknown",
                    "n_tests": len(views),
                    "n_beyond": sum(bool(view.beyond) for view in views),
                    "reasons": Counter(view.reason for view in views).most_common(4),
                }
            )
    return rows
