from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, strategies as st

from tierwise.providers.made_up.patterns import UnsupportedPatternError, compile_pattern

PATTERNS = [
    r"^[A-Z]{2}-\d{4,6}(x|yy)?$",
    r"^\w+@\w+\.(com|org)$",
    r"^(?:a|b(?P<n>c|d))*$",
    r"^[^a-z\d]{3}$",
    r"^[\w.-]{5,}$",
    r"^a{2}b{1,}c{0,2}?$",
    r"^\$\[\]\^.$",
    r"^[]a]+[a-]$",
    r"^\S\D\W\n\t$",
    r"",
    r"a|",
]


@given(seed=st.integers(), pattern=st.sampled_from(PATTERNS))
def test_what_is_drawn_matches(seed: int, pattern: str) -> None:
    """Each drawn text matches its pattern."""
    text = compile_pattern(pattern)(Random(seed))
    assert re.search(pattern, text), (pattern, text)


def test_reach_makes_open_repeats_longer() -> None:
    """An open quantifier can reach a wished-for length."""
    draw = compile_pattern("^a+$", reach=50)
    assert max(len(draw(Random(seed))) for seed in range(50)) > 30


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?=a)b",
        r"(?<!a)b",
        r"\bword",
        r"\p{L}",
        r"(?i)a",
        r"(a",
        r"a)",
        r"[a",
        r"*a",
        r"a{x}",
        "a\\",
        "[[:alpha:]]",
        r"(a)\1",
        "[^ -~]",
    ],
)
def test_what_is_not_known_is_refused(pattern: str) -> None:
    """A pattern beyond the generator's knowledge is refused, not half obeyed."""
    with pytest.raises(UnsupportedPatternError):
        compile_pattern(pattern)(Random(0))
