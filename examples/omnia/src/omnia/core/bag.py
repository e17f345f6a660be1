"""The facts about one thing, each with its own list of viewers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnia.core.attributes import Attribute, Known, Visibility

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NOTHING_PERCEIVABLE = "(No perceivable attributes)"


class FactError(ValueError):
    """A fact is added twice, or asked for where there is none."""


class FactBag:
    """Facts by name, in the order they were added. New facts are private, known to nobody.

    Code that builds a prompt for a viewer uses `visible_for` alone. What the system needs to
    see whole is spelled `system_...`, so that a rule over the syntax tree can tell them apart.
    """

    __slots__ = ("_attributes",)

    def __init__(self, attributes: Iterable[Attribute] = ()) -> None:
        self._attributes: dict[str, Attribute] = {}
        for attribute in attributes:
            self._put(attribute)

    def add(
        self,
        name: str,
        value: str,
        *,
        visibility: Visibility = Visibility.PRIVATE,
        allowed: Iterable[str] = (),
    ) -> None:
        """Add a fact; refuse a name that is taken. `allowed` means nothing on a public one."""
        self._put(Attribute(name, value, visibility=visibility, allowed=allowed))

    def remove(self, name: str) -> None:
        """Forget a fact together with its list; refuse a name that is not there."""
        self.system_attribute(name)
        del self._attributes[name]

    def visible_for(self, viewer: str) -> list[Known]:
        """Return what the viewer may know, in the order it was added."""
        return [a.known() for a in self._attributes.values() if a.has_access(viewer)]

    def describe_for(self, viewer: str) -> str:
        """Return one line for each fact that the viewer may know."""
        lines = [f"* {known}" for known in self.visible_for(viewer)]
        return "\n".join(lines) or NOTHING_PERCEIVABLE

    def system_attribute(self, name: str) -> Attribute:
        """Return the fact itself, whoever may know it; refuse a name that is not there."""
        if name not in self._attributes:
            known = ", ".join(self._attributes) or "none"
            raise FactError(f"there is no attribute {name!r}; there are: {known}")
        return self._attributes[name]

    def system_all(self) -> Iterator[Attribute]:
        """Iterate over every fact, whoever may know it."""
        yield from tuple(self._attributes.values())

    def __contains__(self, name: str) -> bool:
        """Return whether there is a fact of exactly that name."""
        return name in self._attributes

    def copy(self) -> FactBag:
        """Return a bag that shares neither facts nor lists with this one."""
        return FactBag(attribute.copy() for attribute in self._attributes.values())

    def _put(self, attribute: Attribute) -> None:
        if attribute.name in self._attributes:
            raise FactError(f"attribute {attribute.name!r} already exists; remove it first")
        self._attributes[attribute.name] = attribute
