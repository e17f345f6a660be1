"""Pictures tell those who do not see them what they show."""

from __future__ import annotations

from tierwise.domain import Level
from tierwise.records.report_rows import RunCounts
from tierwise.report.html.plots import draw_history, draw_runs
from tierwise.report.html.values import Line, Report, Source
from tierwise.report.map import LevelRow, Status

SOURCE = Source(project="bell", store="r.db", made_at="", tierwise="1")


def test_a_line_says_its_first_and_its_last_number() -> None:
    """A screen reader hears where an expectation came from and where it is."""
    line = Line(title="leak", detail="", values=(0.25, None, 0.125), last="refuted")
    assert 'aria-label="leak, 3 runs, from 0.25 to 0.125"' in str(draw_history(line))


def test_one_run_has_one_number() -> None:
    """There is no way from one number to itself."""
    line = Line(title="leak", detail="", values=(None, 0.5), last="refuted")
    assert 'aria-label="leak, 2 runs, 0.5"' in str(draw_history(line))


def test_the_runs_are_told_in_their_units() -> None:
    """Numbers of tests are whole, and times have their unit."""
    level = LevelRow(level=Level.UNIT, status=Status.GAP, reason="")
    runs = tuple(
        RunCounts(run_id=str(n), started_at="", outcomes={"passed": n}, duration_s=n)
        for n in (1200, 1300)
    )
    drawn = draw_runs(Report(source=SOURCE, levels=(level,), runs=runs))
    pictures = "".join(str(one["picture"]) for one in drawn)
    assert "passed, 2 runs, from 1,200 to 1,300" in pictures
    assert "time of all tests, 2 runs, from 20 min 00 s to 21 min 40 s" in pictures
