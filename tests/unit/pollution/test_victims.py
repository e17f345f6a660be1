"""The search for victims in a whole suite, on suites that are played."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st
from simulated_suite import SimulatedSuite, fails_with, names, passes_with, runs_of

from tierwise.pollution.endings import Ending
from tierwise.pollution.findings import Dependence, Stop
from tierwise.pollution.victims import VictimPlan, search_victims

TESTS = names(60)
PLAN = VictimPlan(seeds=(1, 2, 3))


def test_a_clean_suite_has_no_victims() -> None:
    """Nothing is found, and it is told what was tried."""
    report = search_victims(runs_of(SimulatedSuite()), TESTS, PLAN)
    assert report.findings == report.unsearched == report.broken == report.killers == ()
    assert [order.name for order in report.orders] == [
        "as collected",
        "reversed",
        "shuffled by seed 1",
        "shuffled by seed 2",
        "shuffled by seed 3",
    ]
    assert {order.run for order in report.orders} == {60}
    assert (report.tests, report.isolated, report.stopped) == (60, 60, None)


@settings(deadline=None)
@given(polluter=st.integers(0, 59), victim=st.integers(0, 59), is_brittle=st.booleans())
def test_each_pair_is_found_wherever_it_stands(
    polluter: int, victim: int, *, is_brittle: bool
) -> None:
    """Before or behind each other, a victim and its culprit are found and named."""
    if polluter == victim:
        return
    decide = passes_with if is_brittle else fails_with
    suite = SimulatedSuite(leaves={TESTS[polluter]: "it"}, ends={TESTS[victim]: decide("it")})
    report = search_victims(runs_of(suite), TESTS, PLAN)
    (finding,) = report.findings
    assert (finding.test, finding.culprits) == (TESTS[victim], (TESTS[polluter],))
    assert finding.dependence is (Dependence.BRITTLE if is_brittle else Dependence.POLLUTED)


def test_victims_of_one_polluter_share_its_search() -> None:
    """Once a polluter is known, each further victim costs no run of many tests."""
    victims = TESTS[20:30]
    suite = SimulatedSuite(
        leaves={TESTS[3]: "dirt"}, ends={victim: fails_with("dirt") for victim in victims}
    )
    report = search_victims(runs_of(suite), TESTS, PLAN)
    assert [finding.test for finding in report.findings] == list(victims)
    assert {finding.culprits for finding in report.findings} == {(TESTS[3],)}
    long = [run for run in suite.runs if len(run) > 2]
    assert len(long) <= 5 + 7


def test_crashing_and_hanging_tests_are_found_and_left_out() -> None:
    """All are named after the first order, and whatever they hid is found."""
    suite = SimulatedSuite(
        leaves={TESTS[5]: "dirt"},
        ends={
            TESTS[10]: lambda _state: Ending.CRASHED,
            TESTS[30]: lambda _state: Ending.TIMED_OUT,
            TESTS[40]: fails_with("dirt"),
        },
    )
    report = search_victims(runs_of(suite), TESTS, PLAN)
    assert [(test, ended.ending) for test, ended in report.killers] == [
        (TESTS[10], Ending.CRASHED),
        (TESTS[30], Ending.TIMED_OUT),
    ]
    assert [finding.test for finding in report.findings] == [TESTS[40]]
    assert report.orders[0].run == 58


def test_broken_tests_are_apart() -> None:
    """A test that fails everywhere is no victim."""
    suite = SimulatedSuite(ends={TESTS[7]: lambda _state: Ending.FAILED})
    report = search_victims(runs_of(suite), TESTS, PLAN)
    assert (report.findings, report.broken) == ((), (TESTS[7],))


def test_a_flaky_test_is_undecided() -> None:
    """A test that ended in two ways, and then does not, is told and blamed on nobody."""
    calls = iter([Ending.FAILED])
    suite = SimulatedSuite(ends={TESTS[7]: lambda _state: next(calls, Ending.PASSED)})
    report = search_victims(runs_of(suite), TESTS, PLAN)
    (finding,) = report.findings
    assert (finding.dependence, finding.culprits) == (Dependence.UNDECIDED, ())


def test_the_budget_says_how_far_it_got() -> None:
    """Victims that nobody had the time for are listed as such."""
    suite = SimulatedSuite(leaves={TESTS[3]: "dirt"}, ends={TESTS[20]: fails_with("dirt")})
    report = search_victims(runs_of(suite, deadline=40.0), TESTS, PLAN)
    assert report.stopped is Stop.BUDGET
    assert report.unsearched == (TESTS[20],)
    assert 0 < report.isolated < 60


def test_ctrl_c_says_how_far_it_got() -> None:
    """Interrupted while victims are searched, those that were found stay found."""
    suite = SimulatedSuite(
        leaves={TESTS[3]: "dirt"}, ends={TESTS[20]: fails_with("dirt")}, interrupt_after=70
    )
    report = search_victims(runs_of(suite), TESTS, PLAN)
    assert (report.stopped, report.isolated) == (Stop.INTERRUPTED, 60)
    assert report.unsearched == (TESTS[20],)


def test_without_isolated_runs_orders_alone_decide() -> None:
    """Where each test alone is too dear, orders find what they can."""
    suite = SimulatedSuite(leaves={TESTS[3]: "dirt"}, ends={TESTS[20]: fails_with("dirt")})
    plan = VictimPlan(seeds=(1,), is_isolated=False)
    report = search_victims(runs_of(suite), TESTS, plan)
    assert (report.isolated, [one.culprits for one in report.findings]) == (0, [(TESTS[3],)])
