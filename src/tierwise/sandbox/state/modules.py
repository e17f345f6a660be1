"""Values and containers of first-party modules, and of the objects that they hold."""

from __future__ import annotations

import sys
from functools import cached_property, partial
from types import FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.state.asking import is_of, names_of
from tierwise.sandbox.state.looking import Looker
from tierwise.sandbox.state.places import Place, is_defined_elsewhere, is_dunder, is_equal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.sandbox.state.packages import FirstParty
    from tierwise.sandbox.state.watcher import Watcher


def watch_modules(first_party: FirstParty, *, thorough: bool) -> Watcher:
    """Return the watcher of module globals."""
    return Looker(
        watcher="modules",
        find_roots=first_party.modules,
        find_places=partial(_find_places, first_party),
        thorough=thorough,
    ).watch()


def _find_places(first_party: FirstParty, name: str, module: object) -> list[Place]:
    assert isinstance(module, ModuleType)  # noqa: S101  the roots are modules
    places = [
        Place(
            owner=name,
            holder=module,
            names=module.__dict__,
            is_watched=is_watched,
            settles=partial(_settles_in_module, module),
        )
    ]
    places += [
        Place(
            owner=f"{name}.{attribute}",
            holder=value,
            names=names,
            is_watched=partial(is_watched_in_object, cached_names(type(value))),
            settles=partial(_settles_in_object, value),
        )
        for attribute, value, names in objects_of(first_party, module)
    ]
    return places


def objects_of(
    first_party: FirstParty, module: ModuleType
) -> Iterator[tuple[str, object, dict[str, Any]]]:
    """Yield the objects of first-party classes that a module holds under names of its own."""
    for name, value in [*module.__dict__.items()]:
        kind = type(value)
        if (
            not is_dunder(name)
            and not issubclass(kind, type | FunctionType | ModuleType)
            and first_party.owns(kind.__module__)
        ):
            names = names_of(value)
            if names is not None:
                yield name, value, names


def cached_names(kind: type) -> frozenset[str]:
    """Return the names of a class's cached properties."""
    return frozenset(
        name
        for base in kind.__mro__
        for name, value in base.__dict__.items()
        if is_of(value, cached_property)
    )


def is_watched(name: str) -> bool:
    """Tell whether a name is the author's: not the interpreter's or pytest's."""
    return not is_dunder(name) and not name.startswith("@")


def is_watched_in_object(cached: frozenset[str], name: str) -> bool:
    """Tell whether an attribute is state; cached properties have a watcher of their own."""
    return not is_dunder(name) and name not in cached


def _settles_in_module(module: ModuleType, name: str, value: object) -> bool:
    submodule = sys.modules.get(f"{module.__name__}.{name}")
    return (submodule is not None and submodule is value) or is_defined_elsewhere(value)


def _settles_in_object(holder: object, name: str, value: Any) -> bool:  # noqa: ANN401  any value
    # What monkeypatch puts back onto an object that had it from its class.
    if is_of(value, MethodType):
        return value.__self__ is holder and getattr(type(holder), name, None) is value.__func__
    return hasattr(type(holder), name) and is_equal(getattr(type(holder), name), value)
