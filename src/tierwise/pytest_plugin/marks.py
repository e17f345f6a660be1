"""What the marks `tier` and `allow` say, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.config import parse_allowance
from tierwise.domain import Capability
from tierwise.errors import ConfigError, MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.config import Config
    from tierwise.domain import Allowance, Tier

_COSTLY = frozenset({Capability.NETWORK, Capability.MODEL})

MARK_LINES = (
    "tier(name): place the test in this tier, whatever its path (tierwise)",
    'allow(capability, ..., reason="..."): let this test touch more than its tier may (tierwise)',
    "requires_secret(name, ...): unobservable unless these variables hold a secret (tierwise)",
    "requirement(id, ...): this test is evidence for these requirements (tierwise)",
    "subject(name, floor=...): ask that a share of this subject's tests see it (tierwise)",
)


def find_tier(config: Config, name: str, where: str) -> Tier:
    """Return the tier of that name; ConfigError names the closest and all others."""
    for tier in config.tiers:
        if tier.name == name:
            return tier
    if not config.tiers:
        raise ConfigError(
            f"{where}: there is no tier {name!r}, since this project declares no tiers. "
            "Write a [tool.tierwise] table into pyproject.toml: tierwise init does it for you."
        )
    raise ConfigError(f"{where}: there is no tier {name!r}.{suggest(name, names_of(config))}")


def names_of(config: Config) -> tuple[str, ...]:
    """Return the names of all tiers."""
    return tuple(tier.name for tier in config.tiers)


def tier_of_mark(
    config: Config, args: Sequence[object], kwargs: Mapping[str, object], where: str
) -> Tier:
    """Return the tier that `@pytest.mark.tier(...)` names."""
    if len(args) != 1 or kwargs or not isinstance(args[0], str):
        raise MisuseError(
            f"{where}: mark.tier takes one name, such as @pytest.mark.tier("
            f'"{config.tiers[0].name if config.tiers else "unit"}").'
        )
    return find_tier(config, args[0], f"{where}, mark.tier")


def allowances_of_mark(
    args: Sequence[object], kwargs: Mapping[str, object], where: str
) -> tuple[Allowance, ...]:
    """Return what `@pytest.mark.allow(..., reason="...")` permits."""
    unknown = [key for key in kwargs if key != "reason"]
    if unknown:
        raise MisuseError(
            f"{where}: mark.allow has no argument {unknown[0]!r}.{suggest(unknown[0], ['reason'])}"
        )
    if not args or not all(isinstance(entry, str) for entry in args):
        raise MisuseError(
            f"{where}: mark.allow takes capabilities as strings, such as "
            '@pytest.mark.allow("tmp", reason="why this test needs it").'
        )
    return tuple(
        parse_allowance(str(entry), f"{where}, mark.allow", reason=_reason(kwargs, where))
        for entry in args
    )


def check_not_costly(tier: Tier | None, allowances: Sequence[Allowance], where: str) -> None:
    """Raise MisuseError when a test of the default run is allowed the network or a model."""
    if tier is not None and tier.deliberate:
        return
    for allowance in allowances:
        if allowance.capability in _COSTLY:
            raise MisuseError(
                f"{where}: mark.allow gives '{allowance}' to a test of "
                f"{'no tier' if tier is None else f'the tier {tier.name!r}'}, which runs by "
                "default, so that a bare pytest could spend money. Move the test to a deliberate "
                "tier, by its folder or by @pytest.mark.tier."
            )


def _reason(kwargs: Mapping[str, object], where: str) -> str:
    reason = kwargs.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise MisuseError(
            f"{where}: mark.allow has no reason. The map shows it beside the allowance: "
            'reason="why this test needs it".'
        )
    return reason
