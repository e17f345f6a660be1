"""What a fixture would have left if nobody else had changed anything while it lived.

A fixture wider than a test answers for what it changed in its set-up and did not take back in its
tear-down. What tests and other fixtures did in between, to the same module or in the same table,
is put under what it found, so that comparing this with what is there now tells its own alone.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.state.asking import is_of
from tierwise.sandbox.state.looking import Look, Part
from tierwise.sandbox.state.places import have_equal_content
from tierwise.sandbox.state.showing import ABSENT
from tierwise.sandbox.state.watcher import differing

if TYPE_CHECKING:
    from tierwise.sandbox.state.places import Kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Four looks, or the same part of each."""

    found: Any
    """Before the fixture's set-up."""
    made: Any
    """After it."""
    met: Any
    """Before its tear-down."""
    left: Any
    """After it."""

    def at(self, *names: str) -> Life | None:
        """Return the same part of all four; None where one of them has none."""
        four = (self.found, self.made, self.met, self.left)
        parts = [_inside(look, names) for look in four]
        if any(part is ABSENT for part in parts):
            return None
        return Life(found=parts[0], made=parts[1], met=parts[2], left=parts[3])


def _inside(look: Any, names: tuple[str, ...]) -> Any:  # noqa: ANN401  any part of a look
    for name in names:
        look = look.get(name, ABSENT) if is_of(look, dict) else getattr(look, name)
        if look is ABSENT:
            return ABSENT
    return look


def rebase(life: Life, otherwise: object) -> object:
    """Return what the fixture found, with what others did while it lived.

    `otherwise` stands for what is no table or namespace, where the two cannot be told apart.
    """
    if is_of(life.found, dict):
        return _rebase_mapping(life.found, life.made, life.met)
    if is_of(life.found, tuple):
        return _rebase_tables(life)
    if not is_of(life.found, Look):
        return otherwise
    parts = {name: _rebase_part(life, name, part) for name, part in life.found.parts.items()}
    return replace(life.found, parts=parts)


def _rebase_tables(life: Life) -> tuple[object, ...]:
    """Return what a watcher took that takes several things, with each table among them rebased."""
    return tuple(
        _rebase_mapping(found, made, met) if is_of(found, dict) else found
        for found, made, met in zip(life.found, life.made, life.met, strict=False)
    )


def _rebase_part(life: Life, name: str, part: Part) -> Part:
    own = life.at("parts", name)
    if own is None or own.made is own.met:
        return part
    kept = {}
    for owner, found in part.kept.items():
        place = own.at("kept", owner)
        kept[owner] = found if place is None else _rebase_kept(place)
    return replace(part, kept=kept)


def _rebase_kept(life: Life) -> Kept:
    found: Kept = life.found
    values = _rebase_mapping(found.values, life.made.values, life.met.values)
    contents = {name: life.met.contents[name] for name in values if name in life.met.contents}
    for name, content in found.contents.items():
        own = life.at("contents", name)
        if own is not None and values.get(name) is found.values[name]:
            contents[name] = _rebase_content(own)
        elif values.get(name) is found.values[name]:
            contents[name] = content
    return replace(found, values=values, contents=contents)


def _rebase_mapping(
    found: dict[Any, Any], made: dict[Any, Any], met: dict[Any, Any]
) -> dict[Any, Any]:
    """Return `found` with each key that others changed and the fixture had not."""
    its_own = {key for key in differing(found, made) if not _is_equal_at(key, found, made)}
    rebased = dict(found)
    for key in differing(made, met):
        if key in its_own:
            continue
        if key in met:
            rebased[key] = met[key]
        else:
            rebased.pop(key, None)
    return rebased


def _is_equal_at(key: object, found: dict[Any, Any], made: dict[Any, Any]) -> bool:
    return have_equal_content(found.get(key, ABSENT), made.get(key, ABSENT))


def _rebase_content(life: Life) -> Any:  # noqa: ANN401  any container
    found, made, met, left = life.found, life.made, life.met, life.left
    if is_of(found, dict):
        return _rebase_mapping(found, made, met)
    if have_equal_content(made, met):
        return found
    if have_equal_content(found, made):
        return met
    if type(found) is set:
        return (found - (made - met)) | (met - made)
    if type(found) in (list, deque):
        entries = _without(list(found), _without(list(made), list(met)))
        entries += _without(list(met), list(made))
        # In whichever order the others' stand beside it now.
        return left if _is_same_bag(entries, list(left)) else type(found)(entries)
    return found


def _without(entries: list[Any], gone: list[Any]) -> list[Any]:
    """Return the entries without as many of each as are gone."""
    rest = list(gone)
    kept = []
    for entry in entries:
        at = next((n for n, one in enumerate(rest) if have_equal_content(one, entry)), None)
        if at is None:
            kept.append(entry)
        else:
            del rest[at]
    return kept


def _is_same_bag(these: list[Any], those: list[Any]) -> bool:
    return len(these) == len(those) and not _without(these, those)
