"""What an undecided verdict tells to do next."""

from __future__ import annotations

from tierwise.domain import Verdict
from tierwise.evals import at_least, never
from tierwise.evals.counting import Counts
from tierwise.evals.judging import judge
from tierwise.evals.table import judgement_lines

LEAK = never("leak", below=0.2)


def counts(events: int, n: int, missing: int = 0) -> Counts:
    return Counts(per_case=((events, n),), missing=(missing,))


def test_a_silent_control_is_what_has_to_be_mended() -> None:
    """No number of trials of the eval itself helps when only the control stands in the way."""
    control = judge(at_least("leak", 0.5), counts(0, 20))
    found = judge(LEAK, counts(0, 15), control=control)
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_needed is None
    (said,) = [line.strip() for line in judgement_lines(found) if "make the control" in line]
    assert said.startswith("make the control speak: leak occurred in 0 of 20 of its trials")
    assert not any("a new plan would need" in line for line in judgement_lines(found))


def test_a_control_beside_too_few_trials_leaves_the_number() -> None:
    """The bound does not satisfy the limit either, so that more trials are needed all the same."""
    control = judge(at_least("leak", 0.5), counts(0, 20))
    found = judge(LEAK, counts(0, 5), control=control)
    assert found.n_needed == 14
    assert found.next_step == ""


def test_without_a_scored_trial_the_errors_come_first() -> None:
    """A number of trials is no help where none could be scored."""
    found = judge(LEAK, counts(0, 0, missing=15))
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_needed is None
    assert any("mend what keeps them from being scored" in x for x in judgement_lines(found))
