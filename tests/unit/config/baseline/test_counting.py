"""Which tier an accepted violation belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tierwise.config import parse_config
from tierwise.config.baseline import Baseline, Entry, count_by_tier
from tierwise.domain import Capability

CONFIG = parse_config(
    {"tiers": {"unit": {"level": "unit", "paths": ["tests/unit"]}}}, Path("/project")
)


@pytest.mark.parametrize(
    ("test", "place"),
    [
        ("tests/unit/a.py::t", "tests/unit/a.py"),
        ("tests/unit/end of a.py::t", "tests/unit/end of a.py"),
        ("tests/unit", "tests/unit"),
        ("the module fixture 'x' of tests/unit/a.py", "tests/unit/a.py"),
        ("the class fixture 'x of y' of tests/unit/a.py::TestX", "tests/unit/a.py"),
        ("setUpClass of tests/unit/a.py::TestX", "tests/unit/a.py"),
        ("collecting tests/unit/a.py", "tests/unit/a.py"),
        ("the session fixture 'x'", ""),
        ("outside of any test", ""),
    ],
)
def test_an_entry_lies_where_its_test_or_fixture_does(test: str, place: str) -> None:
    """A fixture of a plugin lies nowhere."""
    assert Entry(test=test, capability=Capability.TMP, target="x").path == place


def test_entries_are_counted_by_tier() -> None:
    """What no tier claims is counted apart."""
    tests = ("tests/unit/a.py::t", "tests/unit", "elsewhere/a.py::t", "the session fixture 'x'")
    entries = tuple(Entry(test=test, capability=Capability.TMP, target="{tmp}") for test in tests)
    assert count_by_tier(CONFIG, Baseline(entries=entries)) == {"unit": 2, "": 2}
