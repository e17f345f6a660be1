"""Attributes of first-party classes."""

from __future__ import annotations

import gc
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.state.asking import is_of
from tierwise.sandbox.state.looking import Looker
from tierwise.sandbox.state.places import Place, is_dunder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.sandbox.state.packages import FirstParty
    from tierwise.sandbox.state.watcher import Watcher


def watch_classes(first_party: FirstParty, *, thorough: bool) -> Watcher:
    """Return the watcher of class attributes."""
    return Looker(
        watcher="classes",
        find_roots=first_party.modules,
        find_places=_find_places,
        thorough=thorough,
    ).watch()


def _find_places(name: str, module: object) -> list[Place]:
    assert isinstance(module, ModuleType)  # noqa: S101  the roots are modules
    return [
        Place(
            owner=f"{name}.{kind.__qualname__}",
            holder=kind,
            names=names,
            is_watched=is_watched,
        )
        for kind, names in classes_of(module)
    ]


def classes_of(module: ModuleType) -> Iterator[tuple[type, dict[str, Any]]]:
    """Yield the classes that a module defines at its top, with the dictionary of each."""
    for value in [*module.__dict__.values()]:
        if is_of(value, type) and value.__module__ == module.__name__:
            # A class shows a proxy; what refers to nothing but its dictionary.
            names = gc.get_referents(value.__dict__)
            if len(names) == 1 and type(names[0]) is dict:
                yield value, names[0]


def is_watched(name: str) -> bool:
    """Tell whether an attribute is the author's: not the interpreter's, an enum's or an ABC's."""
    return not is_dunder(name) and not name.startswith("_abc_") and not _is_sunder(name)


def _is_sunder(name: str) -> bool:
    return name.startswith("_") and name.endswith("_")
