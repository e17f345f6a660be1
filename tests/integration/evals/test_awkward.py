"""What a model says and where a person stands does not end a run half way."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

PROVIDERS = r"""
from tierwise.providers import Answer

class Odd:
    name = "odd"
    real = False

    async def generate(self, request):
        return Answer(text="half a pair \ud800")

class Stuck(Odd):
    name = "stuck"

    async def generate(self, request):
        return Answer(text="fine")

    def close(self):
        raise OSError("no")

odd, stuck = Odd(), Stuck()
"""
BODY = """
@evaluate(cases=["a"], trials=5, expect=[at_least("good", 0.2)])
async def test_it(provider, trial):
    text = await ask(provider, trial)
    trial.note(text)
    trial.score(good=bool(text))
"""


@pytest.fixture
def command(project: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run the command in a process of its own, in the project."""
    project.makepyfile(shop=PROVIDERS)

    def run(*arguments: str) -> pytest.RunResult:
        return project.run(sys.executable, "-m", "tierwise", "eval", "run", *arguments)

    return run


@pytest.mark.parametrize("name", ["odd", "stuck"])
def test_awkward_providers_are_judged_all_the_same(
    write: Callable[..., None], command: Callable[..., pytest.RunResult], name: str
) -> None:
    """A lone surrogate in a reply, and a close() that raises, cost no verdict."""
    write(BODY)
    result = command("--provider", f"shop:{name}")
    assert result.ret == ExitCode.OK
    result.stdout.fnmatch_lines(["*PROVEN*5 of 5*"])


def test_a_subfolder_runs_the_project_s_evals(
    write: Callable[..., None],
    command: Callable[..., pytest.RunResult],
    project: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tiers name folders of the project, wherever the command is started."""
    write(BODY)
    project.mkdir(".git")
    monkeypatch.chdir(project.mkdir("src"))
    result = command("--provider", "schema")
    assert result.ret == ExitCode.OK
    result.stdout.fnmatch_lines(["*test_it*"])


def test_a_case_that_is_named_like_a_key_is_judged_and_resumed(
    write: Callable[..., None], command: Callable[..., pytest.RunResult]
) -> None:
    """Records hold its name masked, and find its trials by that."""
    key = "sk-" + "a1B2" * 8
    write(BODY.replace('cases=["a"]', f'cases=[{{"id": "one {key}"}}, {{"id": "two"}}]'))
    for words in ("*PROVEN*10 of 10*", "*10 trials of run*reused*"):
        result = command("--provider", "shop:stuck")
        assert result.ret == ExitCode.OK
        result.stdout.fnmatch_lines([words])
        assert key not in result.stdout.str()
