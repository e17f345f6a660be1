"""Scorers and judges in evals that the real engine runs."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.errors import ExitCode
from tierwise.records import RunStore

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tierwise.records import TrialRow

    Write = Callable[..., None]
    Run = Callable[..., pytest.RunResult]

JUDGES = """
import json
from tierwise.evals.judges import ItemAgreement, JudgeAgreement, Question, Rubric, judge
from tierwise.evals.judges.prompting import identify_prompt
from tierwise.evals.scorers import called_none, contains, exact, latency_s
from tierwise.providers import Failure, FailureKind, MockProvider, Rule, ScriptedProvider

POLITE = Rubric("polite", (Question("polite", "Is it polite?", needs_quote=False),))
YES = {"polite": {"quote": "", "reason": "it greets", "verdict": "yes"}}
BUSY = Failure(kind=FailureKind.BUSY, message="later")

class Endless:
    name, real = "judge-1", False
    def __init__(self, answer):
        self._answer = answer
    async def generate(self, request):
        return await MockProvider([self._answer], name=self.name).generate(request)
"""


def kept(project: pytest.Pytester) -> Sequence[TrialRow]:
    """Return the trials of the last run."""
    with RunStore.open(project.path / ".tierwise" / "records.db") as store:
        return store.trials_of_run(store.runs()[-1].run_id)


def test_a_scorer_s_explanation_is_kept_beside_its_score(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """As a note of the trial, whichever way the score went."""
    write(
        JUDGES
        + """
@evaluate(cases=["a"], trials=2, expect=[at_most("right", 0.9)])
async def test_it(case, provider, trial):
    said = await ask(provider, trial)
    trial.score(right=exact(said, "Paris"), quiet=called_none(trial.exchanges))
"""
    )
    run()
    for trial in kept(project):
        assert trial.scores["right"] is False
        (note,) = trial.notes
        assert note.startswith("right: ")
        assert "is not 'Paris'" in note


def test_what_a_scorer_cannot_judge_is_an_error(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """Neither a pass nor a fail: the eval is undecided, with the reason and the line."""
    write(
        JUDGES
        + """
@evaluate(cases=["a"], trials=3, expect=[at_least("right", 0.1), never("wrong", below=0.9)])
async def test_it(case, provider, trial):
    trial.score(wrong=not contains(None, "x"), right=True)
"""
    )
    result = run()
    assert result.ret == ExitCode.NOTHING_OBSERVED
    result.stdout.fnmatch_lines(["*3 x error: ScorerError: TW-SCORER*The reply is None*"])


def test_a_judge_is_asked_paid_and_named_as_part_of_the_trial(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """Its exchange is kept with its tokens, and its verdict says that nobody measured it."""
    write(
        JUDGES
        + """
JUDGE = Endless(YES)

@evaluate(cases=["a"], trials=20, expect=[at_least("polite", 0.5), at_least("passed", 0.5)])
async def test_it(case, provider, trial):
    said = await ask(provider, trial)
    judged = await judge(provider, POLITE, said, by=JUDGE)
    trial.score(**judged.scores())
"""
    )
    result = run()
    assert result.ret == ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "*PROVEN*polite at least 50 %*",
            "*caution: judged by 'polite' (judge-1), whose agreement with people nobody measured",
            "*PROVEN*passed at least 50 %*",
        ]
    )
    assert result.stdout.str().count("nobody measured") == 1
    assert run().stdout.str().count("nobody measured") == 1
    for trial in kept(project):
        assert [said.purpose for said in trial.exchanges] == ["", "judge"]
        assert trial.exchanges[1].usage.total_tokens > 0
        assert trial.notes == ("polite: it greets",)


def test_a_measured_agreement_stands_beside_the_verdict(
    project: pytest.Pytester, write: Write, run: Run
) -> None:
    """Also in the JSON, and its sensitivity widens the bound of a `never`."""
    write(
        JUDGES
        + """
