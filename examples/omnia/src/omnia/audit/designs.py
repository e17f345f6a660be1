"""The same evening on two designs: as it was, and as it is now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omnia.architect import show_cause, show_raw_reason
from omnia.audit.canaries import plant_canaries
from omnia.audit.flow import run_scripted_evening
from tierwise.domain import Verdict
from tierwise.leaks import audit_context

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omnia.architect import ShowReason
    from omnia.core import World
    from tierwise.leaks import ContextAudit


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A way to show a validator's reason, and what the audit has to say of it."""

    name: str
    says: str
    show_reason: ShowReason
    expected: Verdict


DESIGNS: Final = (
    Design(
        name="original",
        says="the validator's own words are shown to those who see the action fail",
        show_reason=show_raw_reason,
        expected=Verdict.REFUTED,
    ),
    Design(
        name="fixed",
        says="they are shown a sentence from a closed list",
        show_reason=show_cause,
        expected=Verdict.PROVEN,
    ),
)


async def audit_design(world: World, show_reason: ShowReason) -> ContextAudit:
    """Return what the audit says of a scripted evening in this world under this design."""
    planted, secrets = plant_canaries(world)
    recording = await run_scripted_evening(planted, secrets, show_reason)
    return audit_context(recording, secrets)


def is_as_expected(audits: Iterable[tuple[Design, ContextAudit]]) -> bool:
    """Return whether each design got the verdict that it deserves; without designs, no."""
    verdicts = [audit.verdict is design.expected for design, audit in audits]
    return bool(verdicts) and all(verdicts)
