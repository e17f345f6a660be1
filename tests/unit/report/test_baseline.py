"""The reviewed baseline below which no level may fall."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tierwise.domain import Level
from tierwise.errors import ConfigError
from tierwise.report.baseline import find_fallen, read_baseline, write_baseline
from tierwise.report.map import Status, draw_map

ROWS = draw_map([], {})


def test_what_is_written_is_read() -> None:
    """All twelve levels, in order, and nothing that changes by itself."""
    text = write_baseline(ROWS)
    assert read_baseline(text, "map.json") == dict.fromkeys(Level, Status.GAP)
    assert list(json.loads(text)) == ["version", "levels"]
    assert text.endswith("}\n")


@pytest.mark.parametrize(
    ("before", "now", "fell"),
    [
        (before, now, i > j)
        for i, before in enumerate((Status.GAP, Status.PARTIAL, Status.COVERED))
        for j, now in enumerate((Status.GAP, Status.PARTIAL, Status.COVERED))
    ],
)
def test_a_level_fell_when_it_is_less_covered(before: Status, now: Status, fell: bool) -> None:  # noqa: FBT001
    """Staying and rising are fine."""
    rows = [replace(ROWS[0], status=now, reason="1 failed")]
    fallen = find_fallen(rows, {Level.STATIC: before})
    assert bool(fallen) is fell
    assert [str(one) for one in fallen] == (
        [f"static fell from {before} to {now}: 1 failed"] if fell else []
    )


LEVELS = {str(level): "gap" for level in Level}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ("[]", "its version is None, expected 1"),
        ('{"version": 2}', "its version is 2, expected 1"),
        ('{"version": 1, "levels": []}', "no table `levels`"),
        (json.dumps({"version": 1, "levels": LEVELS | {"units": "gap"}}), "Did you mean 'unit'"),
        (json.dumps({"version": 1, "levels": {"unit": "gap"}}), "does not say how 'static' was"),
        (json.dumps({"version": 1, "levels": LEVELS | {"e2e": "cover"}}), "mean 'covered'"),
        (json.dumps({"version": 1, "levels": LEVELS | {"e2e": ["gap"]}}), "e2e is \\['gap'\\]"),
    ],
)
def test_a_baseline_that_is_not_understood_is_refused(text: str, message: str) -> None:
    """What cannot be compared with is no baseline, and the next step is named."""
    with pytest.raises(ConfigError, match=f"(?s)map.json.*{message}.*--save-baseline"):
        read_baseline(text, "map.json")
