from __future__ import annotations

from typing import Any

import pytest

from tierwise.errors import EvalUsageError
from tierwise.evals import declaration_of, evaluate, never, positive_control
from tierwise.evals.cases import hash_content
from tierwise.evals.plan import Plan, make_dry_plan, make_plan, read_source
from tierwise.evals.planned_trials import trials_of


def a_plan(**changed: object) -> Plan:
    given: dict[str, Any] = {
        "cases": changed.pop("cases", ["a", "b"]),
        "trials": changed.pop("declared", 2),
        "expect": [never("leak", below=changed.pop("below", 0.05))],
        "stop": changed.pop("stop", "curtailed"),
        "control": positive_control(cases=["c"], metric="leak", trials=1),
    }

    @evaluate(**given)
    def test_it(case: str) -> None:
        """Do nothing."""

    declaration = declaration_of(test_it)
    assert declaration is not None
    made: dict[str, Any] = {
        "eval_id": "t.py::test_it",
        "tier": "evals",
        "source": "def test_it(): ...",
        "provider": "simulated",
    }
    return make_plan(declaration, **(made | changed))


def test_a_plan_counts_claims_and_controls_apart() -> None:
    """What a claim rests on does not include the control's trials."""
    plan = a_plan()
    assert plan.n_planned == 4
    assert plan.n_to_run == 5


def test_trials_come_case_by_case_round_by_round() -> None:
    """A run that is cut short has seen all cases alike."""
    order = [(trial.planned.label, trial.index) for trial in trials_of(a_plan())]
    assert order == [("leak: c", 0), ("a", 0), ("b", 0), ("a", 1), ("b", 1)]


def test_seeds_and_keys_differ_and_repeat() -> None:
    """Each trial has its own; the same plan has the same again."""
    first, second = list(trials_of(a_plan())), list(trials_of(a_plan()))
    assert first == second
    assert len({trial.key for trial in first}) == 5
    assert len({trial.seed for trial in first}) == 5
    assert all(0 <= trial.seed < 2**31 for trial in first)


def test_a_key_is_the_hash_of_all_that_a_trial_depends_on() -> None:
    """However it is computed: results of earlier runs are found by it."""
    plan = a_plan(cases=["a", "\N{GREEK SMALL LETTER ALPHA} \ud800"])
    for trial in trials_of(plan):
        planned = trial.planned
        content = (planned.arm, planned.label, planned.case.content, trial.index)
        assert trial.key == hash_content(plan.definition, *content)
        assert trial.seed == int(hash_content(plan.seeding, *content)[:16], 16) % 2**31


def test_the_stopping_rule_is_part_of_a_plan() -> None:
    """To look at every trial as it lands is another plan than to look once."""
    assert a_plan(stop="fixed").hash != a_plan().hash
    assert a_plan(stop="fixed").definition == a_plan().definition


def test_a_control_that_would_be_taken_for_a_case_is_refused() -> None:
    """Trials are told apart by their labels."""
    with pytest.raises(EvalUsageError, match=r"'leak: c'.*positive control.*id"):
        a_plan(cases=["leak: c"])


def test_more_trials_keep_the_keys_and_seeds_of_the_first() -> None:
    """A longer plan repeats what a shorter one ran, so that its results can be reused."""
    short = {trial.key: trial.seed for trial in trials_of(a_plan(trials=2))}
    long = {trial.key: trial.seed for trial in trials_of(a_plan(trials=3))}
    assert short.items() <= long.items()


def test_whatever_changes_a_trial_changes_its_key() -> None:
    """An edited body, another provider, another eval: none takes an old result."""
    base = {trial.key for trial in trials_of(a_plan())}
    changes = (
        {"source": "def test_it(): 1"},
        {"provider": "local"},
        {"identity": "simulated:rate=1"},
        {"eval_id": "o"},
    )
    for change in changes:
        assert not base & {trial.key for trial in trials_of(a_plan(**change))}


def test_the_options_of_a_provider_change_no_seed() -> None:
    """Two settings of one provider are asked alike, so that what differs is theirs."""
    base, other = (
        [trial.seed for trial in trials_of(a_plan(identity=identity))] for identity in "ab"
    )
    assert base == other


def test_an_edited_case_has_other_keys_under_its_old_id() -> None:
    """Results of a case that is no longer the same are never taken for it."""
    before = a_plan(cases=[{"id": "q", "text": "a"}])
    after = a_plan(cases=[{"id": "q", "text": "b"}])
    assert before.cases[-1].label == after.cases[-1].label == "q"
    keys = [
        {t.key for t in trials_of(plan) if t.planned.arm == "trial"} for plan in (before, after)
    ]
    assert not keys[0] & keys[1]


def test_the_hash_of_a_plan_changes_with_all_that_was_fixed() -> None:
    """A changed plan starts a new count of runs."""
    base = a_plan().hash
    assert a_plan().hash == base
    changes = (
        {"trials": 3},
        {"below": 0.1},
        {"cases": ["a", "x"]},
        {"provider": "local"},
        {"identity": "simulated:rate=1"},
    )
    assert len({a_plan(**change).hash for change in changes} | {base}) == 6


def test_an_override_holds_for_the_control_too() -> None:
    """`--trials` changes how often everything runs."""
    assert a_plan(trials=7).n_to_run == 21


def test_a_dry_plan_runs_the_first_case_and_each_control_once() -> None:
    """A dry run is about execution, not about evidence."""

    @evaluate(
        cases=["a", "b"],
        trials=50,
        expect=[never("leak", below=0.05)],
        control=positive_control(cases=["c", "d"], metric="leak"),
    )
    def test_it(case: str) -> None:
        """Do nothing."""

    declaration = declaration_of(test_it)
    assert declaration is not None
    plan = make_dry_plan(declaration, eval_id="e", tier=None)
    assert [trial.planned.label for trial in trials_of(plan)] == ["leak: c", "a"]


def test_the_source_of_a_function_without_source_is_its_bytecode() -> None:
    """A body made at run time still has a content."""
    made: dict[str, Any] = {}
    exec("def one(): return 1\ndef two(): return 2", made)  # noqa: S102  no file holds these
    assert read_source(made["one"])
    assert read_source(made["one"]) != read_source(made["two"])
    assert "def a_plan" in read_source(a_plan)
