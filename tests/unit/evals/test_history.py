"""A metric over runs, and the runs themselves in one line each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Verdict
from tierwise.errors import EvalUsageError
from tierwise.evals.comparison import Finding
from tierwise.evals.history import PastRun, draw_sparkline, make_histories
from tierwise.evals.history_lines import history_cells, legend_lines, say_scale
from tierwise.evals.run_list import say_cost, say_verdicts, summarise_run
from tierwise.records import VerdictRow
from tierwise.records.scores import EvalRun, PlanUsage
from tierwise.stats import exact_case_test, wilson

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., Any]


def verdict(word: Verdict, metric: str = "ok", plan_hash: str = "p") -> VerdictRow:
    return VerdictRow(
        run_id="r",
        plan_hash=plan_hash,
        eval_id="e",
        tier=None,
        expectation="",
        metric=metric,
        verdict=word,
        reason="",
        n_scored=0,
        n_planned=0,
    )


@pytest.fixture
def past(make_scores: Make, make_side: Make) -> Make:
    """Make one run of one eval: how many of 40 trials of one case were ok."""

    def make(day: int, x: int, *words: Verdict, **more: Any) -> PastRun:
        cases = more.pop("cases", {"c": [{"ok": i < x, "size": float(i)} for i in range(40)]})
        side = make_side(
            run=f"run{day}",
            started_at=f"2026-01-0{day}T08:00:00",
            commit=f"c{day}",
            finished_at=more.pop("finished_at", "later"),
        )
        scores = make_scores(cases, better={"ok": "higher"}, n_planned=40, **more)
        return PastRun(run=side.run, evals=(scores,), verdicts=tuple(map(verdict, words)))

    return make


def test_a_metric_over_runs(past: Make) -> None:
    """Each run's rate with its interval, trials, verdict and commit, oldest first."""
    runs = [past(1, 39, Verdict.PROVEN), past(2, 38, Verdict.UNDECIDED, Verdict.PROVEN)]
    (found,) = make_histories(runs)
    assert (found.eval_id, found.provider, found.metric) == ("e", "x", "ok")
    assert (found.is_rate, found.better) == (True, "higher")
    first, second = found.points
    interval = wilson(39, 40)
    assert first.estimate == 39 / 40
    assert first.interval == (interval.low, interval.high)
    assert (first.n_scored, first.n_planned, first.commit) == (40, 40, "c1")
    assert (first.verdict, second.verdict) == ("proven", "undecided")
    assert (first.change, second.change) == (None, Finding.NONE)


def test_a_change_between_neighbours_has_to_be_shown(past: Make) -> None:
    """A fall from 39 to 20 of 40 is one, a fall by one trial is none."""
    (found,) = make_histories([past(1, 39), past(2, 38), past(3, 20)], metrics=("ok",))
    assert [point.change for point in found.points] == [None, Finding.NONE, Finding.LOWER]
    assert [row[-1] for row in history_cells(found)] == ["-", "none shown", "WORSE (p < 0.0001)"]


@pytest.mark.parametrize("few", [[{"ok": True}], [None], [{"ok": False}] * 19])
def test_a_run_that_was_broken_off_hides_no_change(past: Make, few: list[Any]) -> None:
    """The next one is told against the last that measured enough, and the broken one is marked."""
    cut = past(2, 0, cases={"c": few}, finished_at="")
    (found,) = make_histories([past(1, 39), cut, past(3, 20)], metrics=("ok",))
    first, broken, last = found.points
    assert (last.change, last.compared_with) == (Finding.LOWER, "run1")
    assert [point.is_broken_off for point in (first, broken, last)] == [False, True, False]
    assert [row[1] for row in history_cells(found)] == ["c1", "c2 +!", "c3"]
    assert any(line.startswith("! broken off") for line in legend_lines([found]))


