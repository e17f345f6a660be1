"""A suite that is played: its tests change a state, and end as the state says."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from tierwise.pollution.endings import NOT_RUN, Ended, Ending, is_killer
from tierwise.pollution.orders import Order
from tierwise.pollution.runs import Runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Behaviour = Callable[[set[str]], Ending]


def names(n: int, per_module: int = 10) -> tuple[str, ...]:
    """Return the node ids of a suite of `n` tests."""
    return tuple(f"tests/test_{i // per_module}.py::test_{i}" for i in range(n))


@dataclass
class SimulatedSuite:
    """Runs tests in the order asked for, each run from the empty state.

    A test leaves what `leaves` says and takes away what `cleans` says, before whom `ends` decides.
    """

    leaves: Mapping[str, str] = field(default_factory=dict)
    cleans: Mapping[str, str] = field(default_factory=dict)
    ends: Mapping[str, Behaviour] = field(default_factory=dict)
    runs: list[tuple[str, ...]] = field(default_factory=list)
    interrupt_after: int | None = None

    def run(self, tests: Sequence[str], *, by_chance: bool = False) -> Mapping[str, Ended]:
        """Play them."""
        del by_chance
        if self.interrupt_after is not None and len(self.runs) >= self.interrupt_after:
            raise KeyboardInterrupt
        self.runs.append(tuple(tests))
        return dict(self._play(tests))

    def _play(self, tests: Sequence[str]) -> Iterator[tuple[str, Ended]]:
        state: set[str] = set()
        is_dead = False
        for test in tests:
            if is_dead:
                yield test, NOT_RUN
                continue
            ending = self.ends[test](state) if test in self.ends else Ending.PASSED
            ended = Ended(ending=ending, message=f"it was {sorted(state)}")
            is_dead = is_killer(ended)
            if test in self.cleans:
                state.discard(self.cleans[test])
            if test in self.leaves:
                state.add(self.leaves[test])
            yield test, ended


def fails_with(*needed: str) -> Behaviour:
    """Return a test that fails where all of this is in the state."""
    return lambda state: Ending.FAILED if state.issuperset(needed) else Ending.PASSED


def passes_with(*needed: str) -> Behaviour:
    """Return a test that passes only where all of this is in the state."""
    return lambda state: Ending.PASSED if state.issuperset(needed) else Ending.FAILED


def runs_of(suite: SimulatedSuite, deadline: float | None = None) -> Runs:
    """Return the suite under a clock that goes on by one second each time it is read."""
    ticks = count()
    return Runs(suite, now=lambda: float(next(ticks)), deadline=deadline)


def own_order(tests: Sequence[str]) -> Order:
    """Return the order in which the tests were written."""
    return Order(name="as collected", tests=tuple(tests))
