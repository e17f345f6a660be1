"""One fact, and who may know it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from omnia.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable


class Visibility(StrEnum):
    """Who may know a fact: everybody, or those on its list."""

    PUBLIC = "PUBLIC"
    PRIVATE = "PRIVATE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A fact as its viewer sees it: no visibility, no list, and no way back to either."""

    name: str
    text: str

    def __str__(self) -> str:
        """Return `name: text` on one line."""
        return f"{one_line(self.name)}: {one_line(self.text)}"


class Attribute:
    """A named fact with a list of viewers.

    Nobody is an exception, the owner included: an entity may not know its own private fact
    (amnesia, a sleeper agent) until it is granted.
    """

    __slots__ = ("_allowed", "_name", "_value", "_visibility")

    def __init__(
        self,
        name: str,
        value: str,
        *,
        visibility: Visibility = Visibility.PRIVATE,
        allowed: Iterable[str] = (),
    ) -> None:
        if not name.strip():
            raise ValueError(f"an attribute needs a name; got {name!r}")
        self._name = name
        self._visibility = visibility
        # A dict keeps the order of grants, which the system's view prints.
        self._allowed = dict.fromkeys(allowed) if visibility is Visibility.PRIVATE else {}
        self.value = value

    @property
    def name(self) -> str:
        """The name, fixed for life."""
        return self._name

    @property
    def value(self) -> str:
        """The raw value: for the system only, never for a prompt that speaks to a viewer."""
        return self._value

    @value.setter
    def value(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"attribute {self._name!r} holds text; got {type(value).__name__}")
        self._value = value

    @property
    def visibility(self) -> Visibility:
        """PUBLIC or PRIVATE."""
        return self._visibility

    def allowed(self) -> tuple[str, ...]:
        """Return those on the list, in the order of their grants; later grants don't show."""
        return tuple(self._allowed)

    def has_access(self, viewer: str) -> bool:
        """Return whether the viewer may know this fact."""
        return self._visibility is Visibility.PUBLIC or viewer in self._allowed

    def grant(self, viewer: str) -> bool:
        """Put a viewer on the list of a private fact; return whether that changed anything."""
        if self._visibility is Visibility.PUBLIC or viewer in self._allowed:
            return False
        self._allowed[viewer] = None
        return True

    def revoke(self, viewer: str) -> bool:
        """Take a viewer off the list; return whether that changed anything."""
        if viewer not in self._allowed:
            return False
        del self._allowed[viewer]
        return True

    def make_public(self) -> None:
        """Let everybody know. The list is emptied: a save and a reload could not keep it."""
        self._visibility = Visibility.PUBLIC
        self._allowed.clear()

    def make_private(self) -> None:
        """Let nobody know; former grants are forgotten."""
        self._visibility = Visibility.PRIVATE
        self._allowed.clear()

    def known(self) -> Known:
        """Return the fact as a viewer with access sees it."""
        return Known(name=self._name, text=self._value)

    def describe_for_system(self) -> str:
        """Return name, value, visibility and list on one line."""
        line = f"{self.known()} (Visibility: {self._visibility})"
        if self._allowed:
            line += f" (Visible to: {', '.join(self._allowed)})"
        return line

    def copy(self) -> Attribute:
        """Return an attribute that shares nothing with this one."""
        return Attribute(
            self._name, self._value, visibility=self._visibility, allowed=self._allowed
        )
