"""The map as tables of a Markdown document, between two markers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.errors import MisuseError
from tierwise.report.docstrings import say_what, split_nodeid

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tierwise.records import KeptGapRow
    from tierwise.report.docstrings import Described
    from tierwise.report.map import LevelRow

BEGIN = "<!-- tierwise map: begin -->"
END = "<!-- tierwise map: end -->"
_ESCAPED = str.maketrans(
    {char: f"\\{char}" for char in "\\`*_[]|~"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLine:
    """The tests of one class, or of one file outside of any class."""

    file: str
    group: str
    n_tests: int
    exercises: str


def put_between(document: str, text: str, where: str) -> str:
    """Return the document with the text between the markers, which it must have once, in order."""
    n_begins, n_ends = document.count(BEGIN), document.count(END)
    start, end = document.find(BEGIN), document.find(END)
    if (n_begins, n_ends) != (1, 1) or end < start:
        raise MisuseError(
            f"{where} has {n_begins} begins and {n_ends} ends of the map, expected one of each, "
            f"in order. Put these two lines where the map belongs: {BEGIN} and {END}"
        )
    line = "\r\n" if "\r\n" in document else "\n"
    return f"{document[: start + len(BEGIN)]}{line * 2}{text}{line}{document[end:]}"


def render_document(
    rows: Sequence[LevelRow],
    groups: Mapping[str, Sequence[GroupLine]],
    gaps: Sequence[KeptGapRow],
) -> str:
    """Return all tables; nothing in them changes by itself, such as a time."""
    parts = [_render_levels(rows)]
    for tier, lines in groups.items():
        n = sum(line.n_tests for line in lines)
        name = tier or "no tier"
        parts.append(f"### {escape(name)} ({n} test{'s' * (n != 1)})\n\n{_render_groups(lines)}")
    if gaps:
        parts.append(f"### Known gaps\n\n{_render_gaps(gaps)}")
    return "\n".join(parts)


def group_tests(
    names: Iterable[str], described: Mapping[str, Mapping[str, Described]]
) -> tuple[GroupLine, ...]:
    """Return the tests of a tier counted by file and class; `described` goes by file."""
    found: dict[tuple[str, str], list[str]] = {}
    for nodeid in names:
        file, group, test = split_nodeid(nodeid)
        found.setdefault((file, group), []).append(test)
    return tuple(
        GroupLine(
            file=file,
            group=group,
            n_tests=len(tests),
            exercises=say_what(described.get(file, {}).get(group), tests),
        )
        for (file, group), tests in sorted(found.items())
    )


def escape(text: str) -> str:
    """Return a text as a cell of a table shows it: no markup, no HTML, one line."""
    return " ".join(text.translate(_ESCAPED).split())


def _render_levels(rows: Sequence[LevelRow]) -> str:
    head = ("Level", "Name", "Question", "Tiers", "Tests", "Evidence", "Status", "Why")
    return _table(
        head,
        [
            (
                str(row.number),
                row.level,
                " ".join(row.questions),
                ", ".join((*row.tiers, *row.evidence.served_by)),
                say_outcomes(row),
                say_evidence(row),
                row.status,
                row.reason,
            )
            for row in rows
        ],
    )


def _render_groups(lines: Sequence[GroupLine]) -> str:
    rows = [(line.file, line.group, str(line.n_tests), line.exercises) for line in lines]
    return _table(("File", "Class", "Tests", "What they exercise"), rows)


def _render_gaps(gaps: Sequence[KeptGapRow]) -> str:
    rows = [
        (row.nodeid, row.gap.reason, row.gap.ticket, "over" if row.gap.is_over else "open")
        for row in gaps
    ]
    return _table(("Test", "Gap", "Ticket", "State"), rows)


def say_outcomes(row: LevelRow) -> str:
    """Return how a level's tests ended, such as `41 passed, 1 failed`."""
    return ", ".join(
        f"{row.outcomes[outcome]} {outcome.replace('_', ' ')}"
        for outcome in Outcome
        if row.outcomes.get(outcome)
    )


def say_evidence(row: LevelRow) -> str:
    """Return what else speaks for a level, each as how many of how many."""
    known = row.evidence
    proven = sum(n for verdict, n in row.verdicts.items() if verdict == "proven")
    told = (
        (known.contracts.good, known.contracts.of, "implementations verified"),
        (known.guards.good, known.guards.of, "guards caught"),
        (proven, sum(row.verdicts.values()), "expectations proven"),
        (known.gates.good, known.gates.of, "gates ok"),
    )
    return ", ".join(f"{good} of {of} {words}" for good, of, words in told if of)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [_line(head), _line(["---"] * len(head))]
    return "\n".join([*lines, *(_line([escape(cell) for cell in row]) for row in rows), ""])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
