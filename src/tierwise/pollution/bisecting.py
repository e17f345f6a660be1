"""The search for the tests that decide how another one ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tierwise.pollution.endings import Ending, is_known, is_same, is_worse
from tierwise.pollution.findings import Dependence, Finding, Stop
from tierwise.pollution.narrowing import (
    MOST_TOGETHER,
    InconsistentError,
    TooManyError,
    drop_idle,
    narrow,
)
from tierwise.pollution.orders import likely_first
from tierwise.pollution.runs import BudgetSpentError
from tierwise.pollution.wording import (
    say_broken,
    say_confirmed_not,
    say_independent,
    say_interrupted,
    say_together,
    say_too_many,
    say_unclear,
    say_unknown,
    say_unsteady,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.pollution.endings import Ended
    from tierwise.pollution.orders import Order
    from tierwise.pollution.runs import Runs

REPEATS = 8
"""So often the set and the test alone are run again before anybody is named.

A test that fails half of the time, whatever runs before it, would need one fixed ending in all 8
runs of either kind: by chance that happens once in 65,536 searches.
"""


class _CouldNotTellError(Exception):
    """Nothing can be concluded, and the message says why."""


@dataclass(slots=True, kw_only=True)
class _Known:
    """What a search has found out so far."""

    alone: Ended | None = None
    together: Ended | None = None
    orders: list[str]
    candidates: int = 0


def bisect_test(
    runs: Runs,
    test: str,
    orders: Iterable[Order],
    *,
    hints: Sequence[Sequence[str]] = (),
    repeats: int = REPEATS,
) -> Finding:
    """Return the smallest set of tests that changes how `test` ends, or why there is none.

    `orders` are tried in turn until one shows a difference. `hints` are sets that did it to other
    tests: where one does it here too, nothing has to be searched.
    """
    known = _Known(orders=[])
    search = _Search(runs, test, known, repeats)
    try:
        finding = search.find(orders, hints)
    except (_CouldNotTellError, InconsistentError) as error:
        finding = search.conclude(Dependence.UNDECIDED, str(error) or say_unsteady())
    except TooManyError:
        finding = search.conclude(Dependence.UNDECIDED, say_too_many(MOST_TOGETHER))
    except BudgetSpentError:
        finding = search.stop(Stop.BUDGET)
    except KeyboardInterrupt:
        finding = search.stop(Stop.INTERRUPTED)
    return replace(finding, left_out=tuple(one for one in runs.killers if one != test))


class _Search:
    """One test's search; `known` holds what it has found, also where it is interrupted."""

    def __init__(self, runs: Runs, test: str, known: _Known, repeats: int) -> None:
        self._runs, self._test, self._known, self._repeats = runs, test, known, repeats
        self._start = runs.effort

    def find(self, orders: Iterable[Order], hints: Sequence[Sequence[str]]) -> Finding:
        alone = self._run_alone()
        hint = self._find_hint(hints, alone)
        if hint:
            return self._confirm(hint, alone)
        before = self._find_difference(orders, alone)
        if before is None:
            return self._conclude_same(alone)
        return self._confirm(self._narrow(before), alone)

    def conclude(
        self, dependence: Dependence, reason: str, culprits: tuple[str, ...] = ()
    ) -> Finding:
        known = self._known
        return Finding(
            test=self._test,
            dependence=dependence,
            reason=reason,
            culprits=culprits,
            alone=known.alone,
            together=known.together,
            orders=tuple(known.orders),
            candidates=0 if culprits else known.candidates,
            effort=self._runs.effort.since(self._start),
        )

    def stop(self, stop: Stop) -> Finding:
        known = self._known
        reason = say_interrupted(stop, known.alone, known.together, known.candidates)
        return replace(self.conclude(Dependence.UNDECIDED, reason), stopped=stop)

    def _run_alone(self) -> Ended:
        self._runs.doing = "running the test alone"
        alone = self._runs.of(self._test, ())
        self._known.alone = alone
        if not is_known(alone.ending):
            raise _CouldNotTellError(say_unknown("alone", alone))
        again = self._runs.of(self._test, (), by_chance=True)
        if not is_same(alone.ending, again.ending):
            raise _CouldNotTellError(say_unclear("alone", alone, again))
        return alone

    def _find_hint(self, hints: Sequence[Sequence[str]], alone: Ended) -> tuple[str, ...]:
        self._runs.doing = "running it behind what changed other tests"
        for hint in hints:
            if self._test in hint:
                continue
            ended = self._runs.of(self._test, hint)
            if is_known(ended.ending) and not is_same(ended.ending, alone.ending):
                self._known.together = ended
                return drop_idle(hint, self._shows)
        return ()

    def _find_difference(self, orders: Iterable[Order], alone: Ended) -> tuple[str, ...] | None:
        unknown: Ended | None = None
        for order in orders:
            before = order.before(self._test)
            if not before:
                continue
            self._runs.doing = f"running {len(before):,} tests before it ({order.name})"
            ended = self._runs.of(self._test, before)
            self._known.orders.append(order.name)
            if not is_known(ended.ending):
                unknown = unknown or ended
            elif not is_same(ended.ending, alone.ending):
                self._known.together, self._known.candidates = ended, len(before)
                return tuple(one for one in before if one not in self._runs.killers)
        if unknown is not None:
            raise _CouldNotTellError(say_unknown("behind other tests", unknown))
        return None

    def _narrow(self, before: tuple[str, ...]) -> tuple[str, ...]:
        near = likely_first(self._test, before)
        self._runs.doing = f"narrowing {len(before):,} tests down"
        if 0 < len(near) <= len(before) // 2 and self._shows(near):
            before = near
        return narrow(before, self._shows)

    def _shows(self, before: Sequence[str], *, again: bool = False) -> bool:
        known = self._known
        assert known.alone is not None  # noqa: S101  the first thing that is found out
        assert known.together is not None  # noqa: S101  and this the second
        ended = self._runs.of(self._test, before, by_chance=again) if before else known.alone
        if not is_known(ended.ending):
            raise _CouldNotTellError(say_unknown(f"behind {len(before)} of the tests", ended))
        is_shown = is_same(ended.ending, known.together.ending)
        if is_shown:
            known.candidates = min(known.candidates or len(before), len(before))
        return is_shown

    def _confirm(self, culprits: tuple[str, ...], alone: Ended) -> Finding:
        self._runs.doing = "confirming"
        together = self._runs.of(self._test, culprits)
        for _ in range(self._repeats):
            for before, expected in ((culprits, together), ((), alone)):
                ended = self._runs.of(self._test, before, by_chance=True)
                if not is_same(ended.ending, expected.ending):
                    reason = say_confirmed_not(culprits, before, expected, ended)
                    raise _CouldNotTellError(reason)
        self._known.together = together
        is_polluted = is_worse(together.ending, alone.ending)
        dependence = Dependence.POLLUTED if is_polluted else Dependence.BRITTLE
        return self.conclude(dependence, say_together(alone, together, culprits), culprits)

    def _conclude_same(self, alone: Ended) -> Finding:
        orders = self._known.orders
        if alone.ending is Ending.PASSED:
            return self.conclude(Dependence.INDEPENDENT, say_independent(orders))
        return self.conclude(Dependence.BROKEN, say_broken(alone, orders))
