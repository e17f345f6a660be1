"""What every watcher is: take a value, tell two apart, put one back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tierwise.domain.watching import Change
from tierwise.sandbox.state.showing import ABSENT, show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Watcher:
    """One kind of process state. What `take` returns is not changed by what happens later."""

    name: str
    take: Callable[[], Any]
    compare: Callable[[Any, Any], Iterator[Change]]
    """The changes between two that were taken; none for what differs by itself."""
    is_same: Callable[[Any], bool]
    """Is it now as when this was taken? Asked around each test, so it costs next to nothing;
    False is a reason to look closely and no finding yet."""
    restore: Callable[[Any], None] | None = None
    """Put back what was taken; None where that cannot be done."""


def simple(
    name: str,
    take: Callable[[], Any],
    compare: Callable[[Any, Any], Iterator[Change]],
    restore: Callable[[Any], None] | None = None,
) -> Watcher:
    """Return a watcher that takes so little that taking it is the quickest look."""
    return Watcher(
        name=name,
        take=take,
        compare=compare,
        is_same=lambda kept: take() == kept,
        restore=restore,
    )


def witnessed(watcher: Watcher, witness: Callable[[], object]) -> Watcher:
    """Return a watcher that looks only when its witness says something else than it last said.

    What the witness says is None where nobody can tell.
    """
    kept_then: Any = None
    said_then: object = None

    def take() -> Any:  # noqa: ANN401  whatever it takes
        nonlocal kept_then, said_then
        said = witness()  # first: what changes from here on is seen
        kept_then, said_then = watcher.take(), said
        return kept_then

    def is_same(kept: Any) -> bool:  # noqa: ANN401  what was taken
        nonlocal kept_then, said_then
        said = witness()
        if kept is kept_then and said is not None and _is_equal(said, said_then):
            return True
        if not watcher.is_same(kept):
            return False
        kept_then, said_then = kept, said
        return True

    return replace(watcher, take=take, is_same=is_same)


def _is_equal(said: object, before: object) -> bool:
    try:
        return bool(said == before)
    except Exception:  # noqa: BLE001  a context's values have their own ways of comparing
        return False


def one_value(watcher: str, owner: str, before: object, after: object) -> Iterator[Change]:
    """Yield the change of a single value, if it is one."""
    if before != after:
        yield Change(watcher=watcher, owner=owner, before=show(before), after=show(after))


def differing(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> list[Any]:
    """Return the keys under which two mappings do not hold the same, in their order."""
    keys = dict.fromkeys([*before, *after])
    return [key for key in keys if before.get(key, ABSENT) is not after.get(key, ABSENT)]
