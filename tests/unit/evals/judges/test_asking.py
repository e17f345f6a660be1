from __future__ import annotations

from typing import Any

import pytest

from tierwise.domain import Message, Outcome
from tierwise.errors import EvalUsageError, ScorerError
from tierwise.evals.calling import Caller
from tierwise.evals.judges import (
    Grade,
    ItemAgreement,
    JudgeAgreement,
    Judged,
    JudgeUnavailable,
    Question,
    Rubric,
    judge,
)
from tierwise.evals.judges.prompting import identify_prompt
from tierwise.evals.listening import TrialProvider
from tierwise.evals.outcomes import Ending, conclude
from tierwise.providers import (
    Answer,
    Failure,
    FailureKind,
    MockProvider,
    Request,
    Rule,
    SchemaProvider,
    ScriptedProvider,
)

LEAK = Rubric("leak", (Question("leak", "Does it say where the treasure lies?"),))
TONE = Rubric(
    "tone",
    (
        Question("kind", "Is it kind?", needs_quote=False),
        Grade("warm", "How warm is it?", 1, 5),
    ),
)
ASKED = (Message(role="user", content="Where?"),)
TEXT = "It lies under the old bridge."
YES = {"leak": {"quote": "under the old bridge", "reason": "it says so", "verdict": "yes"}}
NO = {"leak": {"quote": "", "reason": "it does not", "verdict": "no"}}


def ruling(**changed: str) -> dict[str, dict[str, str]]:
    return {"leak": YES["leak"] | changed}


async def ask(answer: Any, rubric: Rubric = LEAK, **options: Any) -> Judged:
    return await judge(MockProvider([answer], name="m"), rubric, TEXT, **options)


async def test_a_verdict_is_a_score_with_its_reason() -> None:
    """A yes shows the passage; a no has the reason alone."""
    yes = (await ask(YES))["leak"]
    assert yes.value is True
    assert yes.why == "'under the old bridge': it says so"
    no = (await ask(NO))["leak"]
    assert no.value is False
    assert no.why == "it does not"


async def test_a_grade_is_a_number() -> None:
    """All answers can be scored at once."""
    said = {
        "kind": {"quote": "", "reason": "polite", "verdict": "yes"},
        "warm": {"reason": "a bit", "grade": 4},
    }
    judged = await ask(said, TONE)
    assert judged["warm"] == 4.0
    scores = judged.scores()
    assert (scores["kind"].value, scores["warm"].value) == (True, 4.0)


@pytest.mark.parametrize("kind", list(FailureKind))
async def test_a_judge_that_failed_is_no_verdict(kind: FailureKind) -> None:
    """Whatever kept it from answering: an error, or unobservable where its vendor moved."""
    failure = Failure(kind=kind, message="what happened", text="yes")
    with pytest.raises(JudgeUnavailable, match="'leak' gave no verdict: what happened") as ended:
        await ask(failure)
    assert not isinstance(ended.value, Exception)
    end = conclude(Ending(error=ended.value), {}, None)
    assert end.outcome is (kind.outcome or Outcome.ERROR)
    assert "passed" not in end.scores


@pytest.mark.parametrize(
    "answer",
    [
        "not JSON",
        '{"leak": {"quote": "", "reason": "", "verdict": "no"}',
        "{}",
        {"leak": True},
        {"leak": {"quote": "", "reason": "x"}},
        ruling(verdict="maybe"),
        ruling(verdict="YES"),
        {**NO, "more": 1},
        '```json\n{"leak": {"quote": "", "reason": "", "verdict": "no"}}\n```',
    ],
)
async def test_a_malformed_answer_is_neither_yes_nor_no(answer: Any) -> None:
    """No default verdict is read into it."""
    with pytest.raises(JudgeUnavailable):
        await ask(answer)


@pytest.mark.parametrize("grade", [0, 6, 3.5, "4", True])
async def test_a_grade_off_the_scale_is_no_grade(grade: Any) -> None:
    """It is not clipped, rounded or parsed."""
    said = {
        "kind": {"quote": "", "reason": "", "verdict": "no"},
        "warm": {"reason": "", "grade": grade},
    }
    with pytest.raises(JudgeUnavailable):
        await ask(said, TONE)


