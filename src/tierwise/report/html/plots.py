"""What the page draws: expectations, differences and runs, each as a small picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.evals.table import judgement_numbers
from tierwise.report.html import svg
from tierwise.report.html.templating import mark_safe
from tierwise.report.html.text import shorten, show_text
from tierwise.report.html.wording import say_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tierwise.domain import Judgement
    from tierwise.report.html.values import DifferenceLine, Line, Report

_LONGEST_LABEL = 200
_SHARES = ("rate", "pass_hat_k", "pass_at_k")


def plot_of(judgement: Judgement) -> Any:  # noqa: ANN401  markup, of an optional package
    """Return an expectation as a picture: interval, estimate and what was promised."""
    is_share = judgement.unit in _SHARES
    scored, estimate, interval, bound = judgement_numbers(judgement)
    label = f"estimate {estimate}, interval {interval}, bound {bound}, {scored} scored"
    return mark_safe(
        svg.draw_interval(
            estimate=judgement.estimate,
            interval=judgement.interval,
            limit=svg.read_limit(judgement.expectation),
            label=show_text(label),
            bound=judgement.bound,
            is_share=is_share,
        )
    )


def plot_difference(line: DifferenceLine) -> Any:  # noqa: ANN401  markup, of an optional package
    """Return a difference as a picture on a scale with 0 in its middle."""
    ends = [abs(value) for value in (line.estimate, *(line.interval or ())) if value is not None]
    if not ends:
        return ""
    is_share = "points" in line.cells[2]
    reach = svg.choose_scale([-max(ends), max(ends)], is_share=False)
    if is_share and reach.high > 1:
        reach = svg.Scale(low=-1.0, high=1.0)  # no two shares are further apart
    return mark_safe(
        svg.draw_interval(
            estimate=line.estimate,
            interval=line.interval,
            limit=0.0,
            label=f"difference {line.cells[2]}, interval {line.cells[3]}",
            is_share=is_share,
            is_difference=True,
            scale=reach,
        )
    )


def draw_runs(report: Report) -> list[dict[str, object]]:
    """Return the lines that tell of the last runs: tests that failed, and the time they took."""
    failed = [
        float(sum(run.outcomes.get(kind, 0) for kind in ("failed", "error")))
        for run in report.runs
    ]
    passed = [float(run.outcomes.get("passed", 0)) for run in report.runs]
    seconds = [run.duration_s for run in report.runs]
    lines = (
        ("failed or error", failed, _say_whole),
        ("passed", passed, _say_whole),
        ("time of all tests", seconds, say_seconds),
    )
    return [
        {
            "title": title,
            "picture": mark_safe(svg.draw_line(values, label=_label(title, values, say))),
            "first": values[0],
            "last": values[-1],
            "is_time": title.startswith("time"),
        }
        for title, values, say in lines
        if values
    ]


def draw_history(line: Line) -> Any:  # noqa: ANN401  markup, of an optional package
    """Return an expectation over its runs as a line."""
    title = shorten(show_text(line.title), _LONGEST_LABEL)
    return mark_safe(svg.draw_line(line.values, label=_label(title, line.values, "{:.4g}".format)))


def _label(title: str, values: Sequence[float | None], say: Callable[[float], str]) -> str:
    known = [say(value) for value in values if value is not None]
    way = (
        f", from {known[0]} to {known[-1]}" if len(known) > 1 else "".join(f", {n}" for n in known)
    )
    return f"{title}, {len(values)} {'run' if len(values) == 1 else 'runs'}{way}"


def _say_whole(value: float) -> str:
    return f"{value:,.0f}"
