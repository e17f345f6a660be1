"""The first sentence says what a build proves, and never more."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Judgement, Level, Outcome, Verdict
from tierwise.records.rows import PlanRow
from tierwise.records.scores import PlanUsage
from tierwise.report.html.headline import write_headline
from tierwise.report.html.values import (
    EvalPart,
    ProofLine,
    Report,
    Source,
    TestLine,
    ViolationLine,
)
from tierwise.report.map import LevelRow, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCE = Source(
    project="bell", store="records.db", made_at="2026-11-30T10:00:00+00:00", tierwise="1"
)

UNDECLARED = "This project has no [tool.tierwise] table"


def report(outcomes: Sequence[Outcome] = (), statuses: Sequence[Status] = ()) -> Report:
    levels = tuple(
        LevelRow(level=level, status=status, reason="")
        for level, status in zip(Level, statuses, strict=False)
    )
    tests = tuple(
        TestLine(
            nodeid=f"t{n}", tier="unit", outcome=outcome, duration_s=0, message="", started_at=""
        )
        for n, outcome in enumerate(outcomes)
    )
    return Report(source=SOURCE, levels=levels, tests=tests)


def judged(*verdicts: Verdict) -> EvalPart:
    judgements = tuple(
        Judgement(expectation="e", metric="m", verdict=verdict, reason="", n_scored=1, n_planned=1)
        for verdict in verdicts
    )
    plan = PlanRow(
        run_id="r",
        plan_hash="p",
        eval_id="e",
        tier="evals",
        n_cases=1,
        trials=1,
        n_planned=1,
        provider="x",
    )
    return EvalPart(
        plan=plan,
        provider="x",
        started_at="",
        is_finished=True,
        verdict=str(verdicts[0]) if verdicts else "not judged",
        judgements=judgements,
        outcomes={},
        controls={},
        usage=PlanUsage(),
    )


PASSED, FAILED, ERROR, UNSEEN, LEFT = (
    Outcome.PASSED,
    Outcome.FAILED,
    Outcome.ERROR,
    Outcome.UNOBSERVABLE,
    Outcome.NOT_RUN,
)


@pytest.mark.parametrize(
    ("outcomes", "verdicts", "title", "is_alarm"),
    [
        ([], None, "Nothing is known yet", True),
        ([PASSED], None, "All that was run passed", False),
        ([PASSED, LEFT], None, "All that was run passed", False),
        ([LEFT], None, "Nothing has passed yet", False),
        ([PASSED, UNSEEN], None, "Nothing fails, but 1 test could not be told", False),
        ([PASSED, FAILED], None, "1 test fails", True),
        ([FAILED, FAILED, ERROR], None, "2 tests fail and 1 test ends in an error", True),
        ([PASSED], (Verdict.PROVEN,), "All that was run passed", False),
        ([PASSED], (Verdict.REFUTED,), "1 expectation is refuted", True),
        ([PASSED], (Verdict.UNDECIDED,), "Nothing fails, but 1 expectation is undecided", False),
        ([PASSED], (), "Nothing fails, but 1 eval is not judged", False),
    ],
)
def test_the_title_says_the_worst_that_is_known(
    outcomes: list[Outcome], verdicts: tuple[Verdict, ...] | None, title: str, *, is_alarm: bool
) -> None:
    """Failures come before doubts, doubts before good news; nothing known is no good news."""
    evals = () if verdicts is None else (judged(*verdicts),)
    headline = write_headline(replace(report(outcomes), evals=evals))
    assert (headline.title, headline.is_alarm) == (title, is_alarm)


def test_a_violation_is_no_good_news() -> None:
    """All tests passed and one of them touched what it may not: that is said."""
    touch = ViolationLine(nodeid="t", tier="unit", capability="tmp", target="/tmp/x", stack=())  # noqa: S108
    headline = write_headline(replace(report([PASSED]), violations=(touch,)))
    assert headline.title == "Nothing fails, but 1 violation is recorded"
    assert headline.is_alarm


def test_the_sentence_names_each_level_once() -> None:
    """What is proven, what is in part and what is a gap are all named."""
    found = report([PASSED], [Status.COVERED, Status.COVERED, Status.PARTIAL, Status.GAP])
    assert write_headline(found).sentence == (
        "Proven on this state of the code: static and unit. In part: component. "
        "Nothing is known of contract."
    )


@pytest.mark.parametrize(
    ("is_declared", "way_on"),
    [
        (True, "Run `pytest`; what it comes to is recorded and shown here."),
        (False, f"{UNDECLARED}, so nothing is recorded: run `tierwise init`, then `pytest`."),
    ],
)
def test_where_nothing_is_known_the_way_on_is_said(*, is_declared: bool, way_on: str) -> None:
    """Twelve names of gaps help nobody who has only begun."""
    found = report(statuses=[Status.GAP] * 12)
    source = replace(SOURCE, is_declared=is_declared)
    assert write_headline(replace(found, source=source)).sentence == way_on


def test_levels_that_are_known_without_a_test_are_still_named() -> None:
    """A gate may cover a level where no test was run."""
    found = report(statuses=[Status.COVERED, Status.GAP])
    assert write_headline(found).sentence.startswith("Proven on this state of the code: static.")


def test_guards_and_gates_that_could_not_tell_are_doubts() -> None:
    """Could-not-tell is never fine, whoever could not."""
    lines = {
        "guards": (ProofLine(name="g", state="undecided"),),
        "gates": (ProofLine(name="a", state="nothing_read"), ProofLine(name="b", state="ok")),
    }
    headline = write_headline(replace(report([PASSED]), **lines))  # type: ignore[arg-type]
    assert headline.title == "Nothing fails, but 1 guard is undecided and 1 gate read nothing"


def test_no_covered_level_is_said() -> None:
    """Where nothing is proven the sentence begins with that."""
    found = report([PASSED], [Status.PARTIAL])
    assert write_headline(found).sentence.startswith("No level is proven on this state")


def test_every_number_says_what_it_rests_on() -> None:
    """Passed of all tests, proven of all expectations; what could not be told stands apart."""
    found = replace(
        report([PASSED, FAILED, UNSEEN, LEFT], [Status.COVERED, Status.GAP]),
        evals=(judged(Verdict.PROVEN, Verdict.UNDECIDED),),
    )
    numbers = [(figure.n, figure.total) for figure in write_headline(found).figures]
    assert numbers == [(1, 2), (1, 4), (1, 2), (2, None)]


@pytest.mark.parametrize(
    ("kind", "states", "title"),
    [
        ("guards", ["proven", "refuted"], "1 guard stays green"),
        ("guards", ["proven", "undecided"], "Nothing fails, but 1 guard is undecided"),
        ("gates", ["ok", "stale", "broken"], "2 gates are not ok"),
        ("gates", ["ok", "nothing_read"], "Nothing fails, but 1 gate read nothing"),
    ],
)
def test_guards_and_gates_speak_in_the_title(kind: str, states: list[str], title: str) -> None:
    """A guard that missed its sabotage and a gate that is not ok are no good news."""
    lines = tuple(ProofLine(name=state, state=state) for state in states)
    headline = write_headline(replace(report([PASSED]), **{kind: lines}))  # type: ignore[arg-type]
    assert headline.title == title


def test_the_title_names_three_kinds_of_trouble() -> None:
    """More than three are said to be more; the page has them all."""
    gate = (ProofLine(name="bundle", state="broken"),)
    found = replace(report([FAILED, ERROR]), evals=(judged(Verdict.REFUTED),), gates=gate)
    assert write_headline(found).title == (
        "1 test fails, 1 test ends in an error, 1 expectation is refuted and more"
    )