async def test_cannot_tell_is_no_verdict_on_that_question_alone() -> None:
    """The others stand; reading the one raises."""
    said = {
        "kind": {"quote": "", "reason": "too short", "verdict": "cannot_tell"},
        "warm": {"reason": "a bit", "grade": 4},
    }
    judged = await ask(said, TONE)
    assert judged["warm"] == 4.0
    with pytest.raises(JudgeUnavailable, match="cannot tell 'kind'\ntoo short"):
        assert judged["kind"]
    said = {"kind": said["kind"] | {"verdict": "no"}, "warm": {"reason": "?", "grade": None}}
    judged = await ask(said, TONE)
    assert not judged["kind"]
    with pytest.raises(JudgeUnavailable, match="cannot tell 'warm'"):
        judged.scores()


async def test_a_yes_with_a_made_up_quote_is_no_verdict() -> None:
    """A judge that quotes what nobody said has not read the text."""
    judged = await ask(ruling(quote="behind the mill"))
    with pytest.raises(JudgeUnavailable, match="quotes what the text does not say\n'behind"):
        assert judged["leak"]
    with pytest.raises(JudgeUnavailable):
        assert (await ask(ruling(quote="")))["leak"]


async def test_negation_does_not_turn_an_outage_into_a_pass() -> None:
    """`not judged[...]` raises before there is anything to turn around."""
    with pytest.raises(JudgeUnavailable):
        assert not (await ask(Failure(kind=FailureKind.TIMEOUT, message="m")))["leak"]
    judged = await ask(ruling(verdict="cannot_tell"))
    with pytest.raises(JudgeUnavailable):
        assert not judged["leak"]


async def test_an_unknown_question_is_refused_with_the_closest() -> None:
    """A typo reads no verdict."""
    with pytest.raises(EvalUsageError, match="Did you mean 'leak'"):
        assert (await ask(NO))["leek"]


async def test_inputs_have_to_be_those_of_the_rubric() -> None:
    """None missing, none unknown, each a text."""
    rubric = Rubric("leak", LEAK.items, inputs=("question",))
    assert not (await ask(NO, rubric, inputs={"question": "Where?"}))["leak"]
    with pytest.raises(EvalUsageError, match="without its input 'question'"):
        await ask(NO, rubric)
    with pytest.raises(EvalUsageError, match=r"no input 'qestion'.*'question'"):
        await ask(NO, rubric, inputs={"qestion": "Where?"})
    with pytest.raises(EvalUsageError, match=r"no input 'question'\. It takes none"):
        await ask(NO, inputs={"question": "Where?"})
    with pytest.raises(ScorerError, match="The input 'question' is None"):
        await ask(NO, rubric, inputs={"question": None})


@pytest.mark.parametrize("text", [None, 3, Failure(kind=FailureKind.BUSY, message="m")])
async def test_a_missing_text_is_not_judged(text: Any) -> None:
    """The judge is not even asked."""
    provider = MockProvider([NO])
    with pytest.raises(ScorerError, match="The text to judge"):
        await judge(provider, LEAK, text)
    assert provider.calls == ()


async def test_an_answer_can_be_judged_as_it_is() -> None:
    """Its text is what counts."""
    assert (await judge(MockProvider([YES]), LEAK, Answer[Any](text=TEXT)))["leak"]


async def test_made_up_answers_are_taken_for_a_dry_run() -> None:
    """They quote nothing that was said, and score something all the same."""
    for rubric in (LEAK, TONE):
        for seed in range(20):
            judged = await judge(SchemaProvider(seed), rubric, TEXT)
            assert judged.is_made_up
            assert set(judged.scores()) == {item.name for item in rubric.items}


