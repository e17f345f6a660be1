"""`[tool.tierwise.live]`: how much a live run has to see, and where its walks begin."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from tierwise.config.model import LiveConfig
from tierwise.config.section import Section, check_keys, share, texts, whole_number
from tierwise.errors import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable

_USUAL = "live"


def parse_live(section: Section | None, tiers: Iterable[str]) -> LiveConfig:
    """Return what the table says, for a project with these tiers; None is no table at all.

    Unless it names others, a tier called `live` is the one that is watched.
    """
    known = tuple(tiers)
    usual = tuple(name for name in known if name == _USUAL)
    if section is None:
        return LiveConfig(tiers=usual)
    check_keys(section, (field.name for field in fields(LiveConfig)))
    watched = texts(section, "tiers", usual)
    for name in watched:
        if name not in known:
            raise section.refuse(f"tiers holds {name!r}.{suggest(name, known)}")
    has_rotation = "rotation" in section.values
    return LiveConfig(
        floor=share(section, "floor"),
        tiers=watched,
        rotation=(
            whole_number(section, "rotation", default=0, at_least=0) if has_rotation else None
        ),
    )
