"""Caches of first-party code: lru_cache and cache on functions and methods, cached properties."""

from __future__ import annotations

import functools
import gc
import sys
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tierwise.domain.watching import Change
from tierwise.sandbox.state.asking import is_of
from tierwise.sandbox.state.checks import are_all_true
from tierwise.sandbox.state.classes import classes_of
from tierwise.sandbox.state.looking import Witnesses
from tierwise.sandbox.state.modules import cached_names, objects_of
from tierwise.sandbox.state.showing import ABSENT, show
from tierwise.sandbox.state.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

    from tierwise.sandbox.state.checks import Check
    from tierwise.sandbox.state.packages import FirstParty

_Property = tuple[dict[str, Any], str, object]
_CACHED = type(functools.lru_cache(lambda: None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Caches:
    """How full each cache was."""

    filled: dict[str, tuple[Any, int]]
    """By owner: the function, and how many results it keeps."""
    properties: dict[str, _Property]
    """By owner: the namespace of an object, a name, and the value kept there."""
    checks: tuple[Check, ...]
    """What holds while no cache was filled or emptied, nor any module imported."""


class CacheLooker:
    """Looks at the caches of first-party modules; each module is searched once."""

    def __init__(self, first_party: FirstParty) -> None:
        self._first_party = first_party
        self._searched: dict[str, tuple[object, dict[str, Any]]] = {}
        self._last: Witnesses | None = None

    def take(self) -> Caches:
        """Return how full all caches are."""
        witnesses = Witnesses()
        filled: dict[str, tuple[Any, int]] = {}
        properties: dict[str, _Property] = {}
        unseen: list[_Property] = []
        unfilled: dict[str, tuple[Any, int]] = {}
        if not witnesses.see(sys.modules):
            witnesses.sized.append(sys.modules)
        for name, module in self._first_party.modules().items():
            for owner, function in self._functions_of(name, module).items():
                filled[owner] = (function, function.cache_info().currsize)
                if not all(witnesses.see(results) for results in _results_of(function)):
                    unfilled[owner] = filled[owner]
            for owner, names, attribute in self._properties_of(name, module):
                properties[owner] = (names, attribute, names.get(attribute, ABSENT))
                if not witnesses.see(names):
                    unseen.append(properties[owner])
        self._keep(witnesses.seal())
        checks = [*witnesses.checks]
        if unfilled:
            checks.append(partial(_are_filled, unfilled))
        if unseen:
            checks.append(partial(_are_kept, unseen))
        return Caches(filled=filled, properties=properties, checks=tuple(checks))

    def _keep(self, witnesses: Witnesses) -> None:
        if self._last is not None:
            self._last.let_go(witnesses)
        self._last = witnesses

    def __del__(self) -> None:
        if self._last is not None:
            self._last.let_go()

    def is_same(self, kept: Caches) -> bool:
        """Tell whether no cache was filled or emptied, nor any module imported."""
        return are_all_true(kept.checks)

    def compare(self, before: Caches, after: Caches) -> Iterator[Change]:
        """Yield a change for each cache that both have seen."""
        for owner, (function, size) in after.filled.items():
            known, old = before.filled.get(owner, (None, 0))
            if known is function and old != size:
                yield _change(owner, _entries(old), _entries(size))
        for owner, (names, attribute, value) in after.properties.items():
            known_names, _, old_value = before.properties.get(owner, (None, "", ABSENT))
            if known_names is names and old_value is not value:
                yield _change(owner, _shown(old_value, attribute), _shown(value, attribute))

    def restore(self, before: Caches) -> None:
        """Empty each cache that is not as full as it was: what it held is made again if needed."""
        for function, size in before.filled.values():
            if function.cache_info().currsize != size:
                function.cache_clear()
        for names, attribute, value in before.properties.values():
            if value is ABSENT:
                names.pop(attribute, None)
            else:
                names[attribute] = value

    def _functions_of(self, name: str, module: ModuleType) -> dict[str, Any]:
        searched = self._searched.get(name)
        if searched is None or searched[0] is not module:
            searched = self._searched[name] = (module, dict(_find_functions(name, module)))
        return searched[1]

    def _properties_of(
        self, name: str, module: ModuleType
    ) -> Iterator[tuple[str, dict[str, Any], str]]:
        for attribute, value, names in objects_of(self._first_party, module):
            for cached in sorted(cached_names(type(value))):
                yield f"{name}.{attribute}.{cached}", names, cached
        for cached in sorted(cached_names(type(module))):
            yield f"{name}.{cached}", module.__dict__, cached


def _find_functions(name: str, module: ModuleType) -> Iterator[tuple[str, Any]]:
    for attribute, value in module.__dict__.items():
        if is_of(value, _CACHED) and value.__module__ == name:
            yield f"{name}.{attribute}", value
    for kind, names in classes_of(module):
        for attribute, value in [*names.items()]:
            inner = value.__func__ if is_of(value, classmethod, staticmethod) else value
            if is_of(inner, _CACHED):
                yield f"{name}.{kind.__qualname__}.{attribute}", inner


def _results_of(function: Any) -> list[dict[str, Any]]:  # noqa: ANN401  an lru_cache
    own = function.__dict__
    return [
        entry for entry in gc.get_referents(function) if type(entry) is dict and entry is not own
    ]


def _are_filled(filled: Mapping[str, tuple[Any, int]]) -> bool:
    return all(function.cache_info().currsize == size for function, size in filled.values())


def _are_kept(properties: list[_Property]) -> bool:
    return all(names.get(name, ABSENT) is value for names, name, value in properties)


def _entries(n: int) -> str:
    return f"{n} result{'' if n == 1 else 's'} kept"


def _shown(value: object, name: str) -> str:
    return ABSENT if value is ABSENT else show(value, name)


def _change(owner: str, before: str, after: str) -> Change:
    return Change(watcher="caches", owner=owner, before=before, after=after)


def watch_caches(first_party: FirstParty) -> Watcher:
    """Return the watcher of caches."""
    looker = CacheLooker(first_party)
    return Watcher(
        name="caches",
        take=looker.take,
        compare=looker.compare,
        is_same=looker.is_same,
        restore=looker.restore,
        witness=attrgetter("checks"),
    )
