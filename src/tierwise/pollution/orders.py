"""Orders in which a suite is run to see whether order matters."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """All tests of a suite in one order, under a name that a person can repeat it by."""

    name: str
    tests: tuple[str, ...]

    def before(self, test: str) -> tuple[str, ...]:
        """Return what runs before a test in it."""
        return self.tests[: self.tests.index(test)]


def plan_orders(tests: Sequence[str], seeds: Sequence[int]) -> Iterator[Order]:
    """Return the suite's own order, the reversed one, and a shuffled one for each seed."""
    yield Order(name="as collected", tests=tuple(tests))
    yield Order(name="reversed", tests=tuple(reversed(tests)))
    for seed in seeds:
        yield Order(name=f"shuffled by seed {seed}", tests=shuffled(tests, seed))


def shuffled(tests: Sequence[str], seed: int) -> tuple[str, ...]:
    """Return the tests in the order of a seed: without regard to modules, unlike a random run."""
    mixed = list(tests)
    Random(seed).shuffle(mixed)  # noqa: S311  repeatable on purpose
    return tuple(mixed)


def plan_around(test: str, own: Order, seeds: Sequence[int]) -> Iterator[Order]:
    """Return orders that end in `test`: behind what runs before it, then behind all others."""
    others = tuple(one for one in own.tests if one != test)
    before = own.before(test)
    yield Order(name=own.name, tests=(*before, test))
    if len(before) < len(others):
        yield Order(name="behind all others", tests=(*others, test))
    if len(others) > 1:
        yield Order(name="behind all others reversed", tests=(*reversed(others), test))
        for seed in seeds:
            mixed = shuffled(others, seed)
            yield Order(name=f"behind all others shuffled by seed {seed}", tests=(*mixed, test))


def module_of(test: str) -> str:
    """Return the file of a test, as its node id begins."""
    return test.partition("::")[0]


def likely_first(test: str, before: Sequence[str]) -> tuple[str, ...]:
    """Return those that share a file with the test, in their order: most pollution is at home."""
    return tuple(one for one in before if module_of(one) == module_of(test))
