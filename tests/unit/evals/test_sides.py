"""Which evals of which runs stand on either side, and an earlier run as a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import EvalUsageError
from tierwise.evals import at_least, at_most, must_refute, never
from tierwise.evals.baseline_reading import BaselineRun
from tierwise.evals.directions import find_directions
from tierwise.evals.expecting_means import mean_between, no_worse_than
from tierwise.evals.sides import pair_providers, pair_runs, require_providers, sides_of
from tierwise.stats import CaseMean

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., Any]

CASES = {"a": [{"ok": True}, {"ok": False}, None], "b": [None]}


def names(pairs: Any) -> list[tuple[str, str]]:
    return [(one.name, two.name) for one, two in pairs]


def test_each_provider_of_a_run_is_a_side(make_scores: Make, make_side: Make) -> None:
    """With all its evals; two settings of one provider are told apart."""
    run = make_side().run
    scores = [
        make_scores(CASES, eval_id=eval_id, provider=provider, definition=definition)
        for eval_id, provider, definition in (
            ("e", "x", "111111aa"),
            ("e", "x", "222222bb"),
            ("e", "y", "333333cc"),
            ("f", "y", "444444dd"),
        )
    ]
    sides = sides_of(run, scores)
    assert [side.name for side in sides] == ["x (111111)", "x (222222)", "y"]
    assert [entry.plan.eval_id for entry in sides[2].evals] == ["e", "f"]


def test_providers_that_share_an_eval_are_paired(make_scores: Make, make_side: Make) -> None:
    """Each with each; a provider of other evals is not."""
    one, two, three = (make_side(make_scores(CASES), name=name) for name in "xyz")
    apart = make_side(make_scores(CASES, eval_id="other"), name="its own provider")
    assert names(pair_providers([one, two, three, apart])) == [("x", "y"), ("x", "z"), ("y", "z")]
    with pytest.raises(
        EvalUsageError, match=r"no two providers of one eval .*\(it has: x, its own"
    ):
        require_providers([one, apart])
    assert pair_providers([one, apart]) == []


def test_runs_are_paired_by_provider(make_side: Make) -> None:
    """The only provider of each run may also be another: a new model beside the old one."""
    a = [make_side(name=name, run="A") for name in ("x", "y")]
    b = [make_side(name=name, run="B") for name in ("y", "z")]
    assert names(pair_runs(a, b, None)) == [("y", "y")]
    assert names(pair_runs(a[:1], b[1:], None)) == [("x", "z")]
    assert names(pair_runs(a, [*b, a[0]], "x")) == [("x", "x")]


def test_a_provider_is_known_by_its_options_where_its_name_is_longer(
    make_scores: Make, make_side: Make
) -> None:
    """A run with two of one name names them by their options; a run with one does not."""
    a = [
        make_side(make_scores(CASES, identity=identity), name=name)
        for name, identity in (("x (t=0)", "x:t=0"), ("x (t=1)", "x:t=1"))
    ]
    b = [make_side(make_scores(CASES, identity="x:t=1"), name="x", run="B")]
    assert names(pair_runs(a, b, None)) == [("x (t=1)", "x")]


def test_runs_without_a_provider_in_common_are_refused(make_side: Make) -> None:
    """Which of several is meant cannot be guessed."""
    a = [make_side(name=name) for name in ("x", "y")]
    with pytest.raises(EvalUsageError, match="no provider in common: A has x, y; B has z"):
        pair_runs(a, [make_side(name="z")], None)
    with pytest.raises(EvalUsageError, match=r"'zz' is not in both runs. Did you mean 'z'\?"):
        pair_runs(a, [make_side(name="z")], "zz")


def test_promises_say_which_way_is_better() -> None:
    """Those that disagree, and a range with two ends, say nothing; nor does a negative control."""
    found = find_directions(
        [
            never("leak", below=0.05),
            at_least("helpful", 0.8),
            at_most("slow", 0.1),
            mean_between("cost", None, 3.0),
            mean_between("grade", 2.0, None),
            mean_between("size", 1.0, 2.0),
            at_least("torn", 0.1),
            at_most("torn", 0.9),
            must_refute(at_least("planted", 0.5)),
            no_worse_than("delay", margin=0.1, better="lower"),
        ]
    )
    assert found == {
        "leak": "lower",
        "helpful": "higher",
        "slow": "lower",
        "cost": "lower",
        "grade": "higher",
        "delay": "lower",
    }


def test_a_baseline_holds_the_scored_trials_of_each_case(
    make_scores: Make, make_side: Make
) -> None:
    """By metric and case; a case without a score is not in it, nor is a text."""
    entry = make_scores(
        {**CASES, "c": [{"size": 2.0, "tone": "warm"}, {"size": 4.0}]}, provider="x"
    )
    run = BaselineRun(run=make_side(run="20260101-aa").run, evals=(entry,))
    baseline = run.of("e", "x")
    assert baseline is not None
    assert baseline.label == "20260101-aa (x, 2026-01-01)"
    assert baseline.metrics == {
        "ok": {"a": CaseMean(n=2, mean=0.5, variance=0.5)},
        "size": {"c": CaseMean(n=2, mean=3.0, variance=2.0)},
    }


def test_a_baseline_is_of_the_same_provider_or_of_the_only_one(
    make_scores: Make, make_side: Make
) -> None:
    """A new provider beside the old one is meant; which of several old ones is not clear."""
    run = make_side().run
    old = make_scores({"c": [{"ok": True}]}, provider="x")
    other = make_scores({"c": [{"ok": False}]}, provider="y")
    alone, both = BaselineRun(run=run, evals=(old,)), BaselineRun(run=run, evals=(old, other))
    assert alone.of("e", "new").metrics["ok"]["c"].mean == 1.0
    assert both.of("e", "y").metrics["ok"]["c"].mean == 0.0
    assert both.of("another", "y") is None
    with pytest.raises(EvalUsageError, match=r"several providers \(x, y\), and which of them new"):
        both.of("e", "new")
