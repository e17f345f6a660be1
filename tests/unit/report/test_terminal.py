"""The map as text keeps every level and every number."""

from __future__ import annotations

import io
import json

from rich.console import Console

from tierwise.domain import Level, Outcome, Tier
from tierwise.report.evidence import Evidence, Share
from tierwise.report.map import TierFacts, Whole, draw_map
from tierwise.report.terminal import (
    map_as_data,
    render_map,
    render_tiers,
    summarise_map,
    tiers_as_data,
)

ROWS = draw_map(
    [
        Tier(name="unit", level=Level.UNIT),
        Tier(name="flows", level=Level.INTEGRATION),
    ],
    {
        "unit": TierFacts(outcomes={Outcome.PASSED: 7}, whole=Whole.NOW),
        "flows": TierFacts(outcomes={Outcome.PASSED: 2, Outcome.UNOBSERVABLE: 1}, whole=Whole.NOW),
    },
)


def test_every_level_is_a_line_with_its_status_and_reason() -> None:
    """The table has the twelve levels, each with status, tiers, tests and why."""
    out = io.StringIO()
    Console(file=out, width=120).print(render_map(ROWS))
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    assert "unit covered unit 7 all 7 passed on this state of the code" in lines
    assert "integration partial flows 3 1 unobservable" in lines
    assert "chaos gap no tier serves this level" in lines
    assert sum(any(line.startswith(level) for level in Level) for line in lines) == len(Level)


def test_the_summary_counts_the_levels_by_status() -> None:
    """The sentence below the table adds up to twelve."""
    assert summarise_map(ROWS) == "1 covered, 1 partial, 10 gap"


def test_the_data_names_the_evidence_of_a_level() -> None:
    """--json says how many of how many, what serves the level, and what has no record."""
    known = Evidence(gates=Share(good=1, of=2), served_by=("mypy",), missing=("ruff",))
    rows = map_as_data(draw_map([], {}, {Level.STATIC: known}))
    assert (rows[0]["number"], rows[0]["level"]) == (1, "static")
    assert rows[0]["evidence"] == {
        "contracts": {"good": 0, "of": 0},
        "guards": {"good": 0, "of": 0},
        "gates": {"good": 1, "of": 2},
        "served_by": ["mypy"],
        "missing": ["ruff"],
    }


def test_the_data_survives_json_with_all_five_outcomes() -> None:
    """--json names each outcome, those that did not occur too."""
    (row,) = (r for r in json.loads(json.dumps(map_as_data(ROWS))) if r["level"] == "integration")
    assert row["status"] == "partial"
    assert row["outcomes"] == {
        "passed": 2,
        "failed": 0,
        "error": 0,
        "unobservable": 1,
        "not_run": 0,
    }


TIERS = [
    Tier(name="unit", level=Level.UNIT, question="Does one module decide rightly?"),
    Tier(name="evals", level=Level.ACCEPTANCE, deliberate=True),
]
FACTS = {"unit": TierFacts(outcomes={Outcome.PASSED: 7, Outcome.FAILED: 1}, duration_s=0.25)}


def test_the_tiers_show_their_question_counts_time_and_violations() -> None:
    """One row a tier; one that never ran says so instead of showing zeros."""
    out = io.StringIO()
    Console(file=out, width=120).print(render_tiers(TIERS, FACTS))
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    assert "unit 8 7 0.25 s 0 Does one module decide rightly?" in lines
    assert "evals (deliberate) never ran" in lines


def test_the_tiers_data_survives_json() -> None:
    """--by tier --json names every tier, those that never ran too."""
    unit, evals = json.loads(json.dumps(tiers_as_data(TIERS, FACTS)))
    assert (unit["tier"], unit["tests"], unit["outcomes"]["failed"]) == ("unit", 8, 1)
    assert (evals["tests"], evals["last_run"], evals["deliberate"]) == (0, None, True)
