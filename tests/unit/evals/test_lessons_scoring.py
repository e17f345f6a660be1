"""What scorers, judges and files of cases have done to others, and do not do here."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tierwise.domain import Exchange, Message, Outcome, Usage
from tierwise.errors import EvalUsageError, ScorerError
from tierwise.evals import Trial
from tierwise.evals.calling import Caller
from tierwise.evals.case_rows import read_rows
from tierwise.evals.judges import JudgeUnavailable, Question, Rubric, judge, measure_agreement
from tierwise.evals.listening import TrialProvider
from tierwise.evals.outcomes import Ending, conclude
from tierwise.evals.scorers import (
    called_none,
    close_to,
    contains_none,
    cost_usd,
    exact,
    follows_schema,
    is_json,
    latency_s,
)
from tierwise.providers import (
    Answer,
    Failure,
    FailureKind,
    MockProvider,
    Request,
    Rule,
    ScriptedProvider,
)

RUDE = Rubric("rude", (Question("rude", "Is it rude?", needs_quote=False),))
NO = {"rude": {"quote": "", "reason": "polite", "verdict": "no"}}
TIMEOUT = Failure(kind=FailureKind.TIMEOUT, message="the grader is down")
SAID = Exchange(prompt=(), reply="hi", latency_s=0.5, cost_usd=0.01)


def end_of(error: BaseException, scores: dict[str, Any] | None = None) -> Outcome:
    """Return how a trial ends whose body raised this."""
    return conclude(Ending(error=error), scores or {}, None).outcome


async def verdict_of(answer: Any, *, is_turned: bool = False) -> Any:
    """Return what a body scores that asks a judge, perhaps for the opposite."""
    rude = (await judge(MockProvider([answer]), RUDE, "Good day."))["rude"]
    return (not rude) if is_turned else bool(rude)


@pytest.mark.parametrize("is_turned", [False, True])
async def test_negation_never_inverts_an_error(*, is_turned: bool) -> None:
    """promptfoo#8983: `not-llm-rubric` did not invert, then let an outage of the grader pass."""
    assert await verdict_of(NO, is_turned=is_turned) is is_turned
    with pytest.raises(JudgeUnavailable) as ended:
        await verdict_of(TIMEOUT, is_turned=is_turned)
    assert end_of(ended.value) is Outcome.ERROR


@pytest.mark.parametrize(
    "answer", [{}, {"rude": {}}, {"reason": "fine"}, {"pass": True}, {"rude": {"score": 1}}]
)
async def test_a_grader_s_answer_without_a_verdict_has_no_default(answer: Any) -> None:
    """promptfoo#10611, #8127: grader JSON without pass or score was taken for a pass."""
    with pytest.raises(JudgeUnavailable) as ended:
        await verdict_of(answer)
    assert end_of(ended.value) is Outcome.ERROR


@pytest.mark.parametrize(
    "answer",
    [
        f"```json\n{json.dumps(NO)}\n```",
        json.dumps(NO)[:-3],
        "I would say it is polite.",
        Failure(kind=FailureKind.CUT_OFF, message="max_tokens", text='{"rude": {"quo'),
        Failure(kind=FailureKind.REFUSED, message="refused", text="I cannot judge people."),
    ],
)
async def test_an_unparsable_judge_is_a_grader_error(answer: Any) -> None:
    """promptfoo#2084, deepeval#929: fenced and cut-off JSON of a judge failed tests."""
    with pytest.raises(JudgeUnavailable) as ended:
        await verdict_of(answer)
    assert end_of(ended.value) is Outcome.ERROR


async def test_one_bad_judge_answer_leaves_the_other_samples_alone() -> None:
    """deepeval#805: one answer that was no JSON aborted the whole data set."""
    rows = [{"text": f"{n}", "rude": "no"} for n in range(4)]
    found = await measure_agreement(MockProvider([NO, "no JSON", NO, NO]), RUDE, rows)
    assert (found.item().n, found.item().n_undetermined) == (3, 1)


async def test_an_error_sticks_to_its_own_case() -> None:
    """deepeval#915, #809: one case's error stuck to the shared metric and failed later ones."""
    provider = MockProvider([TIMEOUT, NO, NO])
    with pytest.raises(JudgeUnavailable):
        await judge(provider, RUDE, "first")
    for text in ("second", "third"):
        assert not (await judge(provider, RUDE, text))["rude"]


@pytest.mark.parametrize("value", [None, float("nan")])
def test_a_score_that_is_none_is_refused(value: Any) -> None:
    """deepeval#734: a cached second run returned None as its score; NaN is no better (#3234)."""
    trial = Trial(index=0, seed=1, make_folder=Path)
    with pytest.raises(EvalUsageError, match="expected"):
        trial.score(good=value)
    assert trial.scores == {}


