"""What a green build proves, in one sentence and four numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.contracts.standing import State
from tierwise.domain import Outcome, Verdict
from tierwise.report.html.wording import tone_of
from tierwise.report.map import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.report.html.values import ProofLine, Report
    from tierwise.report.html.wording import Tone
    from tierwise.report.map import LevelRow


_MOST_NAMED = 3
"""So many kinds of trouble stand in the title; the sections have them all."""

_BEGIN = "Run `pytest`; what it comes to is recorded and shown here."
_DECLARE = (
    "This project has no [tool.tierwise] table, so nothing is recorded: run `tierwise init`, "
    "then `pytest`."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number that stands large: `n` of `total`, and what it counts."""

    n: int
    total: int | None
    label: str
    is_alarm: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The first thing that is read."""

    title: str
    sentence: str
    is_alarm: bool
    figures: tuple[Figure, ...]


def write_headline(report: Report) -> Headline:
    """Return what the build proves, or what keeps it from proving that."""
    outcomes = Counter(test.outcome for test in report.tests)
    verdicts = Counter(
        str(judgement.verdict) for part in report.evals for judgement in part.judgements
    )
    is_bad = bool(_troubles(report, outcomes, verdicts))
    return Headline(
        title=_title(report, outcomes, verdicts),
        sentence=_sentence(report),
        is_alarm=bool(is_bad or report.violations or not report.tests),
        figures=_figures(report, outcomes, verdicts),
    )


def _title(report: Report, outcomes: Counter[Outcome], verdicts: Counter[str]) -> str:
    if not report.tests:
        return "Nothing is known yet"
    if trouble := _troubles(report, outcomes, verdicts):
        more = ["more"] if len(trouble) > _MOST_NAMED else []
        return _listed([*trouble[:_MOST_NAMED], *more])
    if outcomes[Outcome.PASSED] == 0:
        return "Nothing has passed yet"
    doubts = _doubts(report, outcomes, verdicts)
    return f"Nothing fails, but {doubts}" if doubts else "All that was run passed"


def _troubles(report: Report, outcomes: Counter[Outcome], verdicts: Counter[str]) -> list[str]:
    sides = [one.state for part in report.contracts for one in part.standings]
    known = [
        (outcomes[Outcome.FAILED], "test fails", "tests fail"),
        (outcomes[Outcome.ERROR], "test ends in an error", "tests end in errors"),
        (verdicts[Verdict.REFUTED], "expectation is refuted", "expectations are refuted"),
        (sides.count(State.BROKEN), "contract is broken", "contracts are broken"),
        (_count_bad(report.guards), "guard stays green", "guards stay green"),
        (_count_bad(report.gates), "gate is not ok", "gates are not ok"),
    ]
    return [_count(*each) for each in known if each[0]]


def _count_bad(lines: Iterable[ProofLine]) -> int:
    return _count_toned(lines, "bad")


def _count_toned(lines: Iterable[ProofLine], tone: Tone) -> int:
    return sum(tone_of(line.state) == tone for line in lines)


def _doubts(report: Report, outcomes: Counter[Outcome], verdicts: Counter[str]) -> str:
    unseen = outcomes[Outcome.UNOBSERVABLE]
    unjudged = sum(part.verdict == "not judged" for part in report.evals)
    said = [
        (len(report.violations), "violation is recorded", "violations are recorded"),
        (verdicts[Verdict.UNDECIDED], "expectation is undecided", "expectations are undecided"),
        (unjudged, "eval is not judged", "evals are not judged"),
        (unseen, "test could not be told", "tests could not be told"),
        (_count_toned(report.guards, "doubt"), "guard is undecided", "guards are undecided"),
        (_count_toned(report.gates, "doubt"), "gate read nothing", "gates read nothing"),
    ]
    return _listed([_count(*each) for each in said if each[0]])


def _sentence(report: Report) -> str:
    if not report.tests and all(row.status is Status.GAP for row in report.levels):
        return _BEGIN if report.source.is_declared else _DECLARE
    by_status = {status: _named(report.levels, status) for status in Status}
    parts = []
    if by_status[Status.COVERED]:
        parts.append(f"Proven on this state of the code: {by_status[Status.COVERED]}.")
    else:
        parts.append("No level is proven on this state of the code.")
    if by_status[Status.PARTIAL]:
        parts.append(f"In part: {by_status[Status.PARTIAL]}.")
    if by_status[Status.GAP]:
        parts.append(f"Nothing is known of {by_status[Status.GAP]}.")
    return " ".join(parts)


def _named(levels: Iterable[LevelRow], status: Status) -> str:
    return _listed([str(row.level) for row in levels if row.status is status])


def _listed(parts: Sequence[str]) -> str:
    if len(parts) > 1:
        return f"{', '.join(parts[:-1])} and {parts[-1]}"
    return "".join(parts)


def _figures(
    report: Report, outcomes: Counter[Outcome], verdicts: Counter[str]
) -> tuple[Figure, ...]:
    covered = sum(row.status is Status.COVERED for row in report.levels)
    bad = outcomes[Outcome.FAILED] + outcomes[Outcome.ERROR]
    n_untold = sum(outcomes[kind] for kind in (Outcome.UNOBSERVABLE, Outcome.NOT_RUN))
    refuted = verdicts[Verdict.REFUTED] > 0
    return (
        Figure(n=covered, total=len(report.levels), label="levels covered"),
        Figure(
            n=outcomes[Outcome.PASSED],
            total=len(report.tests),
            label="tests passed",
            is_alarm=bad > 0,
        ),
        Figure(
            n=verdicts[Verdict.PROVEN],
            total=verdicts.total(),
            label="expectations of the model proven",
            is_alarm=refuted,
        ),
        Figure(n=n_untold, total=None, label="tests not run or not observable"),
    )


def _count(n: int, one: str, many: str) -> str:
    return f"{n:,} {one if n == 1 else many}"
