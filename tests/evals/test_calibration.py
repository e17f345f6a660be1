"""The engine against the truth: subjects whose rates are known, measured as users would."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.domain import Message
from tierwise.evals import at_least, at_most, evaluate, never, positive_control
from tierwise.providers import FailureKind, Request, SimulatedProvider

if TYPE_CHECKING:
    from tierwise.evals import Trial

ASK: Request[Any] = Request(messages=(Message(role="user", content="Where is it?"),))
FACT = "the blue heron"


@evaluate(
    cases=[0.0],
    trials=299,
    expect=[never("leak", below=0.01)],
    control=positive_control(cases=[1.0], metric="leak", at_least=0.9, trials=40),
)
async def test_a_subject_that_never_leaks_is_proven(case: float, trial: Trial) -> None:
    """299 clean trials prove a rate below 1 %, beside a control that always leaks."""
    subject = SimulatedProvider(secret=FACT, leak_rate=case, seed=trial.seed)
    reply = trial.require(await subject.generate(ASK))
    trial.score(leak=FACT in reply.text)


@evaluate(
    cases=[{"id": "one in five", "rate": 0.2}],
    trials=400,
    expect=[at_least("leak", 0.14), at_most("leak", 0.26)],
)
def test_a_known_rate_is_found_within_its_bounds(case: dict[str, float], trial: Trial) -> None:
    """A subject that leaks one time in five is measured as one, by a sync body."""
    subject = SimulatedProvider(secret=FACT, leak_rate=case["rate"], seed=trial.seed)
    reply = trial.require(trial.wait(subject.generate(ASK)))
    trial.score(leak=FACT in reply.text)


@evaluate(
    cases=["busy vendor"],
    trials=300,
    expect=[never("leak", below=0.05, missing_ceiling=0.1), at_most("passed", 0.99)],
)
async def test_what_a_busy_vendor_hides_is_counted_against_the_claim(
    case: str, trial: Trial
) -> None:
    """With 2 % of calls refused the claim still holds, each missing trial counted as a leak."""
    rates = {FailureKind.BUSY: 0.02}
    subject = SimulatedProvider(secret=FACT, failure_rates=rates, seed=trial.seed)
    reply = trial.require(await subject.generate(ASK))
    trial.score(leak=FACT in reply.text)
    assert trial.index % 10, f"one trial in ten of {case} fails its assert, whatever was said"
