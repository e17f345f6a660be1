"""The questions that are asked around each test."""

from __future__ import annotations

from typing import Never

import pytest

from tierwise.sandbox.state.checks import are_all_true, equals, has_none_of, holds


class Odd:
    """Cannot be compared."""

    def __eq__(self, other: object) -> Never:
        raise ValueError

    __hash__ = None  # type: ignore[assignment]  # nothing is looked up by it


def test_names_hold_what_they_are_said_to() -> None:
    """All of them, whatever else there is."""
    names: dict[str, object] = {"zone": "UTC", "shift": 0}
    check = holds(names, zone="UTC", shift=0)
    names["other"] = 1
    assert check()
    names["shift"] = 1
    assert not check()
    names["shift"] = 0
    assert check()
    del names["zone"]
    assert not check()


def test_a_container_is_equal_to_its_copy_until_it_changes() -> None:
    """Live on one side, kept on the other."""
    live = [1, 2]
    check = equals(live, [*live])
    assert check()
    live.append(3)
    assert not check()


def test_a_name_comes() -> None:
    """Any of those that were asked about."""
    names: dict[str, object] = {"other": 1}
    check = has_none_of(names, "uvloop", "numpy")
    assert check()
    names["numpy"] = None
    assert not check()


@pytest.mark.parametrize(
    ("checks", "said"),
    [
        ([], True),
        ([lambda: True, lambda: True], True),
        ([lambda: True, lambda: False], False),
        ([equals([Odd()], [Odd()])], False),
    ],
    ids=["none", "all", "not all", "not to be compared"],
)
def test_all_have_to_say_so(checks: list[object], *, said: bool) -> None:
    """And one that cannot be answered does not."""
    assert are_all_true(checks) is said  # type: ignore[arg-type]  # they are checks