def test_a_run_that_was_settled_early_was_not_broken_off(past: Make) -> None:
    """A plan may need few of its trials; of promises all have to be decided."""
    few = {"c": [{"ok": False}] * 9}
    for words, is_broken in (
        ((Verdict.REFUTED,), False),
        ((Verdict.PROVEN, Verdict.UNDECIDED), True),
        ((), True),
    ):
        (found,) = make_histories([past(1, 0, *words, cases=few), past(2, 39)], metrics=("ok",))
        assert found.points[0].is_broken_off is is_broken


def test_where_all_were_broken_off_the_last_with_a_score_counts(past: Make) -> None:
    """One without any score says nothing, whatever stands beside it."""
    few = {"c": [{"ok": True}] * 19}
    cut, gone = past(1, 0, cases=few), past(2, 0, cases={"c": [None]})
    (found,) = make_histories([cut, gone, past(3, 0)], metrics=("ok",))
    assert (found.points[2].change, found.points[2].compared_with) == (Finding.LOWER, "run1")


def test_the_eval_is_redefined_beside_what_it_is_compared_with(past: Make) -> None:
    """A broken-off run of the new code between two does not take the mark from the next."""
    cut = past(2, 0, cases={"c": [None]}, definition="new")
    (found,) = make_histories([past(1, 39), cut, past(3, 39, definition="new")], metrics=("ok",))
    assert [point.is_redefined for point in found.points] == [False, True, True]


def test_many_looks_make_each_harder(past: Make) -> None:
    """A fall that shows between two runs does not among twelve."""
    few = make_histories([past(1, 36), past(2, 26)], metrics=("ok",))
    assert few[0].points[-1].change is Finding.LOWER
    calm = [past(1, 36) for _ in range(12)]
    many = make_histories([*calm, past(2, 26)], metrics=("ok",))
    assert many[0].points[-1].change is Finding.NONE
    assert many[0].points[-1].p_adjusted > 0.05


def test_only_what_is_shown_is_counted_as_a_look(past: Make, make_scores: Make) -> None:
    """Other metrics, and evals that do not have the metric, make nothing harder."""
    other = make_scores({"c": [{"size": float(i)} for i in range(9)]}, eval_id="f")
    runs = [replace(found, evals=(*found.evals, other)) for found in (past(1, 36), past(2, 26))]
    (found,) = make_histories(runs, metrics=("ok",))
    alone = exact_case_test([(26, 40)], [(36, 40)])
    assert found.points[-1].p_adjusted == pytest.approx(alone.value)


def test_a_verdict_belongs_to_its_metric(past: Make) -> None:
    """Another metric's refutation, and another plan's, say nothing of this one."""
    run = past(1, 39, Verdict.PROVEN)
    others = (
        verdict(Verdict.REFUTED, metric="size"),
        verdict(Verdict.REFUTED, plan_hash="another"),
    )
    (ok, size) = make_histories([replace(run, verdicts=(*run.verdicts, *others))])
    assert (ok.points[0].verdict, size.points[0].verdict) == ("proven", "refuted")


def test_passed_is_shown_where_nothing_else_is_scored(past: Make) -> None:
    """Beside other metrics it mostly says that no assert failed."""
    both = {"c": [{"ok": True, "passed": True}]}
    alone = {"c": [{"passed": True}]}
    assert [found.metric for found in make_histories([past(1, 0, cases=both)])] == ["ok"]
    assert [found.metric for found in make_histories([past(1, 0, cases=alone)])] == ["passed"]


def test_expected_metrics_are_shown_unless_others_are_asked_for(past: Make) -> None:
    """Without any expectation all are; a name that nobody scores is a mistake."""
    runs = [past(1, 39, Verdict.PROVEN), past(2, 39)]
    assert [found.metric for found in make_histories(runs)] == ["ok"]
    assert [found.metric for found in make_histories([runs[1]])] == ["ok", "size"]
    (size,) = make_histories(runs, metrics=("size",))
    assert (size.is_rate, size.points[0].estimate) == (False, 19.5)
    assert size.points[0].interval[0] < 19.5 < size.points[0].interval[1]
    with pytest.raises(EvalUsageError, match=r"metric 'sise'. Did you mean 'size'\?"):
        make_histories(runs, metrics=("sise",))


