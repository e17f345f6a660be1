from __future__ import annotations

from pathlib import Path

import pytest

from tierwise.errors import EvalUsageError
from tierwise.evals import Trial
from tierwise.evals.scorers import Scored


def a_trial() -> Trial:
    return Trial(index=0, seed=1, make_folder=lambda: Path("folder"))


def test_it_is_as_true_as_its_value() -> None:
    """An assert, an `if` and a `not` mean what they say."""
    assert Scored(value=True)
    assert not Scored(value=False, why="there is a reason")


def test_it_compares_with_plain_truth() -> None:
    """A comparison with True never says no by accident of the type."""
    assert Scored(value=True, why="a") == True  # noqa: E712  this is what is tested
    assert Scored(value=False) != True  # noqa: E712
    assert Scored(value=True, why="a") == Scored(value=True, why="b")
    assert Scored(value=0.5) == 0.5
    assert Scored(value=True) != "True"
    assert {Scored(value=True)} == {True}


def test_a_number_has_no_truth() -> None:
    """A share of 0.1 must not pass for yes."""
    with pytest.raises(TypeError, match=r"0\.1 is neither true nor false"):
        assert Scored(value=0.1)
    assert float(Scored(value=0.1)) == 0.1
    assert float(Scored(value=True)) == 1.0


def test_its_opposite_keeps_the_explanation() -> None:
    """A plain `not` loses who judged."""
    found = ~Scored(value=True, why="it says so", grader="judge x")
    assert (found.value, found.why, found.grader) == (False, "it says so", "judge x")
    with pytest.raises(TypeError, match="neither true nor false"):
        assert ~Scored(value=3.0)


def test_a_trial_keeps_the_value_and_the_explanation() -> None:
    """The score is plain, and the note says which metric it explains."""
    trial = a_trial()
    trial.score(ok=Scored(value=False, why="it is late"), share=Scored(value=0.5), plain=True)
    assert trial.scores == {"ok": False, "share": 0.5, "plain": True}
    assert type(trial.scores["ok"]) is bool
    assert trial.notes == ("ok: it is late",)


def test_a_trial_keeps_who_judged() -> None:
    """What has to be said beside a verdict is kept for the metrics that a judge scored."""
    trial = a_trial()
    trial.score(good=Scored(value=True, grader="judge x, not measured"), plain=True)
    assert trial.graders == {"good": "judge x, not measured"}


def test_a_number_that_is_none_is_refused_in_a_scored_value_too() -> None:
    """NaN is missing, however it is wrapped, and leaves neither score nor note."""
    trial = a_trial()
    with pytest.raises(EvalUsageError, match="finite"):
        trial.score(ok=Scored(value=float("nan"), why="x"))
    assert (trial.scores, trial.notes) == ({}, ())
