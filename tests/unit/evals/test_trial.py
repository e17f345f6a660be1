from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tierwise.errors import EvalUsageError
from tierwise.evals import Trial
from tierwise.evals.trial import TrialOver
from tierwise.providers import Answer, Failure, FailureKind


def a_trial(**changed: object) -> Trial:
    made: dict[str, Any] = {"index": 3, "seed": 7, "make_folder": lambda: Path("folder")}
    return Trial(**(made | changed))


def test_scores_of_three_kinds_are_kept() -> None:
    """True or False, numbers and categories; a whole number is a number."""
    trial = a_trial()
    trial.score(leak=False, words=12, tone="kind")
    assert trial.scores == {"leak": False, "words": 12.0, "tone": "kind"}


def test_a_metric_scored_twice_is_refused() -> None:
    """One trial is one observation."""
    trial = a_trial()
    trial.score(leak=False)
    with pytest.raises(EvalUsageError, match="came twice"):
        trial.score(leak=True)


@pytest.mark.parametrize("value", [None, [], float("nan"), float("inf"), object()])
def test_a_value_that_is_no_observation_is_refused(value: object) -> None:
    """NaN and None are missing, not values."""
    with pytest.raises(EvalUsageError, match=r"trial\.score\(m="):
        a_trial().score(m=value)


def test_passed_belongs_to_the_asserts() -> None:
    """A body cannot overrule its own asserts."""
    with pytest.raises(EvalUsageError, match="is taken"):
        a_trial().score(passed=True)


def test_nothing_is_taken_after_the_end() -> None:
    """A thread that outlives its trial is told so."""
    trial = a_trial()
    trial.note("before")
    assert trial.close() == {}
    with pytest.raises(EvalUsageError, match="after the trial was over"):
        trial.score(leak=True)
    with pytest.raises(EvalUsageError, match="after the trial was over"):
        trial.note("late")
    assert trial.notes == ("before",)


def test_the_folder_is_made_once_and_only_when_asked_for() -> None:
    """A trial that needs no files makes none."""
    made: list[Path] = []

    def make() -> Path:
        made.append(Path(f"folder{len(made)}"))
        return made[-1]

    trial = a_trial(make_folder=make)
    assert made == []
    assert trial.tmp_path == trial.tmp_path == Path("folder0")


def test_require_returns_an_answer() -> None:
    """The usual way costs nothing."""
    answer: Answer[Any] = Answer(text="hello")
    assert a_trial().require(answer) is answer


def test_require_goes_on_with_what_the_model_did_wrong() -> None:
    """The text of a refusal is scored; there is no data."""
    refusal = Failure(kind=FailureKind.REFUSED, message="m", text="I will not.", model="x")
    answer: Answer[Any] = a_trial().require(refusal)
    assert (answer.text, answer.data, answer.model) == ("I will not.", None, "x")


def test_require_ends_the_trial_otherwise() -> None:
    """No `except Exception` of a body can stop it."""
    with pytest.raises(TrialOver, match="later") as ended:
        a_trial().require(Failure(kind=FailureKind.BUSY, message="later"))
    assert ended.value.kind is FailureKind.BUSY
    assert not isinstance(ended.value, Exception)


def test_wait_without_an_event_loop_is_refused() -> None:
    """A trial made by hand cannot wait."""
    with pytest.raises(EvalUsageError, match="no event loop"):
        a_trial().wait(asyncio.sleep(0))


async def test_wait_in_an_async_body_is_refused_with_the_way_out() -> None:
    """It would wait for itself for ever."""
    trial = a_trial(loop=asyncio.get_running_loop())
    with pytest.raises(EvalUsageError, match=r"Write `await \.\.\.`"):
        trial.wait(asyncio.sleep(0))
