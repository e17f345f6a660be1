"""Which test a person means, and where culprits are looked for."""

from __future__ import annotations

import pytest

from tierwise.errors import MisuseError
from tierwise.pollution.choosing import choose_test, limit_order
from tierwise.pollution.orders import Order

TESTS = (
    "tests/unit/test_a.py::test_one",
    "tests/unit/test_a.py::test_one_more",
    "tests/unit/test_a.py::TestCart::test_add",
    "tests/test_b.py::test_odd[a[b]]",
    "tests/test_b.py::test_odd[gr\\xfcn]",
    "tests/test_b.py::test_two[only]",
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (TESTS[0], 0),
        ("test_one", 0),
        ("one_more", 1),
        ("unit/test_a.py::test_one", 0),
        ("TestCart", 2),
        ("test_odd[a[b]]", 3),
        ("test_odd[grün]", 4),
        ("test_two", 5),
    ],
)
def test_a_part_that_one_test_has_is_enough(text: str, meant: int) -> None:
    """A whole name goes before a part of a longer one; ids may be written as they look."""
    assert choose_test(TESTS, text) == TESTS[meant]


def test_a_part_of_several_is_refused() -> None:
    """They are listed, the first five of them."""
    with pytest.raises(MisuseError, match=r"'test_odd' is a part of 2 tests: .*\[a\[b\]\], "):
        choose_test(TESTS, "test_odd")
    with pytest.raises(MisuseError, match=r"'test' is a part of 6 tests: .* and 1 more\."):
        choose_test(TESTS, "test")


@pytest.mark.parametrize(
    ("text", "close"),
    [("test_oen", TESTS[0]), ("tests/unit/test_a.py::test_oen", TESTS[0])],
)
def test_a_typing_error_is_answered_with_the_closest(text: str, close: str) -> None:
    """Whoever mistypes a name or a node id is shown the test that comes closest."""
    with pytest.raises(MisuseError) as caught:
        choose_test(TESTS, text)
    assert f"Did you mean {close!r}? 6 were collected" in str(caught.value)


def test_nothing_close_is_not_made_up() -> None:
    """A text like no name gets no suggestion, and the way to a list."""
    with pytest.raises(MisuseError, match=r"named 'qqqqq'\. 6 were collected; `pytest --collect"):
        choose_test(TESTS, "qqqqq")


@pytest.mark.parametrize(
    ("place", "kept"),
    [
        ("tests/test_b.py", (0, 3, 4, 5)),
        ("./tests/unit/", (0, 1, 2)),
        ("tests/unit/test_a.py::TestCart", (0, 2)),
        (TESTS[3], (0, 3)),
        (".", (0, 1, 2, 3, 4, 5)),
    ],
)
def test_an_order_is_limited_to_places(place: str, kept: tuple[int, ...]) -> None:
    """Files, folders, classes and ids are places; the test itself always stays."""
    order = Order(name="as collected", tests=TESTS)
    assert limit_order(order, TESTS[0], [place]).tests == tuple(TESTS[i] for i in kept)


def test_without_places_an_order_stays() -> None:
    """Nothing given means everywhere."""
    order = Order(name="as collected", tests=TESTS)
    assert limit_order(order, TESTS[0], []) is order


def test_a_place_without_tests_is_refused() -> None:
    """Culprits that are looked for where nobody is would never be found."""
    order = Order(name="as collected", tests=TESTS)
    with pytest.raises(MisuseError, match="--with tests/un: no test but"):
        limit_order(order, TESTS[0], ["tests/un"])
