"""What went wrong never speaks for a promise, whatever the body made of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tierwise.domain import Message, Outcome, Usage, Verdict
from tierwise.evals import at_least, must_refute, never
from tierwise.evals.calling import Caller
from tierwise.evals.cases import gather_cases
from tierwise.evals.counting import Counts, count
from tierwise.evals.judging import judge
from tierwise.evals.listening import TrialProvider
from tierwise.evals.plan import PlannedCase
from tierwise.evals.tally import Tally
from tierwise.providers import (
    Answer,
    Failure,
    FailureKind,
    MockProvider,
    Provider,
    Request,
    Rule,
    ScriptedProvider,
)

BUSY = Failure(kind=FailureKind.BUSY, message="later")


def ask(text: str = "hi", purpose: str = "") -> Request:
    return Request(messages=(Message(role="user", content=text),), purpose=purpose)


def trial_provider(provider: Provider) -> TrialProvider:
    return TrialProvider(Caller(provider), seed=1, eval_id="e", index=0)


def crashed(metric: str, n: int) -> Counts:
    """Count `n` trials that scored the metric True and then crashed."""
    (case,) = gather_cases(["a"])
    planned = PlannedCase(case=case, arm="trial", trials=n)
    tally = Tally([planned])
    for _ in range(n):
        tally.add(planned.label, Outcome.ERROR, {metric: True}, message="crash")
    return count(metric, tally.of_arm("trial"))


def test_trials_that_crashed_do_not_prove_a_rate() -> None:
    """A True that was scored before a crash is no evidence for a promise."""
    assert judge(at_least("good", 0.8), crashed("good", 30)).verdict is Verdict.UNDECIDED


def test_trials_that_crashed_do_refute_a_never() -> None:
    """A leak that was seen before a crash was seen."""
    found = judge(never("leak", below=0.2), crashed("leak", 2))
    assert found.verdict is Verdict.REFUTED
    assert found.reason == "leak occurred in 0 of 0 trials, and in 2 that then went wrong"


@pytest.mark.parametrize(
    "seen", [crashed("leak", 30), Counts(per_case=((1, 1),), missing=(29,))], ids=["all", "most"]
)
def test_trials_that_crashed_do_not_make_a_control(seen: Counts) -> None:
    """A negative control in which most trials went wrong shows nothing."""
    found = judge(must_refute(never("leak", below=0.2)), seen)
    assert found.verdict is Verdict.UNDECIDED


async def failing_then_fine() -> Failure | None:
    """Fail for one purpose, then answer another."""
    script = ScriptedProvider([Rule(purpose="actor", answer=BUSY), Rule(answer="fine")])
    provider = trial_provider(script)
    await provider.generate(ask(purpose="actor"))
    await provider.generate(ask(purpose="narrator"))
    return provider.open_failure


def test_an_answer_to_something_else_settles_nothing() -> None:
    """The actor that never answered is not excused by the narrator that did."""
    failure = asyncio.run(failing_then_fine())
    assert failure is not None
    assert failure.kind is FailureKind.BUSY


async def failing_twice_then_fine() -> Failure | None:
    """Ask the same three times."""
    provider = trial_provider(MockProvider([BUSY, BUSY, "fine"]))
    for _ in range(3):
        await provider.generate(ask())
    return provider.open_failure


def test_the_same_request_answered_at_last_is_settled() -> None:
    """An app that tries again and gets an answer is scored as usual."""
    assert asyncio.run(failing_twice_then_fine()) is None


class Raising:
    """A provider with a bug."""

    name = "raising"
    real = False

    async def generate(self, request: Request) -> Answer | Failure:
        """Raise."""
        raise ConnectionError("no route")


async def swallow() -> Failure | None:
    """Do what an app may do: catch everything."""
    provider = trial_provider(Raising())
    try:
        await provider.generate(ask())
    except Exception:  # noqa: BLE001  as an app would
        return provider.open_failure
    return None


def test_a_provider_that_raised_did_not_answer() -> None:
    """An exception that the app swallowed is a call without an answer."""
    failure = asyncio.run(swallow())
    assert failure is not None
    assert failure.kind.outcome is Outcome.ERROR
    assert "ConnectionError: no route" in failure.message


class Hanging:
    """A provider that never answers."""

    name = "hanging"
    real = False

    async def generate(self, request: Request) -> Answer | Failure:
        """Wait without end."""
        await asyncio.Event().wait()
        raise AssertionError("unreachable")


async def give_up() -> Failure | None:
    """Cancel the call, as a time-out of the app's own does."""
    provider = trial_provider(Hanging())
    call = asyncio.create_task(provider.generate(ask()))
    await asyncio.sleep(0)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    return provider.open_failure


def test_a_call_that_the_app_gave_up_was_not_answered() -> None:
    """A time-out of the app's own leaves nothing to be scored."""
    failure = asyncio.run(give_up())
    assert failure is not None
    assert failure.kind is FailureKind.TIMEOUT


async def samples(fails: tuple[bool, ...], *, at_once: int) -> Failure | None:
    """Ask one question several times, some calls at once, each failing or not in its turn."""
    turns = iter(fails)

    class Sampled:
        """A provider whose calls overlap."""

        name = "sampled"
        real = False

        async def generate(self, request: Request) -> Answer | Failure:
            """Answer after the other calls have begun."""
            fails = next(turns)
            await asyncio.sleep(0)
            return BUSY if fails else Answer(text="fine", usage=Usage())

    provider = trial_provider(Sampled())
    for start in range(0, len(fails), at_once):
        group = range(start, min(start + at_once, len(fails)))
        await asyncio.gather(*(provider.generate(ask()) for _ in group))
    return provider.open_failure


@pytest.mark.parametrize(
    ("fails", "at_once", "is_settled"),
    [
        ((True, False, False), 3, False),
        ((False, True), 2, False),
        ((True, True, False), 1, True),
        ((True, True, False), 2, False),
        ((True, True, False, False), 2, True),
        ((True, False, True, False), 2, False),
        ((False, True, False), 2, True),
    ],
    ids=["first", "second", "in turn", "one for two", "each again", "again at once", "alone"],
)
def test_samples_at_once_do_not_settle_each_other(
    fails: tuple[bool, ...], at_once: int, *, is_settled: bool
) -> None:
    """A failed sample is settled by a call that began after it had ended, one for one."""
    assert (asyncio.run(samples(fails, at_once=at_once)) is None) is is_settled


def test_another_seed_is_another_question() -> None:
    """Samples that are told apart by their seeds are not each other's second tries."""

    async def scenario() -> Failure | None:
        provider = trial_provider(MockProvider([BUSY, "fine"]))
        await provider.generate(replace(ask(), seed=1))
        await provider.generate(replace(ask(), seed=2))
        return provider.open_failure

    failure = asyncio.run(scenario())
    assert failure is not None
    assert failure.message == "later"
