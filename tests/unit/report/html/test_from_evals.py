"""An expectation over the runs of a store."""

from __future__ import annotations

from tierwise.domain import Judgement, Verdict
from tierwise.records import PlanRow
from tierwise.records.report_rows import VerdictPoint
from tierwise.records.scores import PlanUsage
from tierwise.report.html.from_evals import signs_against, trace_evals
from tierwise.report.html.values import EvalPart


def point(estimate: float, n_scored: int, verdict: str = "undecided") -> VerdictPoint:
    return VerdictPoint(
        eval_id="e",
        expectation="at_least ok",
        provider="x",
        started_at="2026-01-01",
        verdict=verdict,
        estimate=estimate,
        n_scored=n_scored,
        n_planned=60,
    )


def test_a_run_that_was_broken_off_is_a_gap_in_the_line() -> None:
    """One trial of sixty is no rate of 100 %; a plan that one trial settled is."""
    judgement = Judgement(
        expectation="at_least ok",
        metric="ok",
        verdict=Verdict.PROVEN,
        reason="",
        n_scored=60,
        n_planned=60,
    )
    part = EvalPart(
        plan=PlanRow(
            run_id="r",
            plan_hash="p",
            eval_id="e",
            tier=None,
            n_cases=1,
            trials=60,
            n_planned=60,
            provider="x",
        ),
        provider="x",
        started_at="",
        is_finished=True,
        verdict="proven",
        judgements=(judgement,),
        outcomes={},
        controls={},
        usage=PlanUsage(),
    )
    points = [point(0.2, 60), point(1.0, 1), point(1.0, 2, "refuted"), point(0.5, 30)]
    (line,) = trace_evals(points, [part])
    assert line.values == (0.2, None, 1.0, 0.5)


def test_a_sign_is_written_as_the_store_keeps_scores() -> None:
    """SQLite has no lone surrogates: a promise that names one is looked for by its escape."""
    assert signs_against({"kind=a\ud800": "lower", "ok": "higher"}) == (
        '"kind":"a\\ud800"',
        '"ok":false',
    )
