"""The oldest engines that a project accepts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tierwise.config.section import Section, text
from tierwise.errors import FloorError

if TYPE_CHECKING:
    from collections.abc import Mapping

# The release part of a version, and whether something older than the release follows it.
_VERSION = re.compile(
    r"v?(\d+(?:\.\d+)*)[-_.]?((?:a|b|rc|alpha|beta|pre|preview|dev)\d*)?", re.IGNORECASE
)


def parse_floors(section: Section) -> dict[str, str]:
    """Return `engine -> oldest version`, each version readable."""
    floors = {name: text(section, name) for name in section.values}
    for name, version in floors.items():
        if not re.fullmatch(r"\d+(\.\d+)*", version):
            raise section.refuse(
                f"{name} is {version!r}, expected a version of numbers and dots such as '3.11'."
            )
    return floors


def check_floors(floors: Mapping[str, str], found: Mapping[str, str | None]) -> None:
    """Raise FloorError for the first engine that is missing or older than its floor.

    `found` holds the version of each engine in `floors`; None when it is not installed.
    """
    for name, floor in floors.items():
        version = found[name]
        where = f"pyproject.toml, [tool.tierwise.floors]: {name} {floor} or newer is required"
        if version is None:
            raise FloorError(f"{where}, and {name} is not installed.")
        if is_older(version, floor):
            raise FloorError(
                f"{where}, and {version} is installed. Upgrade it, or lower the floor."
            )


def is_older(version: str, floor: str) -> bool:
    """Tell whether `version` is before `floor`; a pre-release is, and so is the unreadable."""
    match = _VERSION.match(version)
    if match is None:
        return True
    release, wanted = _padded(match[1], floor), _padded(floor, match[1])
    return release < wanted or (release == wanted and match[2] is not None)


def _padded(version: str, other: str) -> tuple[int, ...]:
    parts = tuple(int(part) for part in version.split("."))
    return parts + (0,) * (other.count(".") + 1 - len(parts))
