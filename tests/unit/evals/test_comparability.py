"""What a reader is warned of before believing a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.evals.comparability import find_changed, find_warnings, name_some
from tierwise.records.scores import Shared

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., Any]

CASES = {"a": [{"ok": True}] * 2, "b": [{"ok": True}] * 2}
SEEDS = {"a": 1, "b": 2}
OTHER_SEEDS = {"a": 11, "b": 12}


@pytest.fixture
def warn(make_scores: Make, make_side: Make) -> Make:
    """Return the warnings of two runs, of which B differs in what is said."""

    def find(
        *, shared: Any = None, first: Any = None, inputs: Any = None, **second: Any
    ) -> tuple[str, ...]:
        ours = {"cases": CASES, "seeds": SEEDS, "run": "A"} | (first or {})
        theirs = {"cases": CASES, "seeds": SEEDS, "run": "B"} | second
        evals = tuple(make_scores(**side) for side in (ours, theirs))
        sides = tuple(
            make_side(entry, **{k: v for k, v in side.items() if k in ("run", "code")})
            for entry, side in zip(evals, (ours, theirs), strict=True)
        )
        return find_warnings(sides, evals, shared or Shared(), inputs or {})

    return find


def test_two_runs_of_one_plan_are_compared_without_a_word(warn: Make) -> None:
    """The same code, plan and seeds: nothing to warn of."""
    assert warn() == ()


@pytest.mark.parametrize(
    ("differs", "warning"),
    [
        (
            {"code": "i"},
            "the project's files or packages changed between the two runs",
        ),
        (
            {"inputs_hash": "i", "first": {"inputs_hash": "j"}},
            "the project's files or packages changed between the two runs",
        ),
        (
            {"code": ""},
            "it is not known whether the project's code was the same: a run has no fingerprint",
        ),
        (
            {"definition": "e"},
            "the plans differ: the eval's own code, or the options of its provider",
        ),
        ({"trials": 5, "plan_hash": "q"}, "trials of a case differ: A planned 2, B 5"),
        ({"plan_hash": "q"}, "the plans differ in their cases or expectations"),
        (
            {"cases": {"a": [{"ok": True}, {"ok": True}], "b": [{"ok": True}, None]}},
            "scored trials differ: A has 4, B 3",
        ),
        (
            {"cases": {"a": [{"ok": True}, {"ok": True}], "b": [{"ok": True}, None]}},
            "B has 1 of 4 trials without a score (25 %)",
        ),
        (
            {"n_planned": 9},
            "B ended early, after 4 of 9 trials: what stopped it may favour one side",
        ),
    ],
)
def test_what_else_differs_is_said(warn: Make, differs: dict[str, Any], warning: str) -> None:
    """Code, plan, trials, scores and an early end, each in one line."""
    assert warning in warn(**differs)


def test_the_inputs_of_an_eval_count_for_more_than_the_code(warn: Make) -> None:
    """Files that no trial rests on may change; where inputs are not known, the code stands in."""
    same = {"inputs_hash": "i"}
    assert warn(code="other", **same, first=same) == ()
    assert warn(code="other", **same) != ()


def test_what_changed_is_named(warn: Make) -> None:
    """As `eval run` names it; nothing is, where one of the two states is not known."""
    known = {"i": {"a.py": "1", "b.py": "2"}, "j": {"a.py": "1", "b.py": "3", "c.toml": "4"}}
    line, *_ = warn(inputs_hash="j", first={"inputs_hash": "i"}, inputs=known)
    assert line == "the project's files or packages changed between the two runs: b.py, c.toml"
    half = {"i": known["i"]}
    line, *_ = warn(inputs_hash="j", first={"inputs_hash": "i"}, inputs=half)
    assert line == "the project's files or packages changed between the two runs"


def test_trials_that_both_count_are_said(warn: Make) -> None:
    """What one run took over from the other cannot differ from it."""
    (line,) = warn(shared=Shared(n_taken_over=2, n_copied=1))
    assert line.startswith(
        "3 trials are the same on both sides (2 taken over from an earlier run, 1 answered from "
        "the cache): they cannot differ"
    )


def test_seeds_tell_of_changed_cases_where_code_did_not_change(make_scores: Make) -> None:
    """One equal seed shows that code and provider are the same: another seed is another case."""
    one, two = make_scores(CASES, seeds=SEEDS), make_scores(CASES, seeds={"a": 1, "b": 9})
    assert find_changed(one, two) == (("b",), True)
    assert find_changed(one, make_scores(CASES, seeds=OTHER_SEEDS)) == ((), False)


def test_seeds_that_all_differ_leave_the_cases_in_doubt(warn: Make) -> None:
    """Unless the fingerprint of the project says that its files were the same."""
    doubt = "the seeds of all cases differ: the eval's own code or its cases changed"
    assert any(line.startswith(doubt) for line in warn(code="i", seeds=OTHER_SEEDS))
    assert any(line.startswith(doubt) for line in warn(code="", seeds=OTHER_SEEDS))
    assert not any(line.startswith(doubt) for line in warn(seeds=OTHER_SEEDS))
    assert not any(line.startswith(doubt) for line in warn(code="i"))


def test_providers_of_two_runs_are_better_compared_in_one(warn: Make) -> None:
    """Seeds follow from the provider's name, so they cannot vouch for the cases."""
    lines = warn(provider="y", definition="e", code="i", seeds=OTHER_SEEDS)
    assert any("One run of both tells: tierwise eval run --provider A" in line for line in lines)
    assert not any(line.startswith("the plans differ") for line in lines)


def test_providers_of_one_run_are_what_is_compared(warn: Make) -> None:
    """Other seeds, definitions and options are no news there; other numbers of trials are."""
    assert warn(run="A", provider="y", definition="e", seeds=OTHER_SEEDS, plan_hash="q") == ()
    assert warn(run="A", definition="e", seeds=OTHER_SEEDS, plan_hash="q") == ()
    assert warn(run="A", provider="y", code="", first={"code": ""}) == ()
    assert warn(run="A", provider="y", n_planned=9) != ()


def test_many_names_are_cut_short() -> None:
    """Five of them and how many more."""
    assert name_some(tuple("abcdefg")) == "a, b, c, d, e and 2 more"
    assert name_some(("a", "b")) == "a, b"
