"""The tiers of a project that declares none: the usual folders, with what they usually need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import Allowance, Capability, Level, Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_BY_LEVEL: Mapping[Level, tuple[Capability, ...]] = {
    Level.STATIC: (Capability.READ, Capability.SUBPROCESS, Capability.TMP),
    Level.UNIT: (),
    Level.SMOKE: (Capability.TMP, Capability.LOOPBACK, Capability.SUBPROCESS, Capability.SLEEP),
    Level.E2E: (Capability.TMP, Capability.LOOPBACK, Capability.SUBPROCESS, Capability.SLEEP),
    Level.PERFORMANCE: (Capability.TMP, Capability.LOOPBACK, Capability.SLEEP),
    Level.CHAOS: (Capability.TMP, Capability.LOOPBACK, Capability.SUBPROCESS, Capability.SLEEP),
}
_OTHER_LEVELS = (Capability.TMP, Capability.LOOPBACK)


def usual_capabilities(level: Level) -> tuple[Capability, ...]:
    """Return what tests of a level usually need; never the network, and never a model."""
    return _BY_LEVEL.get(level, _OTHER_LEVELS)


def default_tiers() -> tuple[Tier, ...]:
    """Return unit, integration, e2e, live and evals, whether or not their folders exist."""
    tmp, loopback = Capability.TMP, Capability.LOOPBACK
    network, sleep = Capability.NETWORK, Capability.SLEEP
    return (
        _tier("unit", Level.UNIT, "Does one module decide rightly, with its inputs constructed?"),
        _tier(
            "integration",
            Level.INTEGRATION,
            "Do the parts work together, whatever the model says?",
            tmp,
            loopback,
        ),
        _tier(
            "e2e",
            Level.E2E,
            "Does the whole program do its job, as a user starts it?",
            tmp,
            loopback,
            Capability.SUBPROCESS,
            sleep,
        ),
        _tier(
            "live",
            Level.CONTRACT,
            "Do the real services still keep their side of the contract?",
            tmp,
            loopback,
            network,
            sleep,
            deliberate=True,
        ),
        _tier(
            "evals",
            Level.ACCEPTANCE,
            "Does the model keep its promises?",
            tmp,
            loopback,
            network,
            Capability.MODEL,
            sleep,
            Capability.READ,  # a local model's weights lie outside the project
            deliberate=True,
        ),
    )


def evals_tier(tiers: Iterable[Tier]) -> Tier:
    """Return the tier that evals belong to where no tier claims them: `evals`, or its default."""
    return next(tier for tier in (*tiers, *default_tiers()) if tier.name == "evals")


def _tier(
    name: str, level: Level, question: str, *allow: Capability, deliberate: bool = False
) -> Tier:
    return Tier(
        name=name,
        level=level,
        question=question,
        paths=(f"tests/{name}",),
        allow=tuple(Allowance(capability=capability) for capability in allow),
        deliberate=deliberate,
    )
