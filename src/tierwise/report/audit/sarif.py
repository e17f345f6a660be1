"""An audit as SARIF 2.1.0: each kind of finding a rule, each finding a result."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from tierwise.audit.findings import KINDS
from tierwise.report.audit.lines import say_head
from tierwise.report.audit.places import place_of
from tierwise.report.audit.rules import rule_of_kind
from tierwise.report.machine.sarif_log import write_location, write_log
from tierwise.report.machine.text import one_line, xml_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.audit.findings import Audit, Finding

_FINGERPRINT = "tierwiseAudit/v1"
_NUMBER = re.compile(r"\d+")
_GROUPED = ("failing", "skipped_here", "ci_untold", "missing_folder")
"""Kinds whose text tells findings apart: many tests of one message are one finding."""
_MOST_TESTS = 20


def write_sarif(audit: Audit, *, version: str, folder: str, is_part: bool = False) -> str:
    """Return the audit as SARIF in ASCII; `folder` is where the project is in its repository.

    `is_part`: was it of a part of the suite?
    """
    rules = [rule_of_kind(kind) for kind in KINDS]
    return write_log(
        version=version,
        category=category_of(audit) + ("-part" if is_part else ""),
        rules=rules,
        results=list(_results(audit, rules, folder)),
        invocation=_invocation(audit),
    )


def category_of(audit: Audit) -> str:
    """Return what a code host keeps findings apart by.

    What was not looked for is not found: it must not close what an audit found that looked.
    """
    if audit.run.is_recorded:
        return "audit-recorded"
    if not audit.run.is_run:
        return "audit-collected"
    return "audit-order" if audit.is_order_searched else "audit"


def _results(audit: Audit, rules: list[dict[str, Any]], folder: str) -> Iterator[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for finding in audit.findings:
        index = list(KINDS).index(finding.kind)
        fingerprint = fingerprint_of(finding)
        seen[fingerprint] += 1
        yield {
            "ruleId": rules[index]["id"],
            "ruleIndex": index,
            "level": rules[index]["defaultConfiguration"]["level"],
            "message": {"text": _say(finding)},
            "locations": [write_location(place_of(finding, audit), _name(finding), folder)],
            "partialFingerprints": {_FINGERPRINT: f"{fingerprint}:{seen[fingerprint]}"},
        }


def _name(finding: Finding) -> str:
    return one_line(finding.subject) or finding.kind


def _say(finding: Finding) -> str:
    text = f"{KINDS[finding.kind]}: {one_line(finding.subject)}: {xml_text(finding.text)}"
    if finding.tests and finding.tests != (finding.subject,):
        named = "\n".join(one_line(name) for name in finding.tests[:_MOST_TESTS])
        more = len(finding.tests) - _MOST_TESTS
        text += f"\n\nTests:\n{named}" + (f"\nand {more:,} more" if more > 0 else "")
    return text


def fingerprint_of(finding: Finding) -> str:
    """Return a hash of what stays: neither lines, nor how many tests there are."""
    subject, text = finding.subject, ""
    if finding.kind in _GROUPED:
        text = _NUMBER.sub("#", finding.text)
    if finding.kind in ("failing", "skipped_here") and "::" not in subject:
        subject = ""
    if finding.kind == "exit_hang":
        subject = _NUMBER.sub("#", subject)
    kept = f"{finding.kind}\0{subject}\0{text}".encode("utf-8", "backslashreplace")
    return hashlib.sha256(kept).hexdigest()[:32]


def _invocation(audit: Audit) -> dict[str, Any]:
    is_whole = audit.run.is_complete and not audit.order_unfinished
    said = [] if is_whole else [_notification("error", one_line(say_head(audit)))]
    said += [
        _notification("note", f"Not looked for: {one_line(entry)}")
        for entry in audit.not_looked_for
    ]
    return {"executionSuccessful": is_whole, "toolExecutionNotifications": said}


def _notification(level: str, text: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": text}}
