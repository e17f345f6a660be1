"""The report laid out: one page, and pages of transcripts beside it where there are many."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

from tierwise.evals.table import judgement_numbers, say_needed
from tierwise.report.html.headline import write_headline
from tierwise.report.html.matrix import clauses_of
from tierwise.report.html.payload import pack_tests
from tierwise.report.html.plots import draw_history, draw_runs, plot_difference, plot_of
from tierwise.report.html.templating import mark_safe, open_templates, render
from tierwise.report.html.text import to_script_json
from tierwise.report.html.transcripts import lay_out, pages_of
from tierwise.report.html.wording import tier_of
from tierwise.report.markdown import say_evidence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2 import Environment

    from tierwise.report.html.transcripts import Shown, TrialView
    from tierwise.report.html.values import EvalPart, Report

MOST_BYTES = 950_000
"""What the page may weigh."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much the page shows; what is left out is said where it would stand."""

    rows: int = 40
    """Of each list that has no filter."""
    evals: int = 100
    tests_bytes: int = 400_000
    trials_bytes: int = 200_000

    def tighten(self) -> Limits:
        """Return half of each."""
        return Limits(
            rows=max(1, self.rows // 2),
            evals=max(1, self.evals // 2),
            tests_bytes=self.tests_bytes // 2,
            trials_bytes=self.trials_bytes // 2,
        )


def render_report(report: Report, *, folder: str, most_bytes: int = MOST_BYTES) -> Rendered:
    """Return the page; `folder` is the name under which it refers to what lies beside it.

    Names and messages that are long on purpose can fill a page that is large enough for any
    usual store: then it is laid out again with half of all, until it is no larger than it may be.
    """
    environment, limits = open_templates(), Limits()
    while True:
        found = _render(environment, report, folder, limits)
        tighter = limits.tighten()
        if len(found.html.encode("utf-8", "backslashreplace")) <= most_bytes or tighter == limits:
            return found
        limits = tighter


def _render(environment: Environment, report: Report, folder: str, limits: Limits) -> Rendered:
    evals = report.evals[: limits.evals]
    shown = lay_out(evals, limits.trials_bytes)
    payload = pack_tests(report.tests, limits.tests_bytes)
    beside: dict[str, str] = {}
    links = [
        _write_beside(environment, entry, number, beside)
        for number, entry in enumerate(shown, start=1)
    ]
    values = {
        "report": report,
        "title": f"{report.source.project}: what the tests prove",
        "headline": write_headline(report),
        "most": limits.rows,
        "evals": evals,
        "payload": mark_safe(to_script_json(payload.data)),
        "n_packed": payload.n_shown,
        "shown": shown,
        "links": links,
        "folder": f"./{quote(folder)}",  # whatever the page is called, this is a path beside it
        "plots": [[plot_of(entry) for entry in part.judgements] for part in evals],
        "tiers": sorted({tier_of(test.tier) for test in report.tests if test.tier})[: limits.rows],
        "run_lines": draw_runs(report),
    }
    return Rendered(html=render(environment, "report.html.j2", {**values, **_HELP}), beside=beside)


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


_HELP = {
    "numbers": judgement_numbers,
    "needed": say_needed,
    "difference_plot": plot_difference,
    "clauses_of": clauses_of,
    "evidence": say_evidence,
    "draw_line": draw_history,
}
"""What the templates call."""
