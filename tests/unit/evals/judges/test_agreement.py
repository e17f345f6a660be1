from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tierwise.errors import EvalUsageError
from tierwise.evals import Sensitivity
from tierwise.evals.calling import Caller
from tierwise.evals.judges import (
    Grade,
    ItemAgreement,
    JudgeAgreement,
    LabelledSample,
    Question,
    Rubric,
    measure_agreement,
)
from tierwise.evals.judges.prompting import identify_prompt
from tierwise.evals.listening import TrialProvider
from tierwise.providers import (
    Answer,
    Failure,
    FailureKind,
    MockProvider,
    Rule,
    SchemaProvider,
    ScriptedProvider,
)
from tierwise.stats import Agreement, Undetermined, cohen_kappa, sensitivity_bound

LEAK = Rubric("leak", (Question("leak", "Does it say where?", needs_quote=False),))
WARM = Rubric("warm", (Grade("warm", "How warm?", 1, 3),))
COUNTS = st.integers(min_value=0, max_value=200)


def rule(prompt: str, verdict: str) -> Rule:
    said = {"leak": {"quote": "", "reason": "", "verdict": verdict}}
    return Rule(prompt=f"= text\n{prompt}", answer=said, optional=True)


def samples(yes: int, no: int, text: str = "") -> list[dict[str, Any]]:
    return [{"text": f"yes{text}{n}", "leak": "yes"} for n in range(yes)] + [
        {"text": f"no{text}{n}", "leak": "no"} for n in range(no)
    ]


def table(*rows: tuple[int, ...], lost: tuple[int, ...] = (0, 0)) -> ItemAgreement:
    return ItemAgreement(name="leak", categories=("yes", "no"), table=rows, undetermined=lost)


def known(item: ItemAgreement, *more: ItemAgreement) -> JudgeAgreement:
    return JudgeAgreement(
        rubric="leak", prompt=identify_prompt(LEAK), model="m", items=(item, *more)
    )


async def test_a_judge_is_counted_against_labels() -> None:
    """A row for what people said, a column for what the judge said."""
    judge = ScriptedProvider(
        [rule("yes0", "no"), rule("no0", "yes"), rule("yes", "yes"), rule("no", "no")], name="m"
    )
    found = await measure_agreement(judge, LEAK, samples(5, 7))
    assert found.item("leak").table == ((4, 1), (1, 6))
    assert (found.model, found.rubric, found.item().n) == ("m", "leak", 12)
    assert found.find_change(LEAK, "m") == ""


async def test_one_bad_answer_costs_one_sample() -> None:
    """Malformed, refused, down, raised or undecided: counted apart, and no other is harmed."""
    failures: list[Any] = [
        "no JSON",
        Failure(kind=FailureKind.REFUSED, message="no"),
        Failure(kind=FailureKind.AUTH, message="no key"),
        ValueError("broken"),
        {"leak": {"quote": "", "reason": "", "verdict": "cannot_tell"}},
    ]
    fine = {"leak": {"quote": "", "reason": "", "verdict": "yes"}}
    judge = MockProvider([*failures, *[fine] * 4])
    found = (await measure_agreement(judge, LEAK, samples(6, 3), concurrency=1)).item()
    assert found.table == ((1, 0), (3, 0))
    assert found.undetermined == (5, 0)
    assert found.n_undetermined == 5


async def test_a_judge_that_never_answered_was_not_measured() -> None:
    """No verdict at all is no agreement of 0 %."""
    down = MockProvider([Failure(kind=FailureKind.RETIRED, message="gone")] * 3)
    with pytest.raises(EvalUsageError, match=r"no verdict on any of 3 samples.*retired: .*gone"):
        await measure_agreement(down, LEAK, samples(2, 1))
    with pytest.raises(EvalUsageError, match="made up from its schema"):
        await measure_agreement(SchemaProvider(), LEAK, samples(2, 1))
    with pytest.raises(EvalUsageError, match="no labelled samples"):
        await measure_agreement(MockProvider(), LEAK, [])


def test_a_busy_judge_is_asked_again(jumping: Any) -> None:
    """A vendor's bad minute is no disagreement, and no lost sample."""
    fine = {"leak": {"quote": "", "reason": "", "verdict": "yes"}}
    busy = Failure(kind=FailureKind.BUSY, message="later")
    judge = MockProvider([busy, busy, fine])
    found = jumping(lambda _clock: measure_agreement(judge, LEAK, samples(1, 0)))
    assert found.item().table == ((1, 0), (0, 0))


async def test_inside_an_eval_the_trial_s_own_caller_asks() -> None:
    """With the run's limits and budget, and its exchanges kept with the trial."""
    fine = {"leak": {"quote": "", "reason": "", "verdict": "yes"}}
    trial = TrialProvider(Caller(MockProvider([fine])), seed=1, eval_id="e", index=0)
    await measure_agreement(trial, LEAK, samples(1, 0))
    other = MockProvider([fine], name="other")
    found = await measure_agreement(trial, LEAK, samples(1, 0), by=other)
    assert found.model == "other"
    assert [said.provider for said in trial.exchanges] == ["mock", "other"]
    assert (
        await measure_agreement(MockProvider(), LEAK, samples(1, 0), by=MockProvider([fine]))
    ).item().n == 1


