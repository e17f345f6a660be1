"""Delta debugging: the smallest part of a sequence that still shows something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_TOGETHER = 16
"""Members of a set; where more are needed, something adds up and no single test is to blame."""


class InconsistentError(Exception):
    """The same question was answered in different ways."""


class TooManyError(Exception):
    """The set is larger than anybody could make use of."""


class Shows(Protocol):
    """Tells whether tests, run in this order, show what is looked for."""

    def __call__(self, tests: Sequence[str], /, *, again: bool = False) -> bool:
        """Tell it; `again` is to run them even if the answer was given before."""
        ...


def narrow(candidates: Sequence[str], shows: Shows) -> tuple[str, ...]:
    """Return a smallest part of `candidates` that shows it, in their order.

    `candidates` are known to show it and no tests at all not to. One that suffices by itself is
    found in log2 runs and one more, which together run each candidate about once. Where none
    does, each member of the set costs log2 runs of its own. No member of the set can be missed.
    """
    return _find_one(candidates, shows) or _find_several(candidates, shows)


def _find_one(candidates: Sequence[str], shows: Shows) -> tuple[str, ...]:
    """Halve as if there was one culprit; empty when there was not."""
    left = list(candidates)
    while len(left) > 1:
        middle = len(left) // 2
        # Whoever runs close before a test is the likelier one.
        later = left[middle:]
        left = later if shows(later) else left[:middle]
    return tuple(left) if left and shows(left) else ()


def _find_several(candidates: Sequence[str], shows: Shows) -> tuple[str, ...]:
    """Find the last member, then the one before it, until those that were found suffice.

    Behind the shortest beginning of the sequence that shows it stands a test that is needed: one
    test shorter, it is not shown. This holds also where another test heals what one has spoilt.
    """
    needed: list[str] = []
    pool = list(candidates)
    while not shows(needed):
        if len(needed) == MOST_TOGETHER:
            raise TooManyError
        shortest = _find_shortest(pool, needed, shows)
        needed.insert(0, pool[shortest - 1])
        pool = pool[: shortest - 1]
    return drop_idle(needed, shows)


def _find_shortest(pool: Sequence[str], needed: Sequence[str], shows: Shows) -> int:
    """Return the length of the shortest beginning of `pool` that shows it before `needed`."""
    low, high = 0, len(pool)
    while high - low > 1:
        middle = (low + high) // 2
        if shows([*pool[:middle], *needed]):
            high = middle
        else:
            low = middle
    # Nothing was shown on the way: is what all of this rests on still true?
    if high == len(pool) and not (pool and shows([*pool, *needed], again=True)):
        raise InconsistentError
    return high


def drop_idle(needed: Sequence[str], shows: Shows) -> tuple[str, ...]:
    """Leave out each member without which it is shown too."""
    kept = list(needed)
    for one in needed:
        rest = [other for other in kept if other != one]
        if len(kept) > 1 and shows(rest):
            kept = rest
    return tuple(kept)
