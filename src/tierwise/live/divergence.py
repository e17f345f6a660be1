"""Two sources that disagree: only then can it be seen which of them a decision reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tierwise.errors import MisuseError

R = TypeVar("R")
S = TypeVar("S")
D = TypeVar("D")


class PremiseError(AssertionError):
    """What a test takes for given about its inputs does not hold, so that it proves nothing."""


# No slots: generic dataclasses with them cannot be subscripted and called (Python 3.11).
@dataclass(frozen=True, kw_only=True)
class Swapped(Generic[D]):
    """What a decision came to, with its sources as given and exchanged."""

    as_given: D
    exchanged: D


def divergent(
    build: Callable[..., R],
    shared: Mapping[str, Any],
    /,
    *,
    differ: Iterable[str] | None = None,
    **sides: Mapping[str, Any],
) -> dict[str, R]:
    """Build one row for each side, alike in `shared` and different in all that the sides name.

    `build` is called with the fields of each row; run a real parser in it, and what the parser
    makes of them is what has to differ: in the fields of the sides, or in `differ` where the
    parser gives them other names. Raises `PremiseError` where two rows agree in one of them.
    """
    n_least = 2
    if len(sides) < n_least:
        raise MisuseError(
            f"divergent got {len(sides)} side(s); expected two or more, each by its name: "
            "divergent(Row, {'id': 'a'}, free={'price': 0}, paid={'price': 3})."
        )
    fields = {name for side in sides.values() for name in side}
    _check_sides(sides, fields)
    compared = sorted(fields) if differ is None else tuple(differ)
    rows = {name: build(**shared, **side) for name, side in sides.items()}
    names = list(rows)
    for number, name in enumerate(names):
        for other in names[number + 1 :]:
            assert_divergent(rows[name], rows[other], compared, names=(name, other))
    return rows


def assert_divergent(
    left: object,
    right: object,
    fields: Iterable[str],
    *,
    agree: Iterable[str] = (),
    names: tuple[str, str] = ("the first", "the second"),
) -> None:
    """Raise `PremiseError` unless the two differ in all `fields` and are alike in all of `agree`.

    Fields are attributes, or keys of mappings. A field that is on neither side differs nowhere.
    """
    __tracebackhide__ = True
    wanted, shared = tuple(fields), tuple(agree)
    if isinstance(fields, str) or isinstance(agree, str) or not wanted:
        raise MisuseError("assert_divergent takes a list with one field or more: ['price'].")
    faults = [
        f"{name} is {_read(left, name)!r} on both sides, expected a difference"
        for name in wanted
        if _read(left, name) == _read(right, name)
    ]
    faults += [
        f"{name} is {_read(left, name)!r} in {names[0]} and {_read(right, name)!r} in {names[1]}, "
        "expected no difference"
        for name in shared
        if _read(left, name) != _read(right, name)
    ]
    if faults:
        raise PremiseError(f"{names[0]} and {names[1]}: {'; '.join(faults)}.")


def swap_test(decide: Callable[[S, S], D], first: S, second: S) -> Swapped[D]:
    """Decide with the two sources as given and exchanged; raise unless the result changes.

    A decision that reads the wrong source, both of them alike, or neither, does not change. One
    that changes by itself, with nothing exchanged, proves nothing: `PremiseError`, as for sources
    that are equal.
    """
    __tracebackhide__ = True
    if first == second:
        raise PremiseError(f"Both sources are {first!r}: exchanging them changes nothing.")
    as_given, exchanged = decide(first, second), decide(second, first)
    again = decide(first, second)
    if as_given != again:
        raise PremiseError(
            f"The decision changes with nothing exchanged, from {as_given!r} to {again!r}: give "
            "it fixed inputs, and no state from the call before."
        )
    if as_given == exchanged:
        raise AssertionError(
            f"The result is {as_given!r} with the sources as given and exchanged: the decision "
            "does not depend on which of the two it reads."
        )
    return Swapped(as_given=as_given, exchanged=exchanged)


def _check_sides(sides: Mapping[str, Mapping[str, Any]], fields: set[str]) -> None:
    for name, side in sides.items():
        left_out = sorted(fields - set(side))
        if left_out:
            raise MisuseError(
                f"The side {name!r} does not say {', '.join(left_out)}, which another side says. "
                "A default would decide what differs: say it on each side."
            )


_MISSING = "<missing>"


def _read(row: object, name: str) -> object:
    if isinstance(row, Mapping):
        return row.get(name, _MISSING)
    return getattr(row, name, _MISSING)
