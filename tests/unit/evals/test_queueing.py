"""Which trial starts next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tierwise.domain import Outcome
from tierwise.evals import declaration_of, evaluate, never
from tierwise.evals.calling import Caller
from tierwise.evals.job import Job
from tierwise.evals.outcomes import Conclusion
from tierwise.evals.plan import make_plan
from tierwise.evals.queueing import TrialQueue
from tierwise.evals.running import Body, Setting, TrialResult
from tierwise.providers import MockProvider

if TYPE_CHECKING:
    from tierwise.evals.planned_trials import PlannedTrial


def a_job(caller: Caller | None = None, **more: Any) -> Job:
    def body() -> None:
        """Do nothing."""

    declared = evaluate(
        cases=more.pop("cases", ["a", "b"]),
        trials=more.pop("trials", 2),
        expect=[never("leak", below=0.9)],
        stop=more.pop("stop", "fixed"),
    )(body)
    declaration = declaration_of(declared)
    assert declaration is not None
    return Job(
        plan=make_plan(declaration, eval_id="e", tier=None, source="", provider="p"),
        body=Body(function=body, wants=frozenset()),
        setting=Setting(caller=caller, timeout_s=1.0, make_folder=Path),
        **more,
    )


def drain(queue: TrialQueue) -> list[tuple[Job, str, int]]:
    found = []
    while (entry := queue.next()) is not None:
        found.append((entry[0], entry[1].planned.label, entry[1].index))
    return found


def ended(trial: PlannedTrial, **scores: bool) -> TrialResult:
    return TrialResult(planned=trial, conclusion=Conclusion(outcome=Outcome.PASSED, scores=scores))


def test_evals_of_one_provider_follow_one_another() -> None:
    """Each round of cases before the next round."""
    first, second = a_job(), a_job()
    order = drain(TrialQueue([first, second]))
    rounds = [("a", 0), ("b", 0), ("a", 1), ("b", 1)]
    assert [entry[1:] for entry in order] == rounds * 2
    assert [entry[0] for entry in order] == [first] * 4 + [second] * 4


def test_providers_take_turns_until_one_has_no_more() -> None:
    """Two lanes of different lengths."""
    one, other = Caller(MockProvider([])), Caller(MockProvider([]))
    short, long = a_job(one, trials=1), a_job(other, trials=2)
    order = [entry[0] for entry in drain(TrialQueue([short, long]))]
    assert order == [short, long, short, long, long, long]


def test_a_job_that_is_over_makes_no_further_trials() -> None:
    """Neither after what was fatal, nor after a cut, nor when it is settled."""
    stopped, cut, settled = a_job(), a_job(), a_job(trials=50, stop="curtailed")
    queue = TrialQueue([stopped, cut, settled])
    assert queue.next() is not None
    stopped.stop(KeyError("x"))
    second = queue.next()
    assert second is not None
    assert second[0] is cut
    cut.cut_by = "the budget is reached"
    entry = queue.next()
    assert entry is not None
    assert entry[0] is settled
    settled.land(ended(entry[1], leak=True))
    assert queue.next() is None


def test_a_cut_is_looked_for_before_each_trial_and_kept() -> None:
    """The reason stands beside the eval that was cut."""
    job, other = a_job(), a_job()
    left = [None, "the budget is reached"]
    queue = TrialQueue([job, other], find_cut=lambda j: left.pop(0) if j is job else None)
    assert [entry[0] for entry in drain(queue)] == [job] + [other] * 4
    assert job.cut_by == "the budget is reached"
    assert not other.cut_by


def test_what_earlier_runs_did_is_not_handed_out() -> None:
    """The rest comes in the same order."""
    job = a_job(is_done=lambda planned, index: (planned.label, index) in {("a", 0), ("b", 1)})
    assert [entry[1:] for entry in drain(TrialQueue([job]))] == [("b", 0), ("a", 1)]


def test_a_closed_queue_hands_out_nothing() -> None:
    """Ctrl-C: what is in flight may end, and nothing else starts."""
    queue = TrialQueue([a_job()])
    assert queue.next() is not None
    queue.close()
    assert queue.next() is None
