"""The smallest part of a sequence that shows something."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from tierwise.pollution.narrowing import (
    MOST_TOGETHER,
    InconsistentError,
    TooManyError,
    drop_idle,
    narrow,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


class Question:
    """Counts how often it is asked whether all of `needed` are there, in order."""

    def __init__(self, *needed: str) -> None:
        self.needed, self.asked, self.tests = needed, 0, 0

    def __call__(self, tests: Sequence[str], /, *, again: bool = False) -> bool:
        """Answer one question."""
        del again
        self.asked += 1
        self.tests += len(tests)
        return [one for one in tests if one in self.needed] == list(self.needed)


def letters(n: int) -> list[str]:
    return [f"t{i:04}" for i in range(n)]


@settings(deadline=None)
@given(st.data())
def test_any_planted_set_is_found(data: st.DataObject) -> None:
    """One, two or three culprits at any places are found, whole and in their order."""
    n = data.draw(st.integers(min_value=1, max_value=200))
    size = data.draw(st.integers(min_value=1, max_value=min(3, n)))
    places = sorted(data.draw(st.sets(st.integers(0, n - 1), min_size=size, max_size=size)))
    candidates = letters(n)
    planted = tuple(candidates[place] for place in places)
    assert narrow(candidates, Question(*planted)) == planted


@pytest.mark.parametrize("place", [0, 1, 999, 1_998, 1_999])
def test_one_culprit_costs_log2_runs_and_one(place: int) -> None:
    """Of 2,000 candidates one is found in 12 runs, which run each about once."""
    candidates = letters(2_000)
    question = Question(candidates[place])
    assert narrow(candidates, question) == (candidates[place],)
    assert question.asked <= math.ceil(math.log2(2_000)) + 1
    assert question.tests <= 2_000 + 12


def test_two_culprits_cost_log2_runs_each() -> None:
    """Two of 2,000 are found in three times log2 runs and a few, wherever they stand."""
    candidates = letters(2_000)
    question = Question(candidates[3], candidates[1_700])
    assert narrow(candidates, question) == (candidates[3], candidates[1_700])
    assert question.asked <= 3 * math.ceil(math.log2(2_000)) + 8


def test_a_healer_between_does_not_mislead() -> None:
    """A test that heals what the polluter left is no reason to name the wrong one."""
    candidates = letters(40)

    def shows(tests: Sequence[str], /, *, again: bool = False) -> bool:
        del again
        is_bad = False
        for one in tests:
            is_bad = one in ("t0005", "t0030") or (is_bad and one != "t0010")
        return is_bad

    assert narrow(candidates, shows) == ("t0030",)


def test_alternatives_yield_one_of_them() -> None:
    """Where either of two suffices, one is named and not both."""
    candidates = letters(16)

    def shows(tests: Sequence[str], /, *, again: bool = False) -> bool:
        del again
        return "t0002" in tests or "t0012" in tests

    assert narrow(candidates, shows) in (("t0002",), ("t0012",))


def test_answers_that_fit_nothing_are_no_culprit() -> None:
    """Where nothing shows it any more, nobody is named."""
    with pytest.raises(InconsistentError):
        narrow(letters(64), lambda tests, /, *, again=False: False)


def test_more_than_a_person_can_use_are_not_listed() -> None:
    """What takes more tests than sixteen together is said to add up."""
    candidates = letters(40)
    question = Question(*candidates[: MOST_TOGETHER + 1])
    with pytest.raises(TooManyError):
        narrow(candidates, question)
    assert len(narrow(candidates, Question(*candidates[:MOST_TOGETHER]))) == MOST_TOGETHER


def test_members_that_do_nothing_are_dropped() -> None:
    """A set is named without those that it does not need."""
    assert drop_idle(["a", "b", "c"], Question("b")) == ("b",)
    assert drop_idle(["a", "b", "c"], Question("a", "c")) == ("a", "c")
