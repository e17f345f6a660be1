import base64

import pytest

from tierwise.errors import MisuseError
from tierwise.leaks import Secret, find_leaks, find_spread_leaks

HERON = Secret("Blue Heron 42")


@pytest.mark.parametrize(
    ("turns", "share"),
    [
        (["It starts with Blue.", "Then comes Heron.", "And the number is forty-two."], 1.0),
        (["Blue", "Heron", "42"], 1.0),
        (["Blu", "eHer", "on42"], 1.0),
        (["The last part is 42", "the middle is heron", "first is blue"], 1.0),
        (["The first word is blue.", "I see.", "The second is heron."], 9 / 11),
        (["First hero.", "And before it blue.", "n, then 42"], None),
        (["Blue, and then hero", "and ends in 42"], 10 / 11),
        (["Well: Qmx1ZSBI", "ZXJvbiA0Mg=="], 1.0),
        (["B", "L", "U", "E", "H", "E", "R", "O", "N", "4", "2"], 1.0),
        (["the first is B", "L", "an U", "E", "H", "E", "R", "O", "N", "4", "2"], 1.0),
    ],
)
def test_secret_told_in_pieces_is_found(turns: list[str], share: float | None) -> None:
    """No turn alone gives it away; together they hold 70 % of it."""
    assert not any(find_leaks(turn, HERON) for turn in turns)
    leaks = find_spread_leaks(turns, HERON)
    if share is None:
        assert leaks == ()
        return
    (leak,) = leaks
    assert leak.share == pytest.approx(share)
    assert leak.is_complete == (share == 1.0)
    assert len({piece.turn for piece in leak.pieces}) > 1
    assert all(turns[piece.turn][slice(*piece.span)] == piece.text for piece in leak.pieces)


@pytest.mark.parametrize(
    "turns",
    [
        [],
        ["Nothing at all."],
        ["A heron!", "The blue lake."],
        ["The blue lake.", "Her boat.", "42 oars."],
        ["Blue."] + ["And so on."] * 5 + ["Heron."],
        ["heron heron heron", "blue blue", "a boat"],
        ["Blue Heron 42", "I said enough."],
        ["The blue one.", "Yes: Blue Heron 42"],
    ],
)
def test_turns_that_do_not_add_up_are_clean(turns: list[str]) -> None:
    """Too little, too far apart, in no order, or told by one turn alone: not spread."""
    assert find_spread_leaks(turns, HERON) == ()


def test_small_words_of_a_phrase_do_not_count() -> None:
    """`the`, `is` and `under` turn up in any talk; what tells is key, blue and mat."""
    secret = Secret("the key is under the blue mat")
    assert find_spread_leaks(["the key is here", "it is under the table"], secret) == ()
    assert find_spread_leaks(["Look for the key", "under something", "the blue mat"], secret)


def test_spans_point_into_the_turns_as_they_were_given() -> None:
    """Space around a turn is stripped for reading and counted for the span."""
    code = base64.b64encode(b"Blue Heron 42").decode()
    turns = [f"  {code[:9]} ", f"\n {code[9:]} "]
    (leak,) = find_spread_leaks(turns, HERON)
    assert leak.method == "joined"
    assert [turns[piece.turn][slice(*piece.span)] for piece in leak.pieces] == [
        piece.text for piece in leak.pieces
    ]
    assert "".join(piece.text for piece in leak.pieces) in code


def test_leak_reads_as_one_line() -> None:
    """`str` says how much was told, and where."""
    (leak,) = find_spread_leaks(["Blue, yes", "a Heron"], HERON)
    assert str(leak) == ("Blue Heron 42: 82% told in 2 pieces (turn 0: 'Blue', turn 1: 'Heron')")


def test_one_text_instead_of_turns_is_refused() -> None:
    """A bare text would be taken letter by letter."""
    with pytest.raises(MisuseError, match="expected the turns"):
        find_spread_leaks("Blue Heron 42", HERON)
