"""Which trials of earlier runs a plan goes on with, and why the others run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tierwise.domain import Outcome, Reused
from tierwise.evals import (
    at_least,
    declaration_of,
    evaluate,
    must_refute,
    never,
    positive_control,
)
from tierwise.evals.plan import Plan, make_plan
from tierwise.evals.planned_trials import trials_of
from tierwise.evals.resuming import Choice, Reuse, choose_source, take_over
from tierwise.evals.stopping_rules import anytime
from tierwise.records import KeptTrial, PlanRun

NEVER = never("leak", below=0.05)


def a_plan(*, trials: int = 3, cases: Any = ("a", "b"), **more: Any) -> Plan:
    provider = more.pop("identity", "simulated:rate=0")

    @evaluate(cases=list(cases), trials=trials, **({"expect": [NEVER]} | more))
    def test_it(case: str) -> None:
        """Do nothing."""

    declaration = declaration_of(test_it)
    assert declaration is not None
    return make_plan(
        declaration, eval_id="e", tier=None, source="s", provider="simulated", identity=provider
    )


def a_run(plan: Plan, run_id: str = "run-1", **more: Any) -> PlanRun:
    run = PlanRun(
        run_id=run_id,
        started_at=f"started {run_id}",
        inputs_hash="files",
        plan_hash=plan.hash,
        definition=plan.definition,
        measurement=run_id,
        provider=plan.provider,
        trials=plan.trials,
        is_judged=False,
    )
    return replace(run, **more)


def rows(plan: Plan, run_id: str = "run-1", **more: Any) -> list[KeptTrial]:
    return [
        KeptTrial(
            seq=seq,
            run_id=run_id,
            arm=trial.planned.arm,
            case_id=trial.planned.label,
            index=trial.index,
            key=trial.key,
            outcome=more.get("outcome", Outcome.PASSED),
            scores=more.get("scores", {"leak": False}),
            message="",
            said=None,
        )
        for seq, trial in enumerate(trials_of(plan), start=1)
    ]


def choose(plan: Plan, *earlier: PlanRun, **more: Any) -> Choice:
    return choose_source(plan, earlier, inputs_hash=more.pop("inputs_hash", "files"), **more)


def left(plan: Plan, reuse: Reuse) -> list[tuple[str, int]]:
    return [(t.planned.label, t.index) for t in trials_of(plan, is_done=reuse.is_done)]


def test_a_first_run_has_nothing_to_go_on_with_and_nothing_to_explain() -> None:
    """Nobody is told why what never ran is run."""
    plan = a_plan()
    reuse = take_over(plan, choose(plan), [])
    assert (reuse.n_trials, reuse.reasons, reuse.measurement) == (0, (), "")
    assert len(left(plan, reuse)) == 6


def test_a_run_of_the_same_plan_goes_on_where_the_last_one_stopped() -> None:
    """Each trial with a score is taken over, and the rest runs."""
    plan = a_plan()
    run = a_run(plan)
    reuse = take_over(plan, choose(plan, run), rows(plan)[:4])
    assert left(plan, reuse) == [("a", 2), ("b", 2)]
    assert list(reuse.trials) == [1, 2, 3, 4]
    assert reuse.reasons == (("never run before", 2),)
    assert reuse.sources([run]) == (
        Reused(run_id="run-1", started_at="started run-1", n_trials=4),
    )
    assert reuse.measurement == "run-1"


def test_the_latest_run_of_the_plan_counts() -> None:
    """What --fresh began is gone on with, and older trials are not mixed into it."""
    plan = a_plan()
    latest = a_run(plan, "run-2", measurement="run-2")
    assert choose(plan, latest, a_run(plan, is_judged=True)).source == latest


def test_a_judged_run_of_the_same_plan_is_gone_on_with_too() -> None:
    """What was missing counted against the claim, so filling it in gains nothing by the look."""
    plan = a_plan(expect=[at_least("passed", 0.5)])
    run = a_run(plan, is_judged=True)
    assert choose(plan, run) == Choice(source=run)


def test_what_ended_without_a_score_runs_again_and_says_why() -> None:
    """By groups: an error, a vendor's bad hour, a budget."""
    plan = a_plan()
    kept = rows(plan)
    for place, outcome in enumerate([Outcome.ERROR, Outcome.UNOBSERVABLE, Outcome.NOT_RUN]):
        kept[place] = replace(kept[place], outcome=outcome, scores={})
    reuse = take_over(plan, choose(plan, a_run(plan)), kept[:5])
    assert reuse.n_trials == 2
    assert dict(reuse.reasons) == {
        "never run before": 1,
        "ended in an error before": 1,
        "were unobservable before": 1,
        "were stopped before their end": 1,
    }


