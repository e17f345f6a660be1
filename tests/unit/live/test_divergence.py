from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest

from tierwise.errors import MisuseError
from tierwise.live import PremiseError, assert_divergent, divergent, swap_test


@dataclass(frozen=True)
class Row:
    id: str
    price: float
    free: bool = False


def parse(**fields: object) -> Row:
    """Read a row as a parser does that derives one field from another."""
    price = float(str(fields.get("price", 1.0)))
    return Row(id=str(fields["id"]), price=price, free=price == 0)


def test_rows_differ_in_what_their_sides_say_and_in_nothing_else() -> None:
    """A pair of rows with one id and two prices."""
    pair = divergent(Row, {"id": "probe"}, go={"price": 0.0}, zen={"price": 3.0})
    assert pair == {"go": Row("probe", 0.0), "zen": Row("probe", 3.0)}


def test_sides_that_agree_prove_nothing() -> None:
    """A fixture whose sides are alike is found where it is built."""
    with pytest.raises(PremiseError, match=r"go and zen: price is 1\.0 on both sides"):
        divergent(Row, {"id": "probe"}, go={"price": 1.0}, zen={"price": 1.0})


def test_a_parser_that_makes_both_sides_alike_is_found() -> None:
    """What has to differ is what the parser made of the sides, not what was handed to it."""
    with pytest.raises(PremiseError, match="price is"):
        divergent(
            lambda **fields: Row(str(fields["id"]), 0.0),
            {"id": "probe"},
            go={"price": 0.0},
            zen={"price": 3.0},
        )


def test_what_a_parser_renames_is_compared_by_its_name_there() -> None:
    """A cost that becomes a flag has to differ as the flag, which no side says."""
    pair = divergent(parse, {"id": "x"}, differ=["free"], go={"price": 0}, zen={"price": 3})
    assert (pair["go"].free, pair["zen"].free) == (True, False)
    with pytest.raises(PremiseError, match="free is False on both sides"):
        divergent(parse, {"id": "x"}, differ=["free"], go={"price": 2}, zen={"price": 3})


def test_each_two_of_three_sides_have_to_differ() -> None:
    """A third source that agrees with one of the others hides a wrong read of it."""
    with pytest.raises(PremiseError, match="a and c"):
        divergent(Row, {"id": "x"}, a={"price": 1.0}, b={"price": 2.0}, c={"price": 1.0})


def test_a_side_that_leaves_a_field_to_a_default_is_refused() -> None:
    """A default would decide what differs."""
    with pytest.raises(MisuseError, match="'zen' does not say price"):
        divergent(parse, {"id": "x"}, go={"price": 0.0}, zen={})


def test_one_side_alone_is_refused() -> None:
    """There is nothing to disagree with."""
    with pytest.raises(MisuseError, match=r"got 1 side"):
        divergent(Row, {"id": "x"}, go={"price": 0.0})


def test_two_things_have_to_differ_in_each_field() -> None:
    """One field that agrees is enough to fail, and is named with its value."""
    left, right = {"price": 1, "free": True}, {"price": 2, "free": True}
    assert_divergent(left, right, ["price"])
    with pytest.raises(PremiseError, match="free is True on both sides"):
        assert_divergent(left, right, ["price", "free"])


def test_two_things_may_have_to_agree_elsewhere() -> None:
    """The premise that makes a fixture necessary is asserted beside it."""
    left, right = Row("a", 1.0), Row("a", 2.0)
    assert_divergent(left, right, ["price"], agree=["id", "free"])
    with pytest.raises(PremiseError, match=r"free is False in go and True in zen"):
        assert_divergent(
            left, Row("a", 2.0, free=True), ["price"], agree=["free"], names=("go", "zen")
        )


def test_a_field_that_is_nowhere_differs_nowhere() -> None:
    """A misspelt field is no difference."""
    with pytest.raises(PremiseError, match="prize is '<missing>' on both sides"):
        assert_divergent(Row("a", 1.0), Row("a", 2.0), ["prize"])


@pytest.mark.parametrize("fields", ["price", []])
def test_fields_are_a_list_of_one_or_more(fields: list[str]) -> None:
    """No field at all would hold for any two things."""
    with pytest.raises(MisuseError, match="one field or more"):
        assert_divergent(Row("a", 1.0), Row("a", 2.0), fields)


GO, ZEN = Row("p", 0.0, free=True), Row("p", 3.0)


def test_a_decision_that_reads_one_of_two_sources_changes_with_them() -> None:
    """Exchanging the sources exchanges the result."""
    swapped = swap_test(lambda go, _zen: go.free, GO, ZEN)
    assert (swapped.as_given, swapped.exchanged) == (True, False)


@pytest.mark.parametrize(
    "decide",
    [
        lambda _go, _zen: True,
        lambda go, zen: go.free or zen.free,
        lambda go, zen: max(go.price, zen.price),
    ],
)
def test_a_decision_that_does_not_tell_its_sources_apart_fails(decide) -> None:  # noqa: ANN001
    """A constant, and whatever treats both alike, are caught."""
    with pytest.raises(AssertionError, match="does not depend on which of the two"):
        swap_test(decide, GO, ZEN)


def test_equal_sources_prove_nothing() -> None:
    """Exchanging what is equal cannot change anything."""
    with pytest.raises(PremiseError, match="exchanging them changes nothing"):
        swap_test(lambda go, _zen: go, GO, GO)


def test_a_decision_that_changes_by_itself_proves_nothing() -> None:
    """A counter or a random choice would pass for one that reads its sources."""
    counter = itertools.count()
    with pytest.raises(PremiseError, match="changes with nothing exchanged, from 0 to 2"):
        swap_test(lambda _go, _zen: next(counter), GO, ZEN)
