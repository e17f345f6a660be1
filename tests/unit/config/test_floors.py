import pytest

from tierwise.config.floors import check_floors, is_older
from tierwise.errors import FloorError


@pytest.mark.parametrize(
    ("version", "floor", "expected"),
    [
        ("3.11.7", "3.11", False),
        ("3.11", "3.11.0", False),
        ("3.9.1", "3.11", True),
        ("3.37", "3.37.2", True),
        ("10.0", "9.9", False),
        ("2.0rc1", "2.0", True),
        ("2.0.dev3", "2.0", True),
        ("2.0.post1", "2.0", False),
        ("2.0+local.1", "2.0", False),
        ("2.1a1", "2.0", False),
        ("unknown", "0.1", True),
    ],
)
def test_versions_are_compared_as_numbers(version: str, floor: str, *, expected: bool) -> None:
    """A pre-release is older than its release, and what cannot be read counts as older."""
    assert is_older(version, floor) is expected


def test_an_engine_below_its_floor_is_refused_with_both_versions() -> None:
    """The message names the engine, its floor and what is installed."""
    with pytest.raises(FloorError, match=r"sqlite 3\.37 or newer is required, and 3\.34\.1"):
        check_floors({"python": "3.11", "sqlite": "3.37"}, {"python": "3.13", "sqlite": "3.34.1"})


def test_a_missing_engine_is_below_every_floor() -> None:
    """Not installed is not fine."""
    with pytest.raises(FloorError, match="django is not installed"):
        check_floors({"django": "5"}, {"django": None})


def test_engines_at_or_above_their_floors_pass() -> None:
    """Nothing is raised when every engine is new enough."""
    check_floors({"python": "3.11"}, {"python": "3.11.0"})
