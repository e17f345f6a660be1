"""Orders in which a suite is run."""

from __future__ import annotations

from tierwise.pollution.orders import Order, likely_first, plan_around, plan_orders, shuffled

TESTS = ("a.py::1", "a.py::2", "b.py::1", "b.py::2", "b.py::3")
OWN = Order(name="as collected", tests=TESTS)


def test_a_suite_is_run_as_it_is_reversed_and_shuffled() -> None:
    """Each order holds all tests once, under a name that repeats it."""
    orders = list(plan_orders(TESTS, seeds=(1, 2)))
    assert [order.name for order in orders] == [
        "as collected",
        "reversed",
        "shuffled by seed 1",
        "shuffled by seed 2",
    ]
    assert orders[0].tests == TESTS
    assert orders[1].tests == TESTS[::-1]
    assert all(sorted(order.tests) == sorted(TESTS) for order in orders)
    assert len({order.tests for order in orders}) == 4


def test_a_seed_repeats_its_order() -> None:
    """The same seed shuffles alike, whenever and wherever."""
    assert shuffled(TESTS, 1) == shuffled(TESTS, 1) != shuffled(TESTS, 2)


def test_around_a_test_all_orders_end_in_it() -> None:
    """First what runs before it, then all others, then these in other orders."""
    orders = list(plan_around("b.py::1", OWN, seeds=(1,)))
    assert [order.tests[-1] for order in orders] == ["b.py::1"] * 4
    assert orders[0].tests == ("a.py::1", "a.py::2", "b.py::1")
    assert orders[1].tests == ("a.py::1", "a.py::2", "b.py::2", "b.py::3", "b.py::1")
    assert orders[2].tests == ("b.py::3", "b.py::2", "a.py::2", "a.py::1", "b.py::1")


def test_the_last_test_is_not_run_behind_all_others_twice() -> None:
    """What runs before it are all others already."""
    names = [order.name for order in plan_around("b.py::3", OWN, seeds=())]
    assert names == ["as collected", "behind all others reversed"]


def test_a_lonely_test_has_no_other_orders() -> None:
    """Where nothing else is, there is one order."""
    alone = Order(name="as collected", tests=("a.py::1",))
    assert [order.before("a.py::1") for order in plan_around("a.py::1", alone, (1,))] == [()]


def test_those_of_its_own_file_are_likely() -> None:
    """They keep their order."""
    assert likely_first("b.py::3", TESTS[:4]) == ("b.py::1", "b.py::2")