def test_what_cannot_be_scored_is_neither_wrong_nor_left_out() -> None:
    """deepeval#3234, LightRAG#4040, ragas#2832: NaN was a fail, 0.0, or left out."""
    for scorer in (
        lambda: close_to(float("nan"), 1, absolute=1),
        lambda: exact(None, "x"),  # type: ignore[arg-type]
        lambda: contains_none(None, "x"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ScorerError) as ended:
            scorer()
        assert end_of(ended.value) is Outcome.ERROR


def test_an_error_is_no_score_and_no_metric_of_half_a_state() -> None:
    """inspect_ai#4412: a sample that raised was scored in the log and not in the metrics."""
    end = conclude(Ending(error=ScorerError("cannot tell")), {"good": True}, None)
    assert end.outcome is Outcome.ERROR
    assert "passed" not in end.scores


def test_cases_that_are_no_list_are_refused() -> None:
    """promptfoo#3629: a JSON file read as variables ran no assertion, and everything passed."""
    data = json.dumps({"question": ["a", "b"], "assert": ["c"]}).encode()
    with pytest.raises(EvalUsageError, match=r"one mapping .*list of cases was expected"):
        read_rows(data, ".json", "cases.json")


def test_a_script_that_failed_is_no_reply_without_findings() -> None:
    """promptfoo#345: a provider's syntax error matched no assertion: "Failures: 0"."""
    broken: Any = Failure(kind=FailureKind.UNAVAILABLE, message="SyntaxError: invalid syntax")
    with pytest.raises(ScorerError, match=r"trial\.require"):
        contains_none(broken, "secret")
    with pytest.raises(ScorerError, match="gave no answer"):
        called_none([replace(SAID, reply="", failure="unavailable")], "delete")


def test_an_empty_selection_is_not_all_true() -> None:
    """archetype#144: all([]) is True; nothing asked, looked for or loaded is refused."""
    with pytest.raises(ScorerError, match="never asked"):
        called_none([])
    with pytest.raises(ScorerError, match="nothing to look for"):
        contains_none("reply")
    with pytest.raises(EvalUsageError, match="nothing to run"):
        read_rows(b"", ".jsonl", "cases.jsonl")


@pytest.mark.parametrize("measure", [latency_s, cost_usd])
def test_a_cached_answer_has_no_latency_and_no_cost(measure: Any) -> None:
    """promptfoo#10605, #1667, #980: latency assertions passed on cached answers."""
    with pytest.raises(ScorerError, match="came from 'cache'") as ended:
        measure(replace(SAID, source="cache", latency_s=0.001))
    assert end_of(ended.value) is Outcome.ERROR
    with pytest.raises(ScorerError):
        measure(replace(SAID, latency_s=0.0, cost_usd=None))


async def test_what_the_judge_used_is_counted() -> None:
    """promptfoo#4673: the tokens of a grader that succeeded were not counted."""
    used = Usage(input_tokens=70, output_tokens=7)
    said = Answer[Any](text=json.dumps(NO), usage=used)
    provider = TrialProvider(
        Caller(ScriptedProvider([Rule(purpose="judge", answer=said), Rule(answer="Good day.")])),
        seed=1,
        eval_id="e",
        index=0,
    )
    await provider.generate(Request(messages=(Message(role="user", content="Hi"),)))
    await judge(provider, RUDE, "Good day.")
    judged = [each for each in provider.exchanges if each.purpose == "judge"]
    assert [each.usage for each in judged] == [used]


def test_schemas_are_neither_too_strict_nor_blind_to_fences() -> None:
    """promptfoo#1414, harness-evals#28, deepeval#3166: unknown keywords threw; fences hid JSON."""
    schema = {"type": "object", "required": ["a"], "x-vendor": True, "example": {}}
    fenced = '```json\n{"a": 1}\n```'
    assert follows_schema(fenced, schema, extract="fenced")
    assert follows_schema(fenced, schema).why.startswith("no JSON")
    assert follows_schema('{"b": 1}', schema).why.startswith("breaks the schema")
    assert is_json('{"b": 1}')


async def test_a_case_that_straddles_the_threshold_is_a_rate_and_no_verdict() -> None:
    """deepeval#3110: identical text was judged 0.2 and 0.7; here each is one trial of many."""
    yes = {"rude": NO["rude"] | {"verdict": "yes"}}
    answers = MockProvider([NO, yes, NO])
    verdicts = [bool((await judge(answers, RUDE, "Good day."))["rude"]) for _ in range(3)]
    assert verdicts == [False, True, False]


async def test_a_time_out_of_the_harness_is_no_failure_of_the_model() -> None:
    """ailang#619, vla-evaluation-harness#129: time-outs were published as incapability."""
    with pytest.raises(JudgeUnavailable) as ended:
        await verdict_of(TIMEOUT)
    assert end_of(ended.value, {"earlier": True}) is Outcome.ERROR
    busy = Failure(kind=FailureKind.BUSY, message="later")
    with pytest.raises(JudgeUnavailable) as ended:
        await verdict_of(busy)
    assert end_of(ended.value) is Outcome.UNOBSERVABLE
