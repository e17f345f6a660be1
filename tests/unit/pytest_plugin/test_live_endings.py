from __future__ import annotations

import pytest

from tierwise.contracts import UnobservableError
from tierwise.domain import Outcome
from tierwise.pytest_plugin.eval_jobs import explain_ending


def skip_of(reason: str) -> BaseException:
    """Return what pytest raises for a skip."""
    with pytest.raises(pytest.skip.Exception) as caught:
        pytest.skip(reason)
    return caught.value


def test_a_trial_whose_subject_could_not_be_seen_is_unobservable() -> None:
    """A walk that found nobody to ask, in the body of an eval, is no error of the harness."""
    ending = explain_ending(UnobservableError("none of 2 candidates can be used"))
    assert (ending.outcome, ending.message) == (
        Outcome.UNOBSERVABLE,
        "none of 2 candidates can be used",
    )


def test_a_skip_with_that_reason_is_unobservable_in_a_trial_too() -> None:
    """The reason is classified the same way as a test's."""
    assert explain_ending(skip_of("unobservable: busy")).outcome is Outcome.UNOBSERVABLE


def test_another_skip_is_a_trial_that_was_not_run() -> None:
    """A skip without a classified reason keeps its meaning."""
    assert explain_ending(skip_of("no flag")).outcome is Outcome.NOT_RUN