async def test_two_models_behind_one_name_are_refused() -> None:
    """The agreement of a mixture is that of nobody."""
    text = json.dumps({"leak": {"quote": "", "reason": "", "verdict": "no"}})
    judge = MockProvider([Answer(text=text, model="m-1"), Answer(text=text, model="m-2")])
    with pytest.raises(EvalUsageError, match=r"Several models answered.*m-1, m-2"):
        await measure_agreement(judge, LEAK, samples(1, 1))


async def test_samples_are_asked_side_by_side_up_to_a_limit() -> None:
    """And counted in their own order all the same."""
    running = most = 0

    async def answer(request: Any) -> dict[str, Any]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        is_yes = "text\nyes" in request.prompt_text
        return {"leak": {"quote": "", "reason": "", "verdict": "yes" if is_yes else "no"}}

    judge = ScriptedProvider([Rule(answer=answer)])
    found = await measure_agreement(judge, LEAK, samples(20, 20), concurrency=3)
    assert most == 3
    assert found.item().table == ((20, 0), (0, 20))


async def test_grades_are_counted_on_their_scale() -> None:
    """With weights, since near is not far; they have no sensitivity."""
    answers = [{"warm": {"reason": "", "grade": grade}} for grade in (1, 2, 3, 3, 1)]
    rows = [{"text": str(n), "warm": label} for n, label in enumerate((1, 2, "3", 2, 1))]
    found = await measure_agreement(MockProvider(answers), WARM, rows, concurrency=1)
    item = found.item("warm")
    assert item.table == ((2, 0, 0), (0, 1, 1), (0, 0, 1))
    assert item.kappa() == cohen_kappa(item.table, weights="quadratic")
    with pytest.raises(EvalUsageError, match="is a grade"):
        found.sensitivity()
    assert "caught" not in item.line()


async def test_samples_may_be_values_and_may_label_a_part() -> None:
    """What nobody labelled is counted nowhere."""
    both = Rubric("both", (*LEAK.items, *WARM.items), inputs=("question",))
    said = {
        "leak": {"quote": "", "reason": "", "verdict": "yes"},
        "warm": {"reason": "", "grade": 2},
    }
    given = [
        LabelledSample(text="a", labels={"leak": True}, inputs={"question": "q"}),
        {"text": "b", "leak": "", "warm": "2", "question": "q", "id": 1, "note": "odd"},
        {"text": "c", "leak": False, "warm": None, "question": "q"},
    ]
    found = await measure_agreement(MockProvider([said] * 3), both, given)
    assert found.item("leak").table == ((1, 0), (1, 0))
    assert found.item("warm").n == 1


@pytest.mark.parametrize(
    ("sample", "reason"),
    [
        ({"leak": "yes"}, "sample 1 has no `text`"),
        ({"text": "a"}, "sample 1 has no label"),
        ({"text": "a", "leak": ""}, "sample 1 has no label"),
        ({"text": "a", "leak": "maybe"}, "'leak' labelled 'maybe': expected yes or no"),
        ({"text": "a", "leak": 2}, "labelled 2"),
        ({"text": "a", "leek": "yes"}, "has 'leek', which nobody asks. Did you mean 'leak'"),
        ({"text": None, "leak": "yes"}, "None as its 'text': expected a text"),
        ("a", "expected a LabelledSample"),
        (LabelledSample(text="a", labels={"leek": True}), "has 'leek'"),
        (LabelledSample(text="a", labels={"leak": True}, inputs={"q": "x"}), "has 'q'"),
        (LabelledSample(text="a", labels={}), "has no label"),
    ],
)
async def test_a_sample_that_cannot_be_counted_is_refused(sample: Any, reason: str) -> None:
    """Before anything is asked or paid."""
    judge = MockProvider([])
    with pytest.raises(EvalUsageError, match=reason):
        await measure_agreement(judge, LEAK, [sample])
    assert judge.calls == ()


async def test_a_grade_is_labelled_on_its_scale() -> None:
    """A label off the scale, or True for 1, is a slip."""
    for label in (0, 4, "x", True, 1.5):
        with pytest.raises(EvalUsageError, match="whole number from 1 to 3"):
            await measure_agreement(MockProvider(), WARM, [{"text": "a", "warm": label}])
    rubric = Rubric("leak", LEAK.items, inputs=("question",))
    with pytest.raises(EvalUsageError, match="None as its 'question'"):
        await measure_agreement(MockProvider(), rubric, [{"text": "a", "leak": "yes"}])


