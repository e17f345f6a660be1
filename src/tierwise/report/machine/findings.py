"""What a scanner of code would call findings: for now the forbidden touches of tests."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tierwise.report.machine.places import Place, place_of_violation
from tierwise.report.machine.text import one_line
from tierwise.sandbox import explain, slug_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.domain import Tier, Violation
    from tierwise.report.machine.values import Facts, TestEntry

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding, with all that a scanner's report says of it."""

    slug: str
    """Names its rule and the page that explains it."""
    claim: str
    """What was done and why it is wrong, in one line."""
    text: str
    """The same with the ways out."""
    place: Place | None
    subject: str
    fingerprint: str
    """The same in each run for the same fault, also when lines move."""
    n_times: int = 1


def list_findings(facts: Facts) -> tuple[Finding, ...]:
    """Return each violation of each test once, with how often it was made."""
    found: dict[str, Finding] = {}
    for test in facts.tests:
        for violation in test.violations:
            one = _finding_of(violation, test, facts.tiers)
            known = found.get(one.fingerprint)
            found[one.fingerprint] = replace(known, n_times=known.n_times + 1) if known else one
    return tuple(found.values())


def _finding_of(violation: Violation, test: TestEntry, tiers: Sequence[Tier]) -> Finding:
    shown = replace(
        violation,
        stack=(),
        subject=one_line(violation.subject),
        target=one_line(violation.target),
        tier=None if violation.tier is None else one_line(violation.tier),
    )
    text = explain(
        shown,
        deliberate_tiers=[tier.name for tier in tiers if tier.deliberate],
        allow=[entry for tier in tiers if tier.name == violation.tier for entry in tier.allow],
    )
    slug = slug_of(violation.capability)
    place = place_of_violation(violation, test)
    return Finding(
        slug=slug,
        claim=text.partition("\n")[0].removeprefix(slug.upper()).strip(),
        text=text,
        place=place,
        subject=test.nodeid,
        fingerprint=fingerprint_of(violation, test.nodeid, place),
    )


def fingerprint_of(violation: Violation, nodeid: str, place: Place | None) -> str:
    """Return a hash of what stays: ports, process ids and lines of code change from run to run."""
    parts = (
        str(violation.capability),
        violation.event,
        _NUMBER.sub("#", violation.target),
        nodeid,
        place.path if place else "",
        place.function if place else "",
    )
    kept = "\0".join(parts).encode("utf-8", "backslashreplace")
    return hashlib.sha256(kept).hexdigest()[:32]
