"""Variables of the environment."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tierwise.domain.watching import Change
from tierwise.sandbox.happening import ITS_OWN
from tierwise.sandbox.slot import SLOT
from tierwise.sandbox.state.checks import has_not_happened, holds
from tierwise.sandbox.state.showing import ABSENT, show_text
from tierwise.sandbox.state.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.sandbox.state.checks import Check


def _live() -> dict[object, object]:
    # The mapping below os.environ, whose own look-ups encode and decode each text.
    return getattr(os.environ, "_data", None) or dict(os.environ)


def _encoded(name: str) -> object:
    encode = getattr(os.environ, "encodekey", None)
    return encode(name) if encode is not None else name


_KEYS = tuple(map(_encoded, ITS_OWN))


def take() -> dict[object, object]:
    """Return a copy of the environment without what pytest changes itself."""
    kept = dict(_live())
    for key in _KEYS:
        kept.pop(key, None)
    return kept


def is_same(kept: dict[object, object]) -> bool:
    """Tell whether nothing but pytest's own variables has changed."""
    live = _live()
    if len(live) < len(kept):
        return False
    # Those of its own are few and only ever more than what was kept.
    return kept.items() <= live.items() and len(live) - len(kept) == sum(
        map(live.__contains__, _KEYS)
    )


def witness_of_environ(_: object) -> tuple[Check, ...] | None:
    """Return what tells that no variable was set or taken out, nor os.environ replaced."""
    if not SLOT.has_hook or type(os.environ) is not os._Environ:  # noqa: SLF001  whose changes are audited
        return None
    return has_not_happened("environ"), holds(vars(os), environ=os.environ)


def compare(before: Mapping[object, object], after: Mapping[object, object]) -> Iterator[Change]:
    """Yield a change for each variable."""
    for key in dict.fromkeys([*before, *after]):
        if before.get(key) != after.get(key):
            name = _text(key)
            yield Change(
                watcher="environ",
                owner=f"os.environ[{name!r}]",
                before=_shown(before.get(key), name),
                after=_shown(after.get(key), name),
            )


def restore(before: Mapping[object, object]) -> None:
    """Set each variable to what it was, and take out what was not there."""
    wanted = {_text(key): _text(value) for key, value in before.items()}
    for name in [*os.environ]:
        if name not in wanted and name not in ITS_OWN:
            del os.environ[name]
    for name, value in wanted.items():
        if os.environ.get(name) != value:
            os.environ[name] = value


def _text(value: object) -> str:
    return os.fsdecode(value) if isinstance(value, bytes) else str(value)


def _shown(value: object, name: str) -> str:
    return ABSENT if value is None else show_text(_text(value), name) or "''"


ENVIRON = Watcher(
    name="environ",
    take=take,
    compare=compare,
    is_same=is_same,
    restore=restore,
    witness=witness_of_environ,
)
