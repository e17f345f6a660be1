"""Places and the portals between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from omnia.core.bag import FactBag
from omnia.core.ids import require_id

WIDE_OPEN: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """A way from one place to another, and how much sight and sound pass it: 0 to 10.

    `state` is text for a reader ("closed", "ajar"); only the two numbers have a meaning.
    """

    target_id: str
    name: str = ""
    state: str = ""
    vision: int = WIDE_OPEN
    sound: int = WIDE_OPEN
    bidirectional: bool = True

    def __post_init__(self) -> None:
        """Refuse numbers outside 0 to 10."""
        for channel, level in (("vision", self.vision), ("sound", self.sound)):
            if isinstance(level, bool) or not isinstance(level, int):
                raise TypeError(f"{channel} of a portal is a whole number; got {level!r}")
            if not 0 <= level <= WIDE_OPEN:
                raise ValueError(f"{channel} of a portal is 0 to {WIDE_OPEN}; got {level}")


@dataclass(slots=True, kw_only=True)
class Location:
    """A place with facts, portals, and perhaps a larger place that contains it."""

    id: str
    parent_id: str | None = None
    facts: FactBag = field(default_factory=FactBag)
    portals: tuple[Portal, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an id that no tag or table could hold."""
        require_id(self.id)

    def copy(self) -> Location:
        """Return a place that shares no facts with this one."""
        return Location(
            id=self.id, parent_id=self.parent_id, facts=self.facts.copy(), portals=self.portals
        )
