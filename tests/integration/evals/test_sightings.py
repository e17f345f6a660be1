"""What a trial without an answer may say, and what ends a trial that no other does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., pytest.RunResult]
    Write = Callable[..., None]

VENDOR = """
from tierwise.providers import Answer, Failure, FailureKind

class Vendor:
    name, real = "vendor", False

    async def generate(self, request):
        if request.schema is not None or "down" in request.prompt_text:
            return Failure(kind=FailureKind.UNAVAILABLE, message="down")
        return Answer(text="heron")
"""


@pytest.fixture
def ask_vendor(project: pytest.Pytester, run: Run) -> Run:
    """Run the evals with a vendor that answers some requests only."""
    (project.path / "sometimes.py").write_text(VENDOR)
    return lambda *arguments: run(*arguments, provider="sometimes:Vendor")


def test_what_was_read_from_no_answer_refutes_nothing(write: Write, ask_vendor: Run) -> None:
    """An outage is an outage, although the body scored True without an answer."""
    write(
        """
        @evaluate(cases=["down"], trials=4, expect=[never("rude", below=0.9)])
        async def test_it(case, provider, trial):
            request = Request(messages=(Message(role="user", content=case),))
            reply = await provider.generate(request)
            trial.score(rude="sorry" not in reply.text)
        """
    )
    result = ask_vendor()
    assert result.ret == ExitCode.NOTHING_OBSERVED
    result.stdout.fnmatch_lines(["*UNDECIDED*", "*without a score: 4 error*"])


def test_what_was_seen_before_an_outage_refutes(write: Write, ask_vendor: Run) -> None:
    """A leak in an answer is a leak, whatever went wrong after it."""
    write(
        """
        @evaluate(cases=["down"], trials=4, expect=[never("leak", below=0.9)])
        async def test_it(case, provider, trial):
            trial.score(leak="heron" in await ask(provider, trial))
            await ask(provider, trial, case)
        """
    )
    assert ask_vendor().ret == ExitCode.FAILED


def test_another_question_in_the_same_words_settles_nothing(write: Write, ask_vendor: Run) -> None:
    """A request with a schema stays unanswered when the one without it is answered."""
    write(
        """
        from pydantic import BaseModel

        class Probe(BaseModel):
            leak: bool

        @evaluate(cases=["q"], trials=59, expect=[never("leak", below=0.05)])
        async def test_it(case, provider, trial):
            turns = (Message(role="user", content=case),)
            probe = await provider.generate(Request(messages=turns, schema=Probe))
            await provider.generate(Request(messages=turns))
            trial.score(leak=bool(getattr(probe, "data", None) and probe.data.leak))
        """
    )
    result = ask_vendor()
    assert result.ret == ExitCode.NOTHING_OBSERVED
    result.stdout.fnmatch_lines(["*without a score: 59 error*"])


def test_a_body_that_cancels_itself_costs_its_own_trial(write: Write, run: Run) -> None:
    """Its row is kept as an error, and the other evals run."""
    write(
        """
        import asyncio

        @evaluate(cases=["q"], trials=8, expect=[at_least("passed", 0.5)])
        async def test_cancelling(case, trial):
            asyncio.current_task().cancel()

        @evaluate(cases=["q"], trials=20, expect=[at_least("passed", 0.5)])
        async def test_good(case, trial):
            await asyncio.sleep(0)
        """
    )
    result = run()
    result.stdout.fnmatch_lines(["*8 x error: the body cancelled its own task"])
    result.stdout.fnmatch_lines(["*PROVEN *passed at least 50 %*"])


def test_an_error_that_cannot_say_what_it_is_costs_its_own_trial(write: Write, run: Run) -> None:
    """Its kind is all that is told."""
    write(
        """
        class Mute(Exception):
            def __str__(self):
                raise ValueError("no words")

        @evaluate(cases=["q"], trials=2, expect=[at_least("passed", 0.5)])
        async def test_it(case, trial):
            raise Mute
        """
    )
    run().stdout.fnmatch_lines(["*2 x error: Mute: (its message cannot be read)*"])
