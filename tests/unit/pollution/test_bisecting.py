"""The search for those who change how a test ends, on suites that are played."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st
from simulated_suite import (
    SimulatedSuite,
    fails_with,
    names,
    own_order,
    passes_with,
    runs_of,
)

from tierwise.pollution.bisecting import bisect_test
from tierwise.pollution.endings import Ending
from tierwise.pollution.findings import Dependence, Finding, Stop
from tierwise.pollution.orders import plan_around

TESTS = names(200)
VICTIM = TESTS[150]


def search(suite: SimulatedSuite, test: str = VICTIM, **options: object) -> Finding:
    orders = plan_around(test, own_order(TESTS), seeds=(1, 2))
    return bisect_test(runs_of(suite), test, orders, **options)  # type: ignore[arg-type]


def test_a_polluter_is_named() -> None:
    """A test that passes alone and fails behind one other has that one as its culprit."""
    suite = SimulatedSuite(leaves={TESTS[17]: "dirt"}, ends={VICTIM: fails_with("dirt")})
    finding = search(suite)
    assert (finding.dependence, finding.culprits) == (Dependence.POLLUTED, (TESTS[17],))
    assert finding.reason == f"passes alone, fails behind {TESTS[17]}"
    assert finding.alone is not None
    assert finding.alone.ending is Ending.PASSED
    assert finding.together is not None
    assert finding.together.ending is Ending.FAILED
    assert finding.together.message == "it was ['dirt']"


def test_few_runs_find_it() -> None:
    """Of 150 tests before it, one is found in log2 runs and those that confirm it."""
    suite = SimulatedSuite(leaves={TESTS[17]: "dirt"}, ends={VICTIM: fails_with("dirt")})
    finding = search(suite, repeats=5)
    # alone twice, the whole, its own file, log2 of 150, five times both.
    assert finding.effort.runs <= 2 + 1 + 1 + 8 + 1 + 10
    assert finding.effort.runs == len(suite.runs)


def test_a_neighbour_is_found_in_its_own_file_first() -> None:
    """A polluter of the same file costs no run of half of the suite."""
    suite = SimulatedSuite(leaves={TESTS[152]: "dirt"}, ends={TESTS[158]: fails_with("dirt")})
    finding = search(suite, TESTS[158])
    assert finding.culprits == (TESTS[152],)
    assert [len(run) for run in suite.runs if len(run) > 20] == [159]


@settings(deadline=None)
@given(
    places=st.sets(st.integers(0, 149), min_size=1, max_size=3),
    is_brittle=st.booleans(),
)
def test_sets_of_one_to_three_are_found_in_both_directions(
    places: set[int], *, is_brittle: bool
) -> None:
    """Whoever is needed together is named, be it to make a test fail or to make it pass."""
    culprits = tuple(TESTS[place] for place in sorted(places))
    decide = passes_with if is_brittle else fails_with
    suite = SimulatedSuite(
        leaves={culprit: culprit for culprit in culprits}, ends={VICTIM: decide(*culprits)}
    )
    finding = search(suite)
    assert finding.culprits == culprits
    assert finding.dependence is (Dependence.BRITTLE if is_brittle else Dependence.POLLUTED)


def test_a_culprit_that_runs_later_is_found_too() -> None:
    """A test that passes in the suite's order is run behind all others as well."""
    suite = SimulatedSuite(leaves={TESTS[190]: "dirt"}, ends={VICTIM: fails_with("dirt")})
    finding = search(suite)
    assert finding.culprits == (TESTS[190],)
    assert finding.orders == ("as collected", "behind all others")


def test_a_healed_victim_is_found_in_reversed_order() -> None:
    """A polluter whose dirt is swept away by a later test shows itself in another order."""
    suite = SimulatedSuite(
        leaves={TESTS[10]: "dirt"}, cleans={TESTS[100]: "dirt"}, ends={VICTIM: fails_with("dirt")}
    )
    finding = search(suite)
    assert finding.culprits == (TESTS[10],)
    assert finding.orders[-1] == "behind all others reversed"


def test_a_test_that_always_passes_has_no_culprit() -> None:
    """Nothing is blamed, and the orders that were tried are told."""
    finding = search(SimulatedSuite())
    assert (finding.dependence, finding.culprits) == (Dependence.INDEPENDENT, ())
    assert "as collected, behind all others" in finding.reason
    assert len(finding.orders) == 5


def test_a_test_that_always_fails_is_not_a_matter_of_order() -> None:
    """It is said to be broken, with why."""
    finding = search(SimulatedSuite(ends={VICTIM: lambda _state: Ending.FAILED}))
    assert finding.dependence is Dependence.BROKEN
    assert "order is not why: it was []" in finding.reason


