"""The search for tests that depend on order, in a whole suite."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tierwise.pollution.bisecting import REPEATS, bisect_test
from tierwise.pollution.endings import Ended, Ending, is_known, is_same
from tierwise.pollution.findings import Dependence, Finding, OrderRun, Stop, VictimReport
from tierwise.pollution.orders import Order, plan_orders
from tierwise.pollution.runs import BudgetSpentError, find_killer
from tierwise.pollution.wording import say_gone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tierwise.pollution.runs import Runs

ALONE = "alone"
_TOLD = frozenset({Dependence.POLLUTED, Dependence.BRITTLE, Dependence.UNDECIDED})


@dataclass(frozen=True, slots=True, kw_only=True)
class VictimPlan:
    """How thoroughly a suite is searched."""

    seeds: tuple[int, ...] = (1, 2, 3)
    is_isolated: bool = True
    """Is each test run alone as well?"""
    repeats: int = REPEATS


@dataclass(slots=True, kw_only=True)
class Seen:
    """How each test ended, where."""

    endings: dict[str, dict[str, Ended]] = field(default_factory=dict)
    orders: list[OrderRun] = field(default_factory=list)
    by_name: dict[str, Order] = field(default_factory=dict)
    isolated: int = 0
    findings: list[Finding] = field(default_factory=list)
    unsearched: tuple[str, ...] = ()

    def add(self, where: str, test: str, ended: Ended) -> None:
        """Keep what says something about the test."""
        if is_known(ended.ending):
            self.endings.setdefault(test, {})[where] = ended

    def victims(self) -> tuple[str, ...]:
        """Return the tests that ended in more than one way, in the suite's order."""
        return tuple(test for test, places in self.endings.items() if _differ(places))


def search_victims(runs: Runs, tests: Sequence[str], plan: VictimPlan) -> VictimReport:
    """Return which tests depend on order and on whom, as far as time allows."""
    seen, stopped = Seen(), None
    try:
        _run_orders(runs, tests, plan, seen)
        if plan.is_isolated:
            _run_alone(runs, tests, seen)
        _bisect_all(runs, seen, plan)
    except BudgetSpentError:
        stopped = Stop.BUDGET
    except KeyboardInterrupt:
        stopped = Stop.INTERRUPTED
    searched = {finding.test for finding in seen.findings}
    return VictimReport(
        tests=len(tests),
        findings=tuple(one for one in seen.findings if one.dependence in _TOLD),
        orders=tuple(seen.orders),
        isolated=seen.isolated,
        unsearched=tuple(test for test in seen.victims() if test not in searched),
        broken=_broken(seen),
        killers=tuple(runs.killers.items()),
        stopped=stopped,
        effort=runs.effort,
    )


def _run_orders(runs: Runs, tests: Sequence[str], plan: VictimPlan, seen: Seen) -> None:
    """Run the suite in each order; what hides others is taken out, and the order run again."""
    for order in plan_orders(tests, plan.seeds):
        runs.doing = f"running {len(tests):,} tests {order.name}"
        start = runs.effort.seconds
        seen.by_name[order.name] = order
        try:
            endings = _run_whole(runs, order)
        except BudgetSpentError as spent:
            _keep_order(seen, order, spent.endings, runs.effort.seconds - start)
            raise
        _keep_order(seen, order, endings, runs.effort.seconds - start)


def _keep_order(seen: Seen, order: Order, endings: Mapping[str, Ended], seconds: float) -> None:
    for test, ended in endings.items():
        seen.add(order.name, test, ended)
    n_run = sum(is_known(ended.ending) for ended in endings.values())
    seen.orders.append(
        OrderRun(name=order.name, run=n_run, tests=len(order.tests), seconds=seconds)
    )


def _run_whole(runs: Runs, order: Order) -> dict[str, Ended]:
    """Run an order until nothing in it crashes or hangs; each that does costs a run more."""
    while True:
        kept = [test for test in order.tests if test not in runs.killers]
        endings = runs.take(kept) if kept else {}
        killer = find_killer(kept, endings)
        if killer is None:
            return dict(endings)
        runs.killers[killer] = endings[killer]
        _find_more_killers(runs, kept[kept.index(killer) + 1 :])


def _find_more_killers(runs: Runs, rest: Sequence[str]) -> None:
    """Go on behind a test that crashed, to find all of its kind before the order is run again."""
    while rest:
        endings = runs.take(rest)
        killer = find_killer(rest, endings)
        if killer is None:
            return
        runs.killers[killer] = endings[killer]
        rest = rest[rest.index(killer) + 1 :]


def _run_alone(runs: Runs, tests: Sequence[str], seen: Seen) -> None:
    victims = set(seen.victims())
    # Those that differ are asked first: their culprits cannot be searched without it.
    for number, test in enumerate(sorted(tests, key=lambda one: one not in victims)):
        if test in runs.killers:
            continue
        runs.doing = f"running each of {len(tests):,} tests alone: {number:,} done"
        ended = runs.of(test, ())
        seen.isolated += 1
        seen.add(ALONE, test, ended)
        if ended.ending in (Ending.CRASHED, Ending.TIMED_OUT):
            runs.killers[test] = ended


def _bisect_all(runs: Runs, seen: Seen, plan: VictimPlan) -> None:
    hints: list[tuple[str, ...]] = []
    victims = [test for test in seen.victims() if test not in runs.killers]
    for number, test in enumerate(victims):
        runs.about = f"test {number + 1} of {len(victims)} that depends on order: "
        orders = _orders_for(runs, seen, test)
        finding = bisect_test(runs, test, orders, hints=hints, repeats=plan.repeats)
        if finding.stopped is not None:
            raise BudgetSpentError if finding.stopped is Stop.BUDGET else KeyboardInterrupt
        if finding.dependence not in _TOLD:
            reason = say_gone(finding.reason)
            finding = replace(finding, dependence=Dependence.UNDECIDED, reason=reason)
        seen.findings.append(finding)
        if finding.culprits and finding.culprits not in hints:
            hints.insert(0, finding.culprits)
    runs.about = ""


def _orders_for(runs: Runs, seen: Seen, test: str) -> Iterator[Order]:
    """Return the orders in which a test has ended otherwise than alone, of which it is known."""
    places = seen.endings[test]
    for name, order in seen.by_name.items():
        if name in places:
            runs.remember(test, order.before(test), places[name])
            if ALONE not in places or not is_same(places[name].ending, places[ALONE].ending):
                yield order


def _differ(places: Mapping[str, Ended]) -> bool:
    endings = [ended.ending for ended in places.values()]
    return any(not is_same(endings[0], ending) for ending in endings[1:])


def _broken(seen: Seen) -> tuple[str, ...]:
    return tuple(
        test
        for test, places in seen.endings.items()
        if all(ended.ending in (Ending.FAILED, Ending.CRASHED) for ended in places.values())
    )
