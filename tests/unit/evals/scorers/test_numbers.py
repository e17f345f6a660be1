from __future__ import annotations

import decimal
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tierwise.errors import EvalUsageError, ScorerError
from tierwise.evals.scorers import close_to
from tierwise.evals.scorers.number_text import Unreadable, find_numbers
from tierwise.providers import Answer

NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9)


def read(text: str, mark: Any = ".") -> list[str]:
    """Return the numbers of a text, unreadable ones with a question mark."""
    return [
        f"?{found.text}" if isinstance(found, Unreadable) else f"{found.normalize():f}"
        for found in find_numbers(text, decimal=mark)
    ]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It is 42.", ["42"]),
        ("1,234.5 and 1'000'000 and 1\u202f234", ["1234.5", "1000000", "1234"]),
        ("-3, +4, \u22125, \u20136, .5", ["-3", "4", "-5", "-6", "0.5"]),
        ("6e-3 and 1.5E+3", ["0.006", "1500"]),
        ("12kg, $5, 40%, 3rd, 5's", ["12", "5", "40", "3", "5"]),
        ("2024-05-03", ["2024", "5", "3"]),
        ("10-20 and 3\u20135 and 7 - 8", ["10", "20", "3", "5", "7", "8"]),
        ("(-4) a=-4 f(2)-1", ["-4", "-4", "2", "1"]),
        ("Yes,5. End.6", ["5", "6"]),
        ("共5个 答案是7", ["5", "7"]),
        ("\u0663\u0664", ["34"]),
        ("[7, 8]", ["7", "8"]),
        ("1 234", ["1", "234"]),
        ("25 m\u00b2", ["25"]),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, numbers: list[str]) -> None:
    """Signs, groups, powers, units and other scripts."""
    assert read(text) == numbers


@pytest.mark.parametrize(
    "text",
    ["", "none", "H2O", "v1.2.3", "1.2.3", "10.0.0.1", "x_1", "3a7f", "0x1F", "1e99999", "1_000"],
)
def test_digits_that_are_no_number_are_left_out(text: str) -> None:
    """Names, versions, addresses and codes have digits and no value."""
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "1,5",
        "0,123",
        "1,23,456",
        "\u20ac1.234,56",
        "\u00bd",
        "3\u00bd",
        "10\u00b2",
        "[1,2]",
        "9" * 500,
    ],
)
def test_what_can_be_read_in_two_ways_is_not_guessed(text: str) -> None:
    """It is marked, and whoever judges has to refuse."""
    (found,) = find_numbers(text)
    assert isinstance(found, Unreadable)
    with pytest.raises(ScorerError, match="nobody can read for sure"):
        close_to(text, 1.5, absolute=0.1)


def test_a_decimal_comma_is_read_when_declared() -> None:
    """Then the point groups thousands."""
    assert read("1.234.567,89 und 1,5", ",") == ["1234567.89", "1.5"]
    assert read("3.14", ",") == ["?3.14"]
    assert close_to("1,5 Liter", 1.5, absolute=0, decimal=",")


def test_tolerances_are_absolute_or_relative() -> None:
    """The edge is within, in decimals as written; given both, either suffices."""
    assert close_to(1.1, 1, absolute=0.1)
    assert not close_to(1.11, 1, absolute=0.1)
    assert close_to("about 3.14159", 3.14, relative=0.01)
    assert not close_to("about 3.2", 3.14, relative=0.01)
    assert close_to(105, 100, absolute=1, relative=0.05)
    assert close_to(101, 100, absolute=1, relative=0.001)
    assert not close_to(106, 100, absolute=1, relative=0.05)
    assert close_to(-95, -100, relative=0.05)
    assert close_to(Decimal("0.3"), 0.1 + 0.2, absolute=1e-9)
    assert close_to(7, 7, relative=0)


def test_the_explanation_says_what_was_found() -> None:
    """Number, expectation and tolerance."""
    assert close_to("it is 42", 40, absolute=1).why == "found 42; expected 40, at most 1 off"
    assert close_to("no idea", 40, absolute=1).why == "no number in 'no idea'"


