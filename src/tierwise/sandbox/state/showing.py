"""A value in a few characters, without its secrets and without code of whoever made it."""

from __future__ import annotations

import os
import re
from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar

from tierwise.domain.masking import mask_keys, mask_values, secrets_of_environment
from tierwise.sandbox.state.asking import is_of

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")
ABSENT = "(absent)"
"""Stands for what is not there."""
_MASKED = "[masked value]"
_MOST_CHARACTERS = 80
_MOST_TEXT = 40
_MOST_ENTRIES = 3
_DEEPEST = 2
_SECRET = re.compile(
    r"(?i)key|token|secret|passw|pwd|credential|auth|dsn|cookie|session|bearer|private|salt"
)
_LOGIN = re.compile(r"(://[^/\s:@]*:)[^@\s/]+@")
_Container = dict[Any, Any] | list[Any] | tuple[Any, ...] | deque[Any] | set[Any] | frozenset[Any]
_CONTAINERS = (dict, list, tuple, deque, set, frozenset)
_ENDS: tuple[tuple[type, tuple[str, str]], ...] = (
    (dict, ("{", "}")),
    (list, ("[", "]")),
    (tuple, ("(", ")")),
    (deque, ("deque([", "])")),
    (set, ("{", "}")),
    (frozenset, ("{", "}")),
)
_PLAIN = (bool, int, float, complex, type(None))


def show(value: object, name: str = "") -> str:
    """Return a value for a message; `name` is its own, which may say that it is a secret."""
    return _cut(_clean(_shown(value, name, 0)))


def show_text(text: str, name: str = "") -> str:
    """Return a text for a message as it is, but for its secrets and its length."""
    return _MASKED if names_secret(name) and text else _cut(_clean(text))


def names_secret(name: str) -> bool:
    """Tell whether a variable or a key is named like a secret."""
    return _SECRET.search(name) is not None


def show_type(value: Any) -> str:  # noqa: ANN401  any value
    """Return what kind of object it is; its own `repr` is not asked, which may do anything."""
    kind = type(value)
    if is_of(value, type):
        return f"<class {value.__module__}.{value.__qualname__}>"
    named = getattr(value, "__name__", None) if kind.__module__ == "builtins" else None
    return f"<{kind.__name__} {named}>" if isinstance(named, str) else f"<{_full_name(kind)}>"


def _full_name(kind: type) -> str:
    return (
        kind.__qualname__
        if kind.__module__ == "builtins"
        else f"{kind.__module__}.{kind.__qualname__}"
    )


def _shown(value: Any, name: str, depth: int) -> str:  # noqa: ANN401  any value
    kind = type(value)
    if kind in _PLAIN:
        return repr(value)
    if is_of(value, str, bytes, bytearray):
        return _MASKED if value and names_secret(name) else _shown_text(value)
    if is_of(value, *_CONTAINERS):
        return "..." if depth >= _DEEPEST else _shown_container(value, depth)
    return show_type(value)


def _shown_container(value: _Container, depth: int) -> str:
    left, right = next(ends for kind, ends in _ENDS if isinstance(value, kind))
    if isinstance(value, dict):
        each = [_shown_pair(key, entry, depth) for key, entry in _first(dict.items(value))]
    else:
        each = [_shown(entry, "", depth + 1) for entry in _first(value)]
    if isinstance(value, set | frozenset):
        each.sort()
    more = f", ... {len(value)} in all" if len(value) > _MOST_ENTRIES else ""
    return f"{left}{', '.join(each)}{more}{right}"


def _shown_pair(key: Any, entry: object, depth: int) -> str:  # noqa: ANN401  any value
    name = key if is_of(key, str) else ""
    return f"{_shown(key, '', depth + 1)}: {_shown(entry, name, depth + 1)}"


def _first(values: Iterable[T]) -> list[T]:
    return [entry for entry, _ in zip(values, range(_MOST_ENTRIES), strict=False)]


def _shown_text(value: str | bytes | bytearray) -> str:
    if isinstance(value, str):
        value = _clean(value)
    return repr(value if len(value) <= _MOST_TEXT else value[:_MOST_TEXT]) + (
        "..." if len(value) > _MOST_TEXT else ""
    )


def _clean(text: str) -> str:
    known = mask_values(mask_keys(text), secrets_of_environment(os.environ))
    return _LOGIN.sub(r"\1[masked value]@", known)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 3]}..."