def test_what_must_never_happen_and_was_seen_stays_seen() -> None:
    """A trial that leaked and then went wrong gets no second try."""
    plan = a_plan()
    kept = rows(plan, outcome=Outcome.ERROR, scores={"leak": True})
    assert take_over(plan, choose(plan, a_run(plan)), kept).n_trials == 6
    hole = a_plan(expect=[must_refute(NEVER)])
    kept = rows(hole, outcome=Outcome.ERROR, scores={"leak": True})
    assert take_over(hole, choose(hole, a_run(hole)), kept).n_trials == 0
    kept = rows(plan, outcome=Outcome.ERROR, scores={"leak": 1.0, "other": True})
    assert take_over(plan, choose(plan, a_run(plan)), kept).n_trials == 0


def test_an_edited_case_is_never_taken() -> None:
    """Its id may have stayed the same."""
    before, after = (
        a_plan(cases=[{"id": "a", "text": text}, {"id": "b"}]) for text in ("old", "new")
    )
    reuse = take_over(after, choose(after, a_run(before)), rows(before))
    assert left(after, reuse) == [("a", 0), ("a", 1), ("a", 2)]
    assert reuse.reasons == (("whose case has changed", 3),)


def test_nothing_is_taken_when_files_have_changed_and_it_is_said() -> None:
    """By the run that would have been gone on with."""
    plan = a_plan()
    choice = choose(plan, a_run(plan, inputs_hash="other files"))
    assert choice.source is None
    reuse = take_over(plan, choice, [])
    assert reuse.reasons == (
        ("anew, as the project's files or packages are not those of run run-1", 6),
    )


def test_nothing_is_taken_when_nobody_knows_whether_files_have_changed() -> None:
    """Two unknown states are not the same state."""
    plan = a_plan()
    choice = choose(plan, a_run(plan, inputs_hash=""), inputs_hash="")
    assert choice.source is None
    assert "could not be read" in choice.reason


def test_another_provider_or_other_options_have_trials_of_their_own() -> None:
    """And there is nothing to explain: they never ran."""
    plan = a_plan(identity="simulated:rate=1")
    other = a_run(a_plan())
    assert choose(plan, replace(other, provider="another")) == Choice()
    assert choose(plan, other).source is None


def test_fresh_takes_nothing() -> None:
    """Whatever there is."""
    plan = a_plan()
    choice = choose(plan, a_run(plan), is_fresh=True)
    assert choice == Choice(reason="anew, as --fresh asks")
    assert take_over(plan, choice, []).reasons == (("anew, as --fresh asks", 6),)


def test_a_plan_of_another_size_goes_on_while_nobody_has_seen_a_verdict() -> None:
    """An interrupted run of fewer trials is no look."""
    short = a_plan(expect=[at_least("passed", 0.5)])
    long = a_plan(trials=5, expect=[at_least("passed", 0.5)])
    reuse = take_over(long, choose(long, a_run(short)), rows(short))
    assert (reuse.n_trials, reuse.reasons) == (6, (("never run before", 4),))
    reuse = take_over(short, choose(short, a_run(long)), rows(long))
    assert (reuse.n_trials, reuse.reasons) == (6, ())


def test_a_judged_plan_is_not_added_to() -> None:
    """A verdict was looked at: one more trial, and one more, until it fits would prove nothing."""
    short = a_plan(expect=[at_least("passed", 0.5)])
    long = a_plan(trials=5, expect=[at_least("passed", 0.5)])
    choice = choose(long, a_run(short, is_judged=True))
    assert choice.source is None
    assert choice.reason == (
        "anew, as run run-1 with other trials, cases or promises is judged and adding to what was "
        "looked at would spoil the guarantee"
    )
    newer = a_run(a_plan(trials=4, expect=[at_least("passed", 0.5)]), "run-2")
    assert choose(long, newer, a_run(short, is_judged=True)).source is None


@pytest.mark.parametrize(
    ("more", "grows"),
    [
        ({}, True),
        ({"expect": [at_least("passed", 0.5)], "stop": anytime()}, True),
        ({"expect": [NEVER, at_least("passed", 0.5)]}, False),
        ({"expect": [must_refute(NEVER)]}, False),
        ({"expect": [never("leak", below=0.05, population="cases_like_these")]}, False),
    ],
)
def test_only_what_holds_under_any_number_of_looks_is_added_to(
    more: dict[str, Any],
    grows: bool,  # noqa: FBT001  a parameter of the test
) -> None:
    """Zero leaks, or a rule that is valid at any time."""
    short, long = a_plan(**more), a_plan(trials=5, **more)
    choice = choose(long, a_run(short, is_judged=True))
    assert choice.is_extension is grows
    assert take_over(long, choice, rows(short)).n_trials == (6 if grows else 0)


