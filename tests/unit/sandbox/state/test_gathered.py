"""Words of memory that lie apart are compared in one go, and each of them tells."""

from __future__ import annotations

import ctypes
import gc

import pytest

from tierwise.sandbox.state import gathered
from tierwise.sandbox.state.gathered import WORD, watch_words


@pytest.fixture(params=["followed", "viewed"])
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the interpreter follow pointers, and not."""
    if request.param == "viewed":
        monkeypatch.setattr(gathered, "_follows", lambda: False)
    return str(request.param)


def test_this_interpreter_follows_pointers() -> None:
    """Else each look costs many times as much, and nobody would know."""
    assert gathered._follows()


@pytest.mark.parametrize("n", [1, 2, 100])
def test_each_word_tells(n: int, how: str) -> None:
    """The first, the last and each between; the same number again is no change."""
    numbers = [ctypes.c_uint64(1 << 40 | i) for i in range(n)]
    for number in numbers:
        are_same = watch_words([*map(ctypes.addressof, numbers)])
        assert are_same(), how
        was, number.value = number.value, 1 << 41 | number.value
        assert not are_same(), how
        number.value = was
        assert are_same(), how


def test_each_byte_of_a_word_tells_and_none_beside_it(how: str) -> None:
    """A word need not begin where words usually do."""
    around = (ctypes.c_ubyte * (2 * WORD))(*range(2 * WORD))
    are_same = watch_words([ctypes.addressof(around) + 3])
    for at in range(2 * WORD):
        around[at] ^= 0xFF
        assert are_same() is not (3 <= at < 3 + WORD), (how, at)
        around[at] ^= 0xFF


def test_what_was_kept_is_what_counts(how: str) -> None:
    """Not what is there when the question is made."""
    number = ctypes.c_uint64(3 << 40)
    are_same = watch_words([ctypes.addressof(number)], [1 << 40])
    assert not are_same(), how
    number.value = 1 << 40
    assert are_same(), how


def test_none_at_all_are_the_same(how: str) -> None:
    """There is nothing to differ."""
    assert watch_words([])(), how


def test_a_check_needs_nobody_to_keep_what_it_reads_by(how: str) -> None:
    """The pointers live as long as it does, whatever is made in the place of what is gone."""
    numbers = [ctypes.c_uint64(i) for i in range(1000)]
    are_same = watch_words([*map(ctypes.addressof, numbers)])
    gc.collect()
    others = [(ctypes.c_void_p * 1000)() for _ in range(100)]
    assert are_same(), how
    del others