def test_providers_have_histories_of_their_own(past: Make) -> None:
    """Another provider is not the next point of the first one's line."""
    runs = [past(1, 39), past(2, 10, provider="y"), past(3, 39)]
    found = make_histories(runs, metrics=("ok",))
    assert [(entry.provider, len(entry.points)) for entry in found] == [("x", 2), ("y", 1)]
    assert found[0].points[1].change is Finding.NONE


def test_a_text_has_a_history_of_each_share(past: Make) -> None:
    """Of two texts one says it all."""
    tones = {"c": [{"tone": "warm" if i % 4 else "cold"} for i in range(40)]}
    (found,) = make_histories([past(1, 0, cases=tones)], metrics=("tone",))
    assert (found.metric, found.points[0].estimate) == ("tone=warm", 0.75)


def test_another_eval_under_the_same_name_is_marked(past: Make) -> None:
    """Its own code or its provider's options differ from the run before."""
    (found,) = make_histories([past(1, 39), past(2, 39, definition="new")], metrics=("ok",))
    assert [point.is_redefined for point in found.points] == [False, True]
    assert [row[1] for row in history_cells(found)] == ["c1", "c2 *"]


def test_what_cannot_be_shown_is_a_dash(past: Make) -> None:
    """A run without a score has no estimate, no interval and no change."""
    gone = {"c": [None] * 40}
    (found,) = make_histories([past(1, 39), past(2, 0, cases=gone)], metrics=("ok",))
    assert history_cells(found)[1][2:] == ("0 of 40", "-", "-", "-", "-")
    assert draw_sparkline([point.estimate for point in found.points])[1] == " "


def test_no_runs_have_no_history() -> None:
    """And nothing is made up."""
    assert make_histories([]) == ()


@pytest.mark.parametrize(
    ("values", "picture"),
    [([0.0, 0.5, 1.0], "▁▅█"), ([0.3, 0.3], "▄▄"), ([None, 1.0, 2.0], " ▁█"), ([], "")],
)
def test_a_sparkline_spans_from_the_lowest_to_the_highest(
    values: list[float | None], picture: str
) -> None:
    """Equal values are drawn in the middle, and a missing one as a gap."""
    assert draw_sparkline(values) == picture


def test_a_run_in_one_line(make_scores: Make, make_side: Make) -> None:
    """Providers, verdicts of each eval with each provider, trials and cost."""
    plans = tuple(
        make_scores({"c": [None]}, eval_id=eval_id, provider=provider, plan_hash=plan_hash).plan
        for eval_id, provider, plan_hash in (("e", "x", "p"), ("e", "y", "q"), ("f", "x", "r"))
    )
    usage = {
        "p": PlanUsage(n_trials=5, n_calls=4, input_tokens=7, output_tokens=1, cost_usd=0.5),
        "q": PlanUsage(n_trials=1, n_reused=2, n_calls=3, n_unpriced=3),
    }
    verdicts = [
        verdict(Verdict.PROVEN),
        verdict(Verdict.REFUTED),
        verdict(Verdict.PROVEN, plan_hash="q"),
    ]
    found = summarise_run(EvalRun(run=make_side().run, plans=plans), verdicts, usage)
    assert (found.providers, found.evals) == (("x", "y"), ("e", "f"))
    assert say_verdicts(found.verdicts) == "1 refuted, 1 proven, 1 not judged"
    assert (found.n_trials, found.n_reused, found.n_calls, found.n_tokens) == (6, 2, 7, 8)
    assert (found.cost_usd, found.n_unpriced) == (0.5, 3)


