"""What a project says about its calls reaches them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.errors import ExitCode
from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Run = Callable[..., pytest.RunResult]

ASKING = """
@evaluate(cases=["a"], trials=3, expect=[at_least("passed", 0.1)], stop="fixed")
async def test_it(case, provider, trial):
    await ask(provider, trial)
"""
MINE = """
import asyncio
from tierwise.providers import Answer, Failure, FailureKind

class Shaky:
    \"\"\"Fails the first time that it is asked something, and answers the second time.\"\"\"

    name, real = "shaky", False

    def __init__(self):
        self.seen = set()

    async def generate(self, request):
        if request.seed in self.seen:
            return Answer(text="yes")
        self.seen.add(request.seed)
        return Failure(kind=FailureKind.UNAVAILABLE, message="a bad moment")

class Hanging:
    name, real = "hanging", False

    async def generate(self, request):
        await asyncio.get_running_loop().create_future()
"""


@pytest.fixture
def configure(project: pytest.Pytester, write: Write) -> Callable[[str], None]:
    """Write the eval, its providers, and what the project says."""

    def configure(line: str) -> None:
        project.makepyfile(mine=MINE)
        project.makepyprojecttoml(f"[tool.tierwise.evals]\n{line}")
        write(ASKING)

    return configure


def test_a_double_is_asked_again_only_where_that_is_wished(
    project: pytest.Pytester, configure: Callable[[str], None], run: Run
) -> None:
    """It would fail again; a project that tests its own bad moments says `retries`."""
    configure("")
    once = run(provider="mine:Shaky")
    assert once.ret == ExitCode.NOTHING_OBSERVED
    once.stdout.fnmatch_lines(["*3 x error: unavailable: a bad moment*", "*spent: 3 calls*"])
    configure("retries = 1")
    again = run(provider="mine:Shaky")
    again.stdout.fnmatch_lines(["*scored 3 of 3 planned*", "*spent: 3 calls (6 attempts)*"])
    with RunStore.open(project.path / ".tierwise" / "records.db") as store:
        (said,) = store.trials_of_run(store.runs()[1].run_id)[0].exchanges
    assert [attempt.failure for attempt in said.attempts] == ["unavailable", None]


def test_a_hanging_call_is_cut_before_its_trial_is(
    configure: Callable[[str], None], run: Run
) -> None:
    """By `call_timeout_s`, which names itself."""
    configure("call_timeout_s = 0.05\ntimeout_s = 60")
    result = run(provider="mine:Hanging")
    assert result.ret == ExitCode.NOTHING_OBSERVED
    result.stdout.fnmatch_lines(["*3 x error: timeout: *0.05 s*"])


@pytest.mark.parametrize("how", ["option", "project"])
def test_replies_are_kept_and_taken_where_that_is_wished(
    project: pytest.Pytester, configure: Callable[[str], None], run: Run, how: str
) -> None:
    """Off unless asked for; a cached reply is told as such, and costs nothing."""
    configure("" if how == "option" else "cache = true")
    asked = ["--eval-cache"] if how == "option" else []
    first = run(*asked)
    first.stdout.fnmatch_lines(["*spent: 3 calls, 39 tokens"])
    second = run("--eval-fresh", *asked)
    second.stdout.fnmatch_lines(["*spent: 3 from the cache"])
    assert (project.path / ".tierwise" / "cache.db").exists()
    if how == "option":
        run("--eval-fresh").stdout.fnmatch_lines(["*spent: 3 calls, 39 tokens"])