def test_the_numbers_are_those_of_the_statistics() -> None:
    """Kappa with its interval, and exact bounds on both rates."""
    item = table((28, 2), (1, 29), lost=(1, 0))
    assert item.kappa() == cohen_kappa([[28, 2], [1, 29]])
    assert (item.caught, item.cleared) == ((28, 30), (29, 30))
    assert item.sensitivity_lower() == sensitivity_bound(28, 30)
    assert item.specificity_lower(0.9) == sensitivity_bound(29, 30, confidence=0.9)


def test_agreement_is_never_shown_alone() -> None:
    """90 % of agreement can be less than chance: the marginals stand beside it."""
    item = table((90, 5), (5, 0))
    shown = "\n".join(known(item).lines())
    for part in (
        "agreed on 90 of 100",
        "kappa -0.05",
        "people said yes 95 times, the judge 95 times",
        "people said no 5 times, the judge 5 times",
        "caught 90 of 95",
        "cleared 0 of 5 (0 %, at least 0 %)",
        "people yes: judge yes 90, no 5",
    ):
        assert part in shown


def test_what_cannot_be_told_is_said() -> None:
    """One kind of label only, no spread, no verdicts: words and no number."""
    one_kind = table((5, 0), (0, 0), lost=(2, 0))
    assert "no label says no, so that how many are cleared is unknown" in one_kind.line()
    assert "kappa undetermined" in one_kind.line()
    assert "no verdict on 2 more" in one_kind.line()
    assert "people yes: judge yes 5, no 0, no verdict 2" in "\n".join(one_kind.lines())
    assert "interval undetermined" in table((5, 0), (0, 5)).line()
    assert isinstance(table((0, 0), (0, 0)).sensitivity_lower(), Undetermined)


def test_a_judge_s_sensitivity_is_what_never_takes() -> None:
    """The counts, and what they were measured on."""
    found = known(table((28, 2), (1, 29))).sensitivity("leak")
    assert found == Sensitivity(n_caught=28, n_true=30, source="judge 'leak' (m), 60 labels")
    with pytest.raises(EvalUsageError, match="No agreement was measured on 'leek'"):
        known(table((28, 2), (1, 29))).sensitivity("leek")
    other = ItemAgreement(
        name="other", categories=("yes", "no"), table=((1, 0), (0, 1)), undetermined=(0, 0)
    )
    with pytest.raises(EvalUsageError, match="measured on None"):
        known(table((1, 0), (0, 1)), other).sensitivity()


@settings(deadline=None)
@given(st.tuples(COUNTS, COUNTS), st.tuples(COUNTS, COUNTS), st.tuples(COUNTS, COUNTS), st.text())
def test_whatever_was_measured_is_kept_and_read_again(
    first: tuple[int, int], second: tuple[int, int], lost: tuple[int, int], model: str
) -> None:
    """The same values, the same identity, the same lines."""
    item = table(first, second, lost=lost)
    sent = model.encode("utf-8", "ignore").decode()
    found = JudgeAgreement(rubric="leak", prompt="p", model=sent, items=(item,))
    again = JudgeAgreement.from_json(found.to_json())
    assert again == found
    assert again.identity == found.identity
    assert again.lines() == found.lines()
    assert item.line()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": 2}, "format 2; this tierwise reads 1"),
        ({"model": None}, "at model"),
        ({"more": 1}, "at more"),
        ({"items": [{"name": "x"}]}, r"at items\.0"),
    ],
)
def test_what_is_no_kept_agreement_is_refused(change: dict[str, Any], reason: str) -> None:
    """Edited, cut or of another kind."""
    kept = json.loads(known(table((1, 0), (0, 1))).to_json()) | change
    with pytest.raises(EvalUsageError, match=reason):
        JudgeAgreement.from_json(json.dumps(kept))
    with pytest.raises(EvalUsageError, match="at the whole"):
        JudgeAgreement.from_json("{")


@pytest.mark.parametrize(
    "item",
    [((1, 0),), ((1, 0), (0, -1)), ((1,), (0,)), ((1, 0, 0), (0, 1, 0))],
)
def test_counts_that_are_no_table_are_refused(item: Any) -> None:
    """A table has as many rows as columns, and counts from 0."""
    with pytest.raises(EvalUsageError, match="no table of 2 by 2"):
        table(*item)


def test_another_judge_has_another_identity() -> None:
    """Prompt and model both count, and what changed is said."""
    measured = known(table((1, 0), (0, 1)))
    other = JudgeAgreement(rubric="leak", prompt=measured.prompt, model="n", items=measured.items)
    assert measured.identity != other.identity
    assert other.find_change(LEAK, "m") == "the model (it was 'n')"
    assert "the rubric" in measured.find_change(WARM, "m")


def test_the_statistics_type_is_told_apart() -> None:
    """What is undetermined is no Agreement of zero."""
    assert isinstance(table((1, 0), (0, 1)).kappa(), Agreement)