def test_a_plan_that_leaves_trials_out_is_no_extension_of_a_judged_one() -> None:
    """The leak may have been among those."""
    short, long = a_plan(), a_plan(trials=5)
    reuse = take_over(short, choose(short, a_run(long, is_judged=True)), rows(long))
    assert reuse.n_trials == 0
    assert reuse.measurement == ""
    assert reuse.reasons == (
        ("anew, as run run-1 is judged and holds trials that this plan leaves out", 6),
    )
    fewer = a_plan(cases=["a"], trials=5)
    reuse = take_over(fewer, choose(fewer, a_run(short, is_judged=True)), rows(short))
    assert reuse.n_trials == 0


def test_a_judged_plan_whose_case_has_changed_is_not_extended() -> None:
    """What was looked at would not be part of it."""
    old, new = [[{"id": "a", "text": text}, {"id": "b"}] for text in ("old", "new")]
    short, long = a_plan(cases=old), a_plan(cases=new, trials=5)
    reuse = take_over(long, choose(long, a_run(short, is_judged=True)), rows(short))
    assert reuse.n_trials == 0


def test_an_extension_makes_its_control_anew() -> None:
    """A control's rate is no zero-leak claim: it may not be added to after a look."""
    control = positive_control(cases=["c"], metric="leak", trials=2)
    short, long = a_plan(control=control), a_plan(trials=5, control=control)
    same = take_over(short, choose(short, a_run(short)), rows(short))
    assert same.n_trials == 8
    reuse = take_over(long, choose(long, a_run(short, is_judged=True)), rows(short))
    assert reuse.n_trials == 6
    assert dict(reuse.reasons) == {
        "never run before": 4,
        "of a control, which may not be added to after a look": 2,
    }


HIDDEN = {"id": "hidden", "q": object()}


def test_a_case_that_cannot_be_read_runs_each_time_and_is_measured_anew() -> None:
    """Whether it was edited nobody can tell; running it again is another look, and counts."""
    plan = a_plan(cases=["a", HIDDEN])
    run = a_run(plan, is_judged=True)
    reuse = take_over(plan, choose(plan, run), rows(plan))
    assert left(plan, reuse) == [("hidden", 0), ("hidden", 1), ("hidden", 2)]
    assert reuse.measurement == ""
    ((reason, n),) = reuse.reasons
    assert (n, reason) == (
        3,
        "whose case cannot be read, so that nobody could tell whether it was edited",
    )


def test_a_judged_run_with_a_case_that_cannot_be_read_is_not_added_to() -> None:
    """Its trials would be rolled again until more of them suit."""
    small, large = (
        a_plan(cases=["a", HIDDEN], trials=n, expect=[never("leak", below=0.2)], stop=anytime())
        for n in (3, 5)
    )
    choice = choose(large, a_run(small, is_judged=True))
    assert choice.is_extension
    assert take_over(large, choice, rows(small)).n_trials == 0


def test_what_had_no_score_of_a_case_that_cannot_be_read_goes_on() -> None:
    """Nothing that was seen is rolled again, so the measurement is the same."""
    plan = a_plan(cases=["a", HIDDEN])
    kept = rows(plan, outcome=Outcome.UNOBSERVABLE, scores={})
    assert take_over(plan, choose(plan, a_run(plan)), kept).measurement == "run-1"


def test_what_changed_is_named_up_to_three() -> None:
    """Before the trials and beside the verdict; other options of the provider are no file."""
    plan = a_plan()
    run = a_run(plan, inputs_hash="other files")
    names = ["app.py", "b.md", "c.py", "d.py", "package numpy"]
    choice = choose(plan, run, find_changed=lambda _run: names)
    assert choice.has_changed
    assert choice.reason.endswith("of run run-1: app.py, b.md, c.py and 2 more")
    few = choose(plan, run, find_changed=lambda _run: names[:3])
    assert few.reason.endswith("of run run-1: app.py, b.md, c.py")
    other = choose(a_plan(identity="simulated:rate=1"), a_run(plan))
    assert other.reason == (
        "anew, as the provider's options or the eval's code are not those of run run-1"
    )
    assert not choose(plan, a_run(plan), is_fresh=True).has_changed


def test_a_run_that_takes_nothing_over_has_no_table_of_its_cases() -> None:
    """All of its trials are to run, and a million cases cost nothing beside themselves."""
    plan = a_plan(cases=["a", "b"])
    reuse = take_over(plan, Choice(), [])
    assert len(list(trials_of(plan, is_done=reuse.is_done))) == plan.n_to_run
    tables = [value for value in vars(reuse).values() if isinstance(value, dict)]
    assert not any(tables)
