"""The report laid out: one page, and pages of transcripts beside it where there are many."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tierwise.evals.table import judgement_numbers, say_needed
from tierwise.report.html import svg
from tierwise.report.html.headline import write_headline
from tierwise.report.html.matrix import clauses_of
from tierwise.report.html.payload import pack_tests
from tierwise.report.html.templating import open_templates, render
from tierwise.report.html.text import show_text, to_script_json
from tierwise.report.html.transcripts import lay_out, pages_of
from tierwise.report.markdown import say_evidence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2 import Environment

    from tierwise.domain import Judgement
    from tierwise.report.html.transcripts import Shown, TrialView
    from tierwise.report.html.values import DifferenceLine, EvalPart, Report

MOST_ROWS = 40
"""So many rows of a list that has no filter are shown; how many are left out is said."""
MOST_EVALS = 100
"""Of so many evals, the worst, the page shows all that it knows."""
_SHARES = ("rate", "pass_hat_k", "pass_at_k")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """The page, and by their names the files that lie in a folder beside it."""

    html: str
    beside: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A page of transcripts that lies beside the report."""

    name: str
    first: int
    last: int


def render_report(report: Report, *, folder: str) -> Rendered:
    """Return the page; `folder` is the name under which it refers to what lies beside it."""
    environment = open_templates()
    evals = report.evals[:MOST_EVALS]
    shown = lay_out(evals)
    payload = pack_tests(report.tests)
    beside: dict[str, str] = {}
    links = [
        _write_beside(environment, entry, number, beside)
        for number, entry in enumerate(shown, start=1)
    ]
    html = render(
        environment,
        "report.html.j2",
        {
            "report": report,
            "title": f"{report.source.project}: what the tests prove",
            "headline": write_headline(report),
            "most": MOST_ROWS,
            "evals": evals,
            "payload": _markup(to_script_json(payload.data)),
            "n_packed": payload.n_shown,
            "shown": shown,
            "links": links,
            "folder": folder,
            "plots": [[plot_of(entry) for entry in part.judgements] for part in evals],
            "numbers": judgement_numbers,
            "needed": say_needed,
            "difference_plot": plot_difference,
            "clauses_of": clauses_of,
            "evidence": say_evidence,
            "run_lines": draw_runs(report),
            "draw_line": lambda line: _markup(svg.draw_line(line.values, label=line.title)),
            "tiers": sorted({test.tier for test in report.tests if test.tier}),
        },
    )
    return Rendered(html=html, beside=beside)


def plot_of(judgement: Judgement) -> Any:  # noqa: ANN401  markup, of an optional package
    """Return an expectation as a picture: interval, estimate and what was promised."""
    is_share = judgement.unit in _SHARES
    scored, estimate, interval, bound = judgement_numbers(judgement)
    label = f"estimate {estimate}, interval {interval}, bound {bound}, {scored} scored"
    return _markup(
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
    reach = svg.choose_scale([-max(ends), max(ends)], is_share=False)
    return _markup(
        svg.draw_interval(
            estimate=line.estimate,
            interval=line.interval,
            limit=0.0,
            label=f"difference {line.cells[2]}, interval {line.cells[3]}",
            is_share="points" in line.cells[2],
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
    lines = (("failed or error", failed), ("passed", passed), ("time of all tests", seconds))
    return [
        {
            "title": title,
            "picture": _markup(svg.draw_line(values, label=f"{title}, {len(values)} runs")),
            "first": values[0],
            "last": values[-1],
            "is_time": title.startswith("time"),
        }
        for title, values in lines
        if values
    ]


def _write_beside(
    environment: Environment, entry: Shown, number: int, beside: dict[str, str]
) -> list[Link]:
    links: list[Link] = []
    at = len(entry.inline)
    for page, views in enumerate(pages_of(entry.beside), start=1):
        name = f"trials-{number}-{page}.html"
        beside[name] = _render_trials(environment, entry.part, views)
        links.append(Link(name=name, first=at + 1, last=at + len(views)))
        at += len(views)
    return links


def _render_trials(environment: Environment, part: EvalPart, views: Sequence[TrialView]) -> str:
    title = f"Trials of {part.plan.eval_id}"
    return render(environment, "trials.html.j2", {"title": title, "part": part, "views": views})


def _markup(text: str) -> Any:  # noqa: ANN401  markup, of an optional package
    from markupsafe import Markup  # noqa: PLC0415  comes with jinja2

    return Markup(text)  # noqa: S704  made here, of numbers and escaped labels
