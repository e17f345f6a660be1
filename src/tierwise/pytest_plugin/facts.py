"""What travels with a report, as plain JSON: a worker may be gone when it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from tierwise.domain import Capability, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.pytest_plugin.placing import Placement


class ViolationFacts(TypedDict):
    """A violation as JSON."""

    capability: str
    target: str
    subject: str
    tier: str | None
    stack: list[str]
    event: str


class ClauseFacts(TypedDict):
    """Which clause of a contract a test tried, and on what."""

    contract: str
    declared_by: str
    clause: str
    implementation: str


class SideFacts(TypedDict):
    """One implementation that a contract is tried on."""

    name: str
    is_real: bool
    double_of: str | None


class DeclaredFacts(TypedDict):
    """A contract as one class or module tries it."""

    contract: str
    declared_by: str
    clauses: list[str]
    implementations: list[SideFacts]


class LiveFacts(TypedDict, total=False):
    """What a live test says of itself: whom it asks, and which candidate it used."""

    subject: str
    floor: float
    notes: list[str]


class LeftFacts(TypedDict):
    """A piece of process state that a test, or a wider fixture, did not put back."""

    watcher: str
    owner: str
    before: str
    after: str
    action: str
    subject: str


class GapFacts(TypedDict):
    """What a strict xfail says of its test."""

    reason: str
    ticket: str
    is_over: bool


class Facts(TypedDict, total=False):
    """What `report.tierwise` holds; a worker sends the tier with the setup report of each test."""

    tier: str | None
    level: str | None
    allowed: list[str]
    violations: list[ViolationFacts]
    misuse: bool
    clause: ClauseFacts
    live: LiveFacts
    requirements: list[str]
    gap: GapFacts
    left: list[LeftFacts]


def facts_of_placement(placement: Placement) -> Facts:
    """Return a test's tier, level and own allowances."""
    tier = placement.tier
    facts: Facts = {
        "tier": tier.name if tier else None,
        "level": str(tier.level) if tier else None,
    }
    if placement.extra:
        facts["allowed"] = [f"{entry} ({entry.reason})" for entry in placement.extra]
    return facts


def violations_to_json(violations: Iterable[Violation]) -> list[ViolationFacts]:
    """Return the violations as JSON."""
    return [
        {
            "capability": str(violation.capability),
            "target": violation.target,
            "subject": violation.subject,
            "tier": violation.tier,
            "stack": list(violation.stack),
            "event": violation.event,
        }
        for violation in violations
    ]


def violations_from_json(facts: Mapping[str, object]) -> tuple[Violation, ...]:
    """Return the violations that a report brought."""
    found = facts.get("violations", [])
    return tuple(
        Violation(
            capability=Capability(entry["capability"]),
            target=entry["target"],
            subject=entry["subject"],
            tier=entry["tier"],
            stack=tuple(entry["stack"]),
            event=entry["event"],
        )
        for entry in (found if isinstance(found, list) else [])
    )