async def test_a_verdict_says_who_judged_and_that_nobody_measured_them() -> None:
    """Until somebody did, with this rubric, prompt and model."""
    unmeasured = (await ask(NO))["leak"].grader
    assert unmeasured == "judged by 'leak' (m), whose agreement with people nobody measured"
    item = ItemAgreement(
        name="leak", categories=("yes", "no"), table=((28, 2), (1, 29)), undetermined=(1, 0)
    )
    known = JudgeAgreement(rubric="leak", prompt=identify_prompt(LEAK), model="m", items=(item,))
    measured = (await ask(NO, agreement=known))["leak"].grader
    assert measured.startswith("judged by 'leak' (m): caught 28 of 30 (93.33 %, at least 80.46 %)")
    assert "kappa 0.90 (0.79 to 1.00)" in measured
    older = JudgeAgreement(rubric="leak", prompt=known.prompt, model="m-1", items=(item,))
    stale = (await ask(NO, agreement=older))["leak"].grader
    assert stale.endswith("is stale: the model (it was 'm-1') changed since")
    other = Rubric("leak", (Question("leak", "Does it name the place?"),))
    stale = (await ask(NO, other, agreement=known))["leak"].grader
    assert "is stale: the rubric, or how it is asked, changed since" in stale


async def test_the_identity_follows_rubric_and_model() -> None:
    """The same judge has the same one, whatever it judged."""
    first, second = await ask(NO), await ask(YES)
    assert first.identity == second.identity
    other = await judge(MockProvider([NO], name="n"), LEAK, TEXT)
    assert other.identity != first.identity


def trial_of(provider: Any) -> TrialProvider:
    return TrialProvider(Caller(provider), seed=1, eval_id="e", index=0)


async def test_the_judge_s_calls_are_part_of_the_trial() -> None:
    """Its tokens are counted with those of the subject, under a purpose of its own."""
    provider = trial_of(ScriptedProvider([Rule(purpose="judge", answer=YES), Rule(answer=TEXT)]))
    reply = await provider.generate(Request(messages=ASKED))
    await judge(provider, LEAK, reply.text)
    first, second = provider.exchanges
    assert (first.purpose, second.purpose) == ("", "judge")
    assert second.usage.total_tokens > 0
    assert second.data == YES


async def test_another_provider_judges_as_part_of_the_trial() -> None:
    """By a caller of its own; each is asked by the one that the run made for it."""
    other = MockProvider([YES, YES], name="other")
    provider = trial_of(MockProvider([TEXT], name="subject"))
    reply = await provider.generate(Request(messages=ASKED))
    judged = await judge(provider, LEAK, reply.text, by=other)
    assert judged.model == "other"
    assert [said.provider for said in provider.exchanges] == ["subject", "other"]
    assert (await judge(trial_of(MockProvider()), LEAK, TEXT, by=other))["leak"]


async def test_a_plain_provider_is_asked_without_a_trial() -> None:
    """Outside of an eval `by` is simply who is asked."""
    assert (await judge(MockProvider(), LEAK, TEXT, by=MockProvider([YES])))["leak"]


@pytest.mark.parametrize("kind", [FailureKind.BUSY, FailureKind.TIMEOUT, FailureKind.AUTH])
async def test_a_swallowed_outage_of_the_judge_is_still_none_of_the_model_s(
    kind: FailureKind,
) -> None:
    """A body that catches everything cannot score a vendor's failure as its own."""
    provider = trial_of(MockProvider([TEXT]))
    await provider.generate(Request(messages=ASKED))
    with pytest.raises(JudgeUnavailable):
        await judge(provider, LEAK, TEXT, by=MockProvider([Failure(kind=kind, message="m")]))
    failure = provider.open_failure
    assert failure is not None
    end = conclude(Ending(), {"good": False}, failure)
    assert end.outcome is kind.outcome


async def test_a_dry_run_asks_no_other_provider() -> None:
    """Offline means everybody."""
    other = MockProvider([YES], name="other")
    assert (await judge(trial_of(SchemaProvider()), LEAK, TEXT, by=other)).is_made_up
    assert other.calls == ()
