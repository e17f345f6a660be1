"""`[tool.tierwise.tiers.*]` as tiers, and the rules that tiers keep."""

from __future__ import annotations

import keyword
import re
from typing import TYPE_CHECKING

from tierwise.config.allowances import parse_allowance
from tierwise.config.section import Section, check_keys, flag, table, text, texts
from tierwise.domain import Capability, Level, Tier
from tierwise.errors import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.domain import Allowance

_KEYS = ("question", "level", "paths", "allow", "deliberate")
_COSTLY = frozenset({Capability.NETWORK, Capability.MODEL})
# Each tier is a marker too; these words mean something else on a test.
_TAKEN = frozenset(
    {
        "allow",
        "anyio",
        "asyncio",
        "filterwarnings",
        "parametrize",
        "requires_secret",
        "skip",
        "skipif",
        "subject",
        "tier",
        "timeout",
        "unplaced",
        "usefixtures",
        "xfail",
    }
)


def parse_tiers(section: Section) -> tuple[Tier, ...]:
    """Return the tiers that `[tool.tierwise.tiers]` declares, in the order of the file."""
    tiers = tuple(_parse_tier(section, name) for name in section.values)
    _check_shared_paths(section, tiers)
    return tiers


def _parse_tier(parent: Section, name: str) -> Tier:
    _check_name(parent, name)
    section = table(parent, name) or Section(name=f"{parent.name}.{name}", values={})
    check_keys(section, _KEYS)
    allow = parse_allow(section)
    deliberate = flag(section, "deliberate")
    _check_deliberate(section, allow, deliberate=deliberate)
    return Tier(
        name=name,
        level=_level(section, name),
        question=text(section, "question"),
        paths=tuple(_clean_path(section, p) for p in texts(section, "paths", (f"tests/{name}",))),
        allow=allow,
        deliberate=deliberate,
    )


def parse_allow(section: Section) -> tuple[Allowance, ...]:
    """Return what the section's `allow` list permits."""
    where = f"pyproject.toml, [{section.name}], allow"
    return tuple(parse_allowance(entry, where) for entry in texts(section, "allow"))


def _check_name(section: Section, name: str) -> None:
    if name in _TAKEN:
        raise section.refuse(f"{name!r} is a mark already; call the tier something else.")
    if not name.isidentifier() or keyword.iskeyword(name):
        fitting = re.sub(r"\W+", "_", name).strip("_")
        usable = fitting.isidentifier() and not keyword.iskeyword(fitting)
        hint = fitting if usable else f"{fitting}_tier"
        raise section.refuse(
            f"the tier name {name!r} cannot be a marker. Expected letters, digits and "
            f"underscores, such as {hint!r}."
        )


def _level(section: Section, name: str) -> Level:
    levels = [str(level) for level in Level]
    if "level" not in section.values and name not in levels:
        raise section.refuse(f"level is missing.{suggest(name, levels)}")
    value = text(section, "level", name)
    if value not in levels:
        raise section.refuse(f"level is {value!r}.{suggest(value, levels)}")
    return Level(value)


def _check_deliberate(section: Section, allow: Iterable[Allowance], *, deliberate: bool) -> None:
    costly = [entry for entry in allow if entry.capability in _COSTLY]
    if costly and not deliberate:
        raise section.refuse(
            f"the tier allows '{costly[0]}' and runs by default, so that a bare pytest could "
            "spend money. Add deliberate = true, or take the allowance out."
        )


def _clean_path(section: Section, path: str) -> str:
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    if not parts or ".." in parts or path.startswith("/") or ":" in parts[0]:
        raise section.refuse(
            f"paths holds {path!r}, expected a path or pattern below the project's root, "
            "such as 'tests/unit' or 'packages/*/tests'."
        )
    return "/".join(parts)


def _check_shared_paths(section: Section, tiers: Iterable[Tier]) -> None:
    owners: dict[str, str] = {}
    for tier in tiers:
        for path in tier.paths:
            if owners.setdefault(path, tier.name) != tier.name:
                raise section.refuse(
                    f"{path!r} is claimed by the tiers {owners[path]!r} and {tier.name!r}. "
                    "A test has one tier: give the path to one of them."
                )
