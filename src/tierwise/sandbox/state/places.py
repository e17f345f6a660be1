"""A namespace that tests may leave changed: its names, and the containers under them."""

from __future__ import annotations

import sys
from collections import OrderedDict, deque
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from tierwise.domain.watching import Change
from tierwise.sandbox.state.asking import is_of
from tierwise.sandbox.state.showing import ABSENT, show
from tierwise.sandbox.state.watcher import differing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping

_EXACT = (list, set, deque, bytearray)
_PLAIN = (bool, int, float, complex, str, bytes, type(None), tuple, frozenset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A module, a class or an object with names of its own."""

    owner: str
    """How it is called: `shop.prices`, `shop.prices.Cart`."""
    holder: object
    names: MutableMapping[str, Any]
    """Its live namespace, or some attributes."""
    is_watched: Callable[[str], bool]
    """Is this name one that a finding may be about?"""
    settles: Callable[[str, object], bool] = lambda _name, _value: False
    """Does this value come under a name by itself, as by a lazy import?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a place held when it was looked at."""

    place: Place
    values: dict[str, Any]
    contents: dict[str, Any]
    """Copies of the containers among the values."""


def keep(place: Place, copy: Callable[[Any], Any]) -> Kept:
    """Return what a place holds now."""
    values = {name: value for name, value in [*place.names.items()] if place.is_watched(name)}
    contents = {name: copy(value) for name, value in values.items() if is_container(value)}
    return Kept(place=place, values=values, contents=contents)


def is_container(value: object) -> bool:
    """Tell whether this is one of the containers whose content is compared."""
    return type(value) in _EXACT or is_of(value, dict)


def copy_flat(container: Any) -> Any:  # noqa: ANN401  any container
    """Return a copy that shares its entries."""
    return _entries_of(container) if is_of(container, dict) else container.copy()


def _entries_of(mapping: dict[Any, Any]) -> dict[Any, Any]:
    # Not by the methods of a subclass; those of OrderedDict are what holds it together.
    ordered = is_of(mapping, OrderedDict)
    return dict(OrderedDict.items(mapping) if ordered else dict.items(mapping))  # type: ignore[arg-type]


def copy_deep(value: Any) -> Any:  # noqa: ANN401  any container
    """Return a copy of a container and of those inside it; other objects are shared."""
    return _copied(value, {})


def _copied(value: Any, known: dict[int, Any]) -> Any:  # noqa: ANN401  any value
    if id(value) in known:
        return known[id(value)]  # it holds itself
    if is_of(value, dict):
        into = known[id(value)] = {}
        into.update({key: _copied(entry, known) for key, entry in _entries_of(value).items()})
        return into
    if type(value) is list:
        listed: list[Any] = []
        known[id(value)] = listed
        listed.extend(_copied(entry, known) for entry in value)
        return listed
    if type(value) is tuple:
        return tuple(_copied(entry, known) for entry in value)
    return value.copy() if type(value) in _EXACT else value


def compare_kept(watcher: str, before: Kept, after: Kept) -> Iterator[Change]:
    """Yield a change for each name that holds another value, or a container of other content."""
    place = after.place
    for name in differing(before.values, after.values):
        old, new = before.values.get(name, ABSENT), after.values.get(name, ABSENT)
        if is_equal(old, new) or (old is ABSENT and place.settles(name, new)):
            continue
        yield Change(
            watcher=watcher,
            owner=f"{place.owner}.{name}",
            before=ABSENT if old is ABSENT else show(old, name),
            after=ABSENT if new is ABSENT else show(new, name),
        )
    for name, content in before.contents.items():
        if name in after.contents and before.values[name] is after.values[name]:
            yield from _compare_content(
                watcher, f"{place.owner}.{name}", content, after.contents[name]
            )


def _compare_content(watcher: str, owner: str, before: Any, after: Any) -> Iterator[Change]:  # noqa: ANN401
    if have_equal_content(before, after):
        return
    name = owner.rpartition(".")[2]
    shown = show(before, name), show(after, name)
    if is_of(before, dict):
        keys = [
            key
            for key in differing(before, after)
            if not have_equal_content(before.get(key, ABSENT), after.get(key, ABSENT))
        ]
        shown = (
            _shown_part(before, keys, name),
            _shown_part(after, keys, name),
        )
    if shown[0] == shown[1]:
        shown = (f"{len(before)} entries", f"{len(after)} entries, of other content")
    yield Change(watcher=watcher, owner=owner, before=shown[0], after=shown[1])


def _shown_part(content: dict[Any, Any], keys: list[Any], name: str) -> str:
    part = {key: content[key] for key in keys if key in content}
    if len(part) == len(content):
        return show(part, name)
    return (
        f"{show(part, name)} of {len(content)}"
        if part
        else f"none of these, {len(content)} others"
    )


def is_equal(before: object, after: object) -> bool:
    """Tell whether two plain values are the same; other objects are only so if they are one."""
    if before is after:
        return True
    return (
        type(before) is type(after)
        and type(before) in _PLAIN
        and have_equal_content(before, after)
    )


def have_equal_content(before: object, after: object) -> bool:
    """Compare; what cannot be compared is not equal."""
    try:
        return bool(before == after)
    except Exception:  # noqa: BLE001  an entry's own way of comparing
        return False


def restore_kept(before: Kept) -> None:
    """Put values and contents back."""
    place = before.place
    now = {name: value for name, value in [*place.names.items()] if place.is_watched(name)}
    for name in differing(before.values, now):
        if name in before.values:
            _set(place, name, before.values[name])
        elif not place.settles(name, now[name]):
            _delete(place, name)
    for name, content in before.contents.items():
        live = before.values[name]
        if not have_equal_content(live, content):
            _fill(live, copy_deep(content))


def _set(place: Place, name: str, value: object) -> None:
    if is_of(place.holder, type):  # past whatever its metaclass does about it
        type.__setattr__(place.holder, name, value)
    else:
        place.names[name] = value


def _delete(place: Place, name: str) -> None:
    if is_of(place.holder, type):
        type.__delattr__(place.holder, name)
    else:
        place.names.pop(name, None)


def _fill(live: Any, content: Any) -> None:  # noqa: ANN401  any container
    if is_of(live, dict):
        kind = OrderedDict if is_of(live, OrderedDict) else dict
        kind.clear(live)
        kind.update(live, content)
    elif isinstance(live, set):
        live.clear()
        live.update(content)
    elif isinstance(live, deque):
        live.clear()
        live.extend(content)
    else:
        live[:] = content


def is_dunder(name: str) -> bool:
    """Tell whether a name is the interpreter's own kind."""
    return name.startswith("__") and name.endswith("__")


def is_defined_elsewhere(value: Any) -> bool:  # noqa: ANN401  any value
    """Tell whether an import brings this: a module, or what one of them defines at its top."""
    if is_of(value, ModuleType):
        return sys.modules.get(value.__name__) is value
    if not is_of(value, type, FunctionType):
        return False
    home = sys.modules.get(value.__module__)
    return home is not None and getattr(home, value.__qualname__, None) is value
