from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tierwise.config import Config, tier_of
from tierwise.config.matching import count_literals, matches
from tierwise.domain import Level, Tier
from tierwise.errors import ConfigError


def tier(name: str, *paths: str) -> Tier:
    return Tier(name=name, level=Level.UNIT, paths=paths)


def config(*tiers: Tier) -> Config:
    return Config(root=Path("/project"), tiers=tiers)


def claimed(path: str, *tiers: Tier) -> str | None:
    found = tier_of(config(*tiers), path)
    return found.name if found else None


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("tests/unit", "tests/unit/test_a.py", True),
        ("tests/unit", "tests/unit/deep/er/test_a.py", True),
        ("tests/unit", "tests/unittest/test_a.py", False),
        ("tests/unit", "src/tests/unit/test_a.py", False),
        ("tests/test_a.py", "tests/test_a.py", True),
        ("tests/test_*.py", "tests/test_a.py", True),
        ("packages/*/tests", "packages/core/tests/test_a.py", True),
        ("packages/*/tests", "packages/core/sub/tests/test_a.py", False),
        ("**/tests", "a/b/tests/test_a.py", True),
        ("**/tests", "tests/test_a.py", True),
        ("a/**/tests", "a/x/y/tests/test_a.py", True),
        ("a/**/tests", "b/x/tests/test_a.py", False),
        ("tests/[ab]", "tests/b/test_a.py", True),
    ],
)
def test_a_pattern_claims_what_it_matches_and_what_is_below(
    pattern: str, path: str, *, expected: bool
) -> None:
    """`*` stays within a segment, `**` spans segments, and a folder claims its contents."""
    assert matches(pattern, path.split("/")) is expected


def test_the_most_literal_segments_win() -> None:
    """A more exact pattern takes a path from a wider one, wherever they stand in the file."""
    wide, exact = tier("wide", "packages/*/tests"), tier("exact", "packages/core/tests")
    assert claimed("packages/core/tests/test_a.py", wide, exact) == "exact"
    assert claimed("packages/core/tests/test_a.py", exact, wide) == "exact"
    assert claimed("packages/other/tests/test_a.py", exact, wide) == "wide"


def test_a_path_that_nobody_claims_has_no_tier() -> None:
    """Unclaimed is None, never a guess."""
    assert claimed("src/test_a.py", tier("unit", "tests/unit")) is None


def test_a_tie_is_a_configuration_error() -> None:
    """Two tiers that are equally exact about a path are refused with both patterns."""
    one, two = tier("one", "packages/*/tests"), tier("two", "packages/core/*")
    with pytest.raises(ConfigError) as caught:
        tier_of(config(one, two), "packages/core/tests/test_a.py")
    message = str(caught.value)
    assert "packages/core/tests/test_a.py" in message
    assert "'one' by 'packages/*/tests'" in message
    assert "'two' by 'packages/core/*'" in message


def test_two_patterns_of_one_tier_are_no_tie() -> None:
    """A tier may claim a path twice."""
    assert claimed("a/b/test_a.py", tier("one", "a/*", "*/b")) == "one"


def test_a_tie_is_settled_by_a_third_more_exact_pattern() -> None:
    """Only the best patterns have to differ."""
    tiers = (tier("one", "a/*/c"), tier("two", "a/b/*"), tier("three", "a/b/c"))
    assert claimed("a/b/c/test_a.py", *tiers) == "three"


SEGMENTS = st.text(alphabet="abc", min_size=1, max_size=3)


@given(st.lists(SEGMENTS, min_size=1, max_size=4), st.lists(SEGMENTS, max_size=3))
def test_a_literal_pattern_claims_exactly_its_folder(folder: list[str], below: list[str]) -> None:
    """A folder's own path is a pattern that claims it, with as many literals as segments."""
    pattern = "/".join(folder)
    assert matches(pattern, folder + below)
    assert not matches(pattern, folder[:-1])
    assert count_literals(pattern) == len(folder)