def test_a_reply_without_a_number_is_not_close() -> None:
    """It is a wrong answer, and no error."""
    assert not close_to("I do not know", 40, absolute=1)
    assert not close_to("", 40, absolute=1)
    assert not close_to(Answer[Any](text="forty"), 40, absolute=1)


def test_several_numbers_are_judged_only_where_they_agree() -> None:
    """Where some are close and some are not, somebody has to say which counts."""
    assert close_to("40 or 41", 40, absolute=1)
    assert not close_to("1 or 2", 40, absolute=1)
    with pytest.raises(ScorerError, match=r'Some are close to 40 .*take="last"'):
        close_to("6 times 7 is 40", 40, absolute=1)
    assert close_to("6 times 7 is 40", 40, absolute=1, take="last")
    assert not close_to("6 times 7 is 40", 40, absolute=1, take="first")


def test_what_is_not_taken_need_not_be_readable() -> None:
    """The policy says which number counts."""
    assert close_to("1,5 plus 2 is 3.5", 3.5, absolute=0, take="last")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, None, "4"])
def test_an_expected_number_that_is_none_is_refused(value: Any) -> None:
    """A case without its number must not look like a wrong answer."""
    with pytest.raises(ScorerError, match="expected a finite number"):
        close_to("4", value, absolute=1)


@pytest.mark.parametrize("reply", [float("nan"), float("-inf"), True, None])
def test_a_reply_that_cannot_be_compared_is_refused(reply: Any) -> None:
    """NaN is neither close nor far."""
    with pytest.raises(ScorerError):
        close_to(reply, 4, absolute=1)


def test_a_tolerance_has_to_be_declared() -> None:
    """No tolerance is guessed, none below 0 is taken, and no share of 0."""
    with pytest.raises(EvalUsageError, match="no tolerance"):
        close_to("4", 4)
    with pytest.raises(EvalUsageError, match="0 or more"):
        close_to("4", 4, absolute=-1)
    with pytest.raises(ScorerError, match="relative tolerance of the expected number 0"):
        close_to("0", 0, relative=0.1)
    with pytest.raises(EvalUsageError, match="take='newest'"):
        close_to("4", 4, absolute=1, take="newest")  # type: ignore[arg-type]


def test_a_program_s_own_rounding_does_not_reach_the_comparison() -> None:
    """Somebody else's decimal context is not ours."""
    with decimal.localcontext(prec=2, Emax=3, Emin=-3):
        assert not close_to("123456", 123400, absolute=1)
        assert close_to("123456.5", 123456, absolute=0.5)


@settings(deadline=None)
@given(NUMBERS)
def test_each_plain_number_is_read_as_itself(number: Decimal) -> None:
    """Alone and in a sentence."""
    assert find_numbers(f"{number:f}") == (number,)
    assert find_numbers(f"It is {number:f}, I think.") == (number,)
    assert close_to(f"It is {number:f} kg.", number, absolute=0)


@settings(deadline=None)
@given(NUMBERS, NUMBERS, st.decimals(min_value=0, max_value=10**6, allow_nan=False))
def test_close_is_symmetric(first: Decimal, second: Decimal, slack: Decimal) -> None:
    """The distance has no direction."""
    assert close_to(first, second, absolute=slack) == close_to(second, first, absolute=slack)


@settings(deadline=None)
@given(st.text(st.sampled_from("0123456789.,'-+eE x\u00a0\u00bd\u00b2\u0663"), max_size=30))
def test_any_digits_are_read_or_marked(text: str) -> None:
    """No text of digits and marks breaks the reading, under either mark."""
    for mark in (".", ","):
        for found in find_numbers(text, decimal=mark):  # type: ignore[arg-type]
            assert isinstance(found, Unreadable) or found.is_finite()


@settings(deadline=None)
@given(st.text())
def test_any_reply_is_judged_or_refused(text: str) -> None:
    """Nothing else comes out."""
    try:
        assert isinstance(close_to(text, 1, absolute=1).value, bool)
    except ScorerError as error:
        assert "The reply has" in str(error)  # noqa: PT017  both ends are allowed