def test_a_test_that_is_silenced_is_polluted() -> None:
    """To be skipped behind another test is worse than to pass."""

    def skips(state: set[str]) -> Ending:
        return Ending.SKIPPED if "dirt" in state else Ending.PASSED

    suite = SimulatedSuite(leaves={TESTS[1]: "dirt"}, ends={VICTIM: skips})
    finding = search(suite)
    assert (finding.dependence, finding.culprits) == (Dependence.POLLUTED, (TESTS[1],))
    assert "is skipped behind" in finding.reason


@pytest.mark.parametrize("seed", range(300))
def test_a_flaky_test_gets_no_culprit(seed: int) -> None:
    """A test that fails at random, at whatever rate, is never blamed on another one."""
    chance = random.Random(seed)
    rate = chance.choice([0.02, 0.2, 0.5, 0.8, 0.98])

    def flakes(_state: set[str]) -> Ending:
        return Ending.FAILED if chance.random() < rate else Ending.PASSED

    finding = search(SimulatedSuite(ends={VICTIM: flakes}))
    assert finding.culprits == ()
    assert finding.dependence not in (Dependence.POLLUTED, Dependence.BRITTLE)


def test_a_flaky_search_ends_soon() -> None:
    """One wrong answer does not make the search run the suite hundreds of times."""
    calls = iter([Ending.PASSED, Ending.PASSED, Ending.FAILED])

    def once(_state: set[str]) -> Ending:
        return next(calls, Ending.PASSED)

    finding = search(SimulatedSuite(ends={VICTIM: once}))
    assert finding.dependence is Dependence.UNDECIDED
    assert "depends on chance or on time" in finding.reason
    assert finding.effort.runs < 30


def test_a_victim_that_hangs_is_undecided() -> None:
    """A time-out is no failure: it is told as what it is."""

    def hangs(state: set[str]) -> Ending:
        return Ending.TIMED_OUT if "dirt" in state else Ending.PASSED

    finding = search(SimulatedSuite(leaves={TESTS[3]: "dirt"}, ends={VICTIM: hangs}))
    assert finding.dependence is Dependence.UNDECIDED
    assert "does not end in time" in finding.reason
    assert finding.culprits == ()


def test_a_test_that_crashes_on_the_way_is_left_out() -> None:
    """It is taken out and named, and the polluter is found all the same."""
    suite = SimulatedSuite(
        leaves={TESTS[17]: "dirt"},
        ends={
            TESTS[40]: lambda _state: Ending.CRASHED,
            TESTS[60]: lambda _state: Ending.TIMED_OUT,
            VICTIM: fails_with("dirt"),
        },
    )
    finding = search(suite)
    assert finding.culprits == (TESTS[17],)
    assert finding.left_out == (TESTS[40], TESTS[60])


def test_a_victim_that_crashes_has_failed() -> None:
    """A process that dies in the victim is its failure, and the polluter is named."""

    def crashes(state: set[str]) -> Ending:
        return Ending.CRASHED if "dirt" in state else Ending.PASSED

    suite = SimulatedSuite(leaves={TESTS[3]: "dirt"}, ends={VICTIM: crashes})
    assert search(suite).culprits == (TESTS[3],)


def test_ctrl_c_tells_what_is_known() -> None:
    """An interrupted search says how far it had come and blames nobody."""
    suite = SimulatedSuite(
        leaves={TESTS[17]: "dirt"}, ends={VICTIM: fails_with("dirt")}, interrupt_after=7
    )
    finding = search(suite)
    assert (finding.dependence, finding.stopped) == (Dependence.UNDECIDED, Stop.INTERRUPTED)
    assert finding.reason.startswith("interrupted: it passes alone, fails behind others, ")
    assert 1 < finding.candidates < 150


def test_a_budget_ends_the_search() -> None:
    """When the time is over, what is known is told."""
    suite = SimulatedSuite(leaves={TESTS[17]: "dirt"}, ends={VICTIM: fails_with("dirt")})
    orders = plan_around(VICTIM, own_order(TESTS), seeds=())
    finding = bisect_test(runs_of(suite, deadline=4.0), VICTIM, orders)
    assert (finding.dependence, finding.stopped) == (Dependence.UNDECIDED, Stop.BUDGET)
    assert finding.reason.startswith("the time for the search is over: it passes alone")


def test_a_hint_saves_the_search() -> None:
    """What polluted another test is tried first, and confirmed like any other."""
    suite = SimulatedSuite(leaves={TESTS[17]: "dirt"}, ends={VICTIM: fails_with("dirt")})
    finding = search(suite, hints=[(TESTS[90],), (TESTS[5], TESTS[17])])
    assert finding.culprits == (TESTS[17],)
    assert max(len(run) for run in suite.runs) == 3


def test_what_adds_up_is_said_to_add_up() -> None:
    """A test that fails behind many others together gets no list of them."""
    suite = SimulatedSuite(
        leaves={test: test for test in TESTS},
        ends={VICTIM: lambda state: Ending.FAILED if len(state) > 60 else Ending.PASSED},
    )
    finding = search(suite)
    assert finding.dependence is Dependence.UNDECIDED
    assert "adds up" in finding.reason
