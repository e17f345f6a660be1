"""The map as a table for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from tierwise.domain import Outcome
from tierwise.report.map import LevelRow, Status, TierFacts
from tierwise.report.markdown import say_evidence, say_outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.domain import Tier
    from tierwise.report.evidence import Evidence

_STYLE = {Status.COVERED: "green", Status.PARTIAL: "yellow", Status.GAP: "dim"}


def render_map(rows: Iterable[LevelRow]) -> Table:
    """Return the twelve levels as a table: status, tiers, tests and the reason in words."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("level", "status", "tiers"):
        table.add_column(name, no_wrap=True)
    table.add_column("tests", justify="right")
    table.add_column("why", overflow="fold")
    for row in rows:
        table.add_row(
            row.level,
            Text(row.status, style=_STYLE[row.status]),
            ", ".join(row.tiers),
            str(row.n_tests) if row.n_tests else "",
            Text(row.reason),  # the output of a command is no markup
            style="dim" if row.status == Status.GAP else None,
        )
    return table


def render_wide_map(rows: Iterable[LevelRow]) -> Table:
    """Return all that the map knows of each level, for a wide terminal or a file."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("level", "status", "tiers"):
        table.add_column(name, no_wrap=True)
    for outcome in Outcome:
        table.add_column(
            outcome.replace("_", " "), justify="right", no_wrap=True, min_width=len(outcome)
        )
    table.add_column("last run", no_wrap=True)
    for name in ("evidence", "why", "question"):
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(
            row.level,
            Text(row.status, style=_STYLE[row.status]),
            Text(", ".join((*row.tiers, *row.evidence.served_by))),
            *(str(row.outcomes.get(outcome) or "") for outcome in Outcome),
            (row.last_run or "")[:16].replace("T", " "),
            say_evidence(row),
            Text(row.reason),
            Text(" ".join(row.questions)),
            style="dim" if row.status == Status.GAP else None,
        )
    return table


def list_wide_map(rows: Iterable[LevelRow]) -> str:
    """Return what `render_wide_map` shows as lines, for a terminal that is too narrow for it."""
    return "\n".join(line for row in rows for line in _lines_of(row))


def _lines_of(row: LevelRow) -> Iterable[str]:
    yield f"{row.number}. {row.level}: {row.status}"
    told = {
        "why": row.reason,
        "served by": ", ".join((*row.tiers, *row.evidence.served_by)),
        "tests": say_outcomes(row),
        "evidence": say_evidence(row),
        "last run": (row.last_run or "")[:16].replace("T", " "),
        "question": " ".join(row.questions),
    }
    yield from (f"   {name + ':':<10} {said}" for name, said in told.items() if said)


def render_tiers(tiers: Iterable[Tier], facts: Mapping[str, TierFacts]) -> Table:
    """Return each tier with its question, tests, those that passed, time and violations."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("tier", no_wrap=True)
    for name in ("tests", "passed", "time", "violations"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("question", overflow="fold")
    for tier in tiers:
        known = facts.get(tier.name, TierFacts())
        table.add_row(
            f"{tier.name} (deliberate)" if tier.deliberate else tier.name,
            *_numbers(known),
            Text(tier.question),  # whoever wrote it meant no markup
            style=None if known.n_tests else "dim",
        )
    return table


def _numbers(known: TierFacts) -> tuple[str, ...]:
    if not known.n_tests:
        return ("never ran", "", "", "")
    passed = known.outcomes.get(Outcome.PASSED, 0)
    return (
        str(known.n_tests),
        str(passed),
        f"{known.duration_s:.2f} s",
        str(known.violations),
    )


def tiers_as_data(
    tiers: Iterable[Tier], facts: Mapping[str, TierFacts]
) -> list[Mapping[str, object]]:
    """Return the tiers as plain data for `--by tier --json`."""
    return [
        {
            "tier": tier.name,
            "level": tier.level,
            "question": tier.question,
            "deliberate": tier.deliberate,
            **_tier_data(facts.get(tier.name, TierFacts())),
        }
        for tier in tiers
    ]


def _tier_data(known: TierFacts) -> Mapping[str, object]:
    return {
        "tests": known.n_tests,
        "outcomes": {outcome: known.outcomes.get(outcome, 0) for outcome in Outcome},
        "violations": known.violations,
        "duration_s": known.duration_s,
        "last_run": known.last_run,
        "verdicts": dict(known.verdicts),
    }


def summarise_map(rows: Iterable[LevelRow]) -> str:
    """Return one sentence that counts the levels by status."""
    counted = dict.fromkeys(Status, 0)
    for row in rows:
        counted[row.status] += 1
    return ", ".join(f"{n} {status}" for status, n in counted.items())


def map_as_data(rows: Iterable[LevelRow]) -> list[Mapping[str, object]]:
    """Return the map as plain data for `--json`."""
    return [
        {
            "number": row.number,
            "level": row.level,
            "status": row.status,
            "reason": row.reason,
            "tiers": list(row.tiers),
            "questions": list(row.questions),
            "tests": row.n_tests,
            "outcomes": {outcome: row.outcomes.get(outcome, 0) for outcome in Outcome},
            "verdicts": dict(row.verdicts),
            "last_run": row.last_run,
            "evidence": _evidence_data(row.evidence),
        }
        for row in rows
    ]


def _evidence_data(known: Evidence) -> Mapping[str, object]:
    shares = {"contracts": known.contracts, "guards": known.guards, "gates": known.gates}
    return {
        **{name: {"good": share.good, "of": share.of} for name, share in shares.items()},
        "served_by": list(known.served_by),
        "missing": list(known.missing),
    }
