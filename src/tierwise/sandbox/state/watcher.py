"""What every watcher is: take a value, tell two apart, put one back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.domain.watching import Change
from tierwise.sandbox.state.showing import ABSENT, show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tierwise.sandbox.state.checks import Check


@dataclass(frozen=True, slots=True, kw_only=True)
class Watcher:
    """One kind of process state. What `take` returns is not changed by what happens later."""

    name: str
    take: Callable[[], Any]
    compare: Callable[[Any, Any], Iterator[Change]]
    """The changes between two that were taken; none for what differs by itself."""
    is_same: Callable[[Any], bool]
    """Is it now as when this was taken? False is a reason to look closely and no finding yet."""
    restore: Callable[[Any], None] | None = None
    """Put back what was taken; None where that cannot be done."""
    witness: Callable[[Any], Sequence[Check] | None] | None = None
    """What tells from now on that nothing happens to what was taken, at less cost than `is_same`,
    which is asked when one of the checks does not hold; None where nobody can tell."""


def simple(
    name: str,
    take: Callable[[], Any],
    compare: Callable[[Any, Any], Iterator[Change]],
    restore: Callable[[Any], None] | None = None,
    *,
    witness: Callable[[Any], Sequence[Check] | None] | None = None,
) -> Watcher:
    """Return a watcher that takes so little that taking it is the quickest look."""
    return Watcher(
        name=name,
        take=take,
        compare=compare,
        is_same=lambda kept: take() == kept,
        restore=restore,
        witness=witness,
    )


def one_value(watcher: str, owner: str, before: object, after: object) -> Iterator[Change]:
    """Yield the change of a single value, if it is one."""
    if before != after:
        yield Change(watcher=watcher, owner=owner, before=show(before), after=show(after))


def differing(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> list[Any]:
    """Return the keys under which two mappings do not hold the same, in their order."""
    keys = dict.fromkeys([*before, *after])
    return [key for key in keys if before.get(key, ABSENT) is not after.get(key, ABSENT)]
