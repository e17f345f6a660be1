"""Words of memory that lie apart are read in one go, and each of them tells."""

from __future__ import annotations

import ctypes

import pytest

from tierwise.sandbox.state import gathered
from tierwise.sandbox.state.gathered import WORD, Gathered


@pytest.fixture(params=["followed", "viewed"])
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the interpreter follow pointers, and not."""
    if request.param == "viewed":
        monkeypatch.setattr(gathered, "_follows", lambda: False)
    return str(request.param)


def test_this_interpreter_follows_pointers() -> None:
    """Else each look costs three times as much, and nobody would know."""
    assert gathered._follows()


@pytest.mark.parametrize("n", [1, 2, 100])
def test_each_word_tells(n: int, how: str) -> None:
    """The first, the last and each between; the same number again is no change."""
    numbers = [ctypes.c_uint64(1 << 40 | i) for i in range(n)]
    for number in numbers:
        words = Gathered([*map(ctypes.addressof, numbers)])
        assert words.are_same(), how
        was, number.value = number.value, 1 << 41 | number.value
        assert not words.are_same(), how
        number.value = was
        assert words.are_same(), how


def test_single_bytes_tell(how: str) -> None:
    """One byte of a word is watched, and the one beside it is not."""
    words = [(ctypes.c_ubyte * WORD)(*range(WORD)) for _ in range(3)]
    found = Gathered([ctypes.addressof(each) + 3 for each in words], 1)
    words[1][2] = words[1][4] = 99
    assert found.are_same(), how
    words[1][3] = 99
    assert not found.are_same(), how


def test_none_at_all_are_the_same(how: str) -> None:
    """There is nothing to differ."""
    assert Gathered([]).are_same(), how


def test_what_is_followed_is_what_is_viewed() -> None:
    """Both read the same bytes, in the order of the addresses."""
    numbers = [ctypes.c_uint64(7 * i) for i in range(9)]
    pointers = (ctypes.c_void_p * 9)(*reversed([*map(ctypes.addressof, numbers)]))
    expected = b"".join(bytes(number) for number in reversed(numbers))
    for read in (gathered._follow, gathered._view):
        assert read(pointers, WORD)() == expected