@pytest.mark.parametrize(
    ("cost", "n_calls", "n_unpriced", "said"),
    [
        (0.0, 0, 0, "-"),
        (0.0, 5, 5, "unknown"),
        (0.0, 5, 0, "0.00 USD"),
        (0.01234, 5, 0, "0.0123 USD"),
        (12.5, 5, 2, "12.50 USD and 2 calls of unknown price"),
    ],
)
def test_an_unknown_cost_is_never_nothing(
    cost: float, n_calls: int, n_unpriced: int, said: str
) -> None:
    """Calls without a price are counted beside what is known."""
    assert say_cost(cost, n_calls=n_calls, n_unpriced=n_unpriced) == said


def test_runs_that_go_on_with_one_another_are_one_point(past: Make) -> None:
    """The last of them counts the trials of all; none is compared with what it took over."""
    runs = [past(1, 36), past(2, 20), past(3, 21), past(4, 36)]
    for number, measurement in ((0, "run1"), (1, "run2"), (2, "run2"), (3, "run4")):
        (scores,) = runs[number].evals
        plan = replace(scores.plan, measurement=measurement)
        runs[number] = replace(runs[number], evals=(replace(scores, plan=plan),))
    (found,) = make_histories(runs, metrics=("ok",))
    assert [point.run_id for point in found.points] == ["run1", "run3", "run4"]
    assert [point.runs for point in found.points] == [("run1",), ("run2", "run3"), ("run4",)]
    assert [point.change for point in found.points] == [None, Finding.LOWER, Finding.HIGHER]
    assert [row[1] for row in history_cells(found)] == ["c1", "c3 ~", "c4"]
    assert legend_lines([found])[0].startswith("~ several runs")


def test_marks_are_explained_where_they_stand(past: Make) -> None:
    """An unfinished run, a run of copies; nothing is explained that is not there."""
    runs = [past(1, 36), past(2, 36, finished_at="")]
    (scores,) = runs[0].evals
    copied = replace(scores, plan=replace(scores.plan, is_copied=True))
    found = make_histories([replace(runs[0], evals=(copied,)), runs[1]], metrics=("ok",))
    assert [row[1] for row in history_cells(found[0])] == ["c1 =", "c2 +"]
    assert [line[0] for line in legend_lines(found)] == ["+", "="]
    assert legend_lines(make_histories([past(1, 36)])) == []


def test_the_picture_says_its_scale(past: Make) -> None:
    """A fall by one trial fills it as a fall to nothing does."""
    (found,) = make_histories([past(1, 36), past(2, 35)], metrics=("ok",))
    assert say_scale(found) == "87.5 % to 90 %"
    (one,) = make_histories([past(1, 36)], metrics=("ok",))
    assert say_scale(one) == "90 %"
    (size,) = make_histories([past(1, 36)], metrics=("size",))
    assert say_scale(size) == "19.5"


def test_a_row_fits_a_terminal(past: Make) -> None:
    """Ids are cut to what tells them apart, and intervals rounded outward."""
    ids = ("20260101T080000-c0ffee12", "20260102T080000-c0ffee12")
    runs = [
        replace(
            found,
            run=replace(found.run, run_id=run_id, info=replace(found.run.info, commit="0" * 40)),
        )
        for found, run_id in zip((past(1, 36), past(2, 20, Verdict.UNDECIDED)), ids, strict=True)
    ]
    (found,) = make_histories(runs, metrics=("ok",))
    first, second = history_cells(found)
    assert (first[0], first[1]) == ("20260101T080000", "0000000")
    assert (first[2], first[4]) == ("40", "76.9 to 96.1")
    assert sum(map(len, second)) + len(second) - 1 <= 80
    same = [
        replace(runs[0], run=replace(runs[0].run, run_id=f"20260101T080000-{n}")) for n in "ab"
    ]
    (found,) = make_histories(same, metrics=("ok",))
    assert [row[0] for row in history_cells(found)] == [run.run.run_id for run in same]