JUDGE = Endless({"polite": YES["polite"] | {"verdict": "no"}})
ITEM = ItemAgreement(
    name="polite", categories=("yes", "no"), table=((50, 10), (2, 58)), undetermined=(0, 0)
)
AGREEMENT = JudgeAgreement(
    rubric="polite", prompt=identify_prompt(POLITE), model="judge-1", items=(ITEM,)
)

@evaluate(
    cases=["a"],
    trials=59,
    expect=[never("polite", below=0.05, detector=AGREEMENT.sensitivity())],
)
async def test_it(case, provider, trial):
    judged = await judge(provider, POLITE, "Go away.", by=JUDGE, agreement=AGREEMENT)
    trial.score(polite=judged["polite"])
"""
    )
    result = project.run(
        sys.executable, "-m", "tierwise", "eval", "run", "--provider", "simulated:rate=0", "--json"
    )
    assert result.ret == ExitCode.UNDECIDED
    data: Any = json.loads(result.stdout.str())
    (judgement,) = data["evals"][0]["judgements"]
    assert judgement["bound"] > 0.05
    (caution,) = [line for line in judgement["cautions"] if "judged by" in line]
    assert "judged by 'polite' (judge-1): caught 50 of 60" in caution


@pytest.mark.parametrize(
    ("answer", "word"), [('"no JSON"', "error: malformed"), ("BUSY", "unobservable: busy")]
)
def test_a_judge_that_is_down_is_neither_pass_nor_fail(
    write: Write, run: Run, answer: str, word: str
) -> None:
    """Even where the body catches everything and turns the verdict around."""
    write(
        JUDGES
        + f"""
JUDGE = Endless({answer})

@evaluate(cases=["a"], trials=3, expect=[never("rude", below=0.9)])
async def test_it(case, provider, trial):
    try:
        judged = await judge(provider, POLITE, await ask(provider, trial), by=JUDGE)
        trial.score(rude=not judged["polite"])
    except Exception:
        trial.score(rude=False)
"""
    )
    result = run()
    assert result.ret == ExitCode.NOTHING_OBSERVED
    result.stdout.fnmatch_lines([f"*3 x {word}: the judge 'polite' gave no verdict*"])


def test_a_dry_run_carries_a_judged_body_out_and_asks_nobody(
    project: pytest.Pytester, write: Write
) -> None:
    """With quotes that nobody said, latencies that nobody measured and a judge that is real."""
    write(
        JUDGES
        + """
QUOTED = Rubric("polite", (Question("polite", "Is it polite?"),))

class Real:
    name, real = "dear", True
    async def generate(self, request):
        raise AssertionError("a dry run is offline")

@evaluate(cases=["a"], trials=9, expect=[at_least("polite", 0.1), at_least("fast", 0.1)])
async def test_it(case, provider, trial):
    said = await ask(provider, trial)
    judged = await judge(provider, QUOTED, said, by=Real())
    trial.score(polite=judged["polite"], fast=latency_s(trial.exchanges) < 2)
"""
    )
    result = project.run(sys.executable, "-m", "tierwise", "eval", "run", "--dry-run")
    assert result.ret == ExitCode.OK, result.stdout.str() + result.stderr.str()


def test_a_judge_s_varied_words_do_not_hide_copied_replies(write: Write, run: Run) -> None:
    """A subject that cannot answer otherwise is found, whatever its judge says."""
    write(
        JUDGES
        + """
class Wordy(Endless):
    async def generate(self, request):
        self.n = getattr(self, "n", 0) + 1
        said = {"polite": YES["polite"] | {"reason": f"reason {self.n}"}}
        return await MockProvider([said], name=self.name).generate(request)

JUDGE = Wordy(None)

@evaluate(cases=["a"], trials=5, expect=[at_least("polite", 0.1)])
async def test_it(case, provider, trial):
    said = await ask(provider, trial)
    trial.score(polite=(await judge(provider, POLITE, said, by=JUDGE))["polite"])
"""
    )
    result = run()
    result.stdout.fnmatch_lines(["*all 5 trials gave the same reply*"])
