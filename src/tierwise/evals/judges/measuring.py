"""Compare a judge with labelled samples; one bad answer costs one sample and no other."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.calling import Caller
from tierwise.evals.judges.agreement import JudgeAgreement
from tierwise.evals.judges.asking import judge, put_beside
from tierwise.evals.judges.judged import Judged, JudgeUnavailable
from tierwise.evals.judges.prompting import identify_prompt
from tierwise.evals.judges.rubric import Item, Question, Rubric
from tierwise.evals.judges.tables import ItemAgreement
from tierwise.evals.limiting import Limiter
from tierwise.evals.listening import TrialProvider
from tierwise.evals.retrying import RetryPolicy
from tierwise.providers import FailureKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.providers import Provider

_YES = frozenset({"yes", "true", "1"})
_NO = frozenset({"no", "false", "0"})
_BESIDE = frozenset({"text", "id", "note"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSample:
    """A text with what people say is right, for some or all that a rubric asks."""

    text: str
    labels: Mapping[str, bool | int]
    inputs: Mapping[str, str] = field(default_factory=dict)


async def measure_agreement(
    provider: Provider,
    rubric: Rubric,
    samples: Iterable[LabelledSample | Mapping[str, Any]],
    *,
    by: Provider | None = None,
    concurrency: int = 4,
) -> JudgeAgreement:
    """Ask a judge about samples whose truth is known, and count where it says the same.

    A sample is a `LabelledSample`, or a row of a file as `load_cases` gives it: `text`, a label
    under the name of each question or grade (empty where nobody labelled it), and the rubric's
    inputs; `id` and `note` are left alone. A sample on which the judge gave no verdict is counted
    as that, and harms no other. A judge that gave none at all was not measured, and is refused.
    Outside of an eval, calls that fail in passing are tried again here.
    """
    given = [_read_sample(sample, rubric, n) for n, sample in enumerate(samples, start=1)]
    if not given:
        raise EvalUsageError("There are no labelled samples: nothing was measured.")
    if concurrency < 1:
        raise EvalUsageError(f"concurrency={concurrency!r}: expected 1 or more.")
    places = asyncio.Semaphore(concurrency)
    asked = _find_asked(provider, by, concurrency)

    async def ask(sample: LabelledSample) -> Judged | JudgeUnavailable:
        async with places:
            try:
                return await judge(asked, rubric, sample.text, inputs=sample.inputs)
            except JudgeUnavailable as error:
                return error
            except Exception as error:  # noqa: BLE001  a provider of the user's own
                said = f"the provider raised {type(error).__name__}: {error}"
                return JudgeUnavailable(FailureKind.UNAVAILABLE, said)

    answers = await asyncio.gather(*map(ask, given))
    model = _require_one_model(rubric, answers)
    return JudgeAgreement(
        rubric=rubric.name,
        prompt=identify_prompt(rubric),
        model=model,
        items=tuple(_count(item, given, answers) for item in rubric.items),
    )


def _find_asked(provider: Provider, by: Provider | None, concurrency: int) -> Provider:
    if isinstance(provider, TrialProvider):
        return put_beside(provider, by)
    limiter = Limiter(ceiling=concurrency)
    caller = Caller(by or provider, limiter=limiter, retry=RetryPolicy())
    return TrialProvider(caller, seed=0, eval_id="agreement", index=0)


def _count(
    item: Item, samples: Sequence[LabelledSample], answers: Sequence[Judged | JudgeUnavailable]
) -> ItemAgreement:
    size = len(item.categories)
    table = [[0] * size for _ in range(size)]
    lost = [0] * size
    for sample, answer in zip(samples, answers, strict=True):
        if item.name not in sample.labels:
            continue
        row = item.categories.index(_category(item, sample.labels[item.name]))
        said = _read_answer(item, answer)
        if said is None:
            lost[row] += 1
        else:
            table[row][item.categories.index(said)] += 1
    return ItemAgreement(
        name=item.name,
        categories=item.categories,
        table=tuple(map(tuple, table)),
        undetermined=tuple(lost),
    )


def _read_answer(item: Item, answer: Judged | JudgeUnavailable) -> str | None:
    if isinstance(answer, JudgeUnavailable):
        return None
    try:
        value = answer[item.name].value
    except JudgeUnavailable:
        return None
    return _category(item, bool(value) if isinstance(item, Question) else int(value))


def _category(item: Item, value: bool | int) -> str:  # noqa: FBT001  a label
    if isinstance(item, Question):
        return "yes" if value else "no"
    return str(int(value))


def _require_one_model(rubric: Rubric, answers: Sequence[Judged | JudgeUnavailable]) -> str:
    models = {answer.model for answer in answers if isinstance(answer, Judged)}
    if any(isinstance(answer, Judged) and answer.is_made_up for answer in answers):
        raise EvalUsageError(
            f"The answers of {rubric.name!r} were made up from its schema: no judge was measured."
        )
    if not models:
        first = next(answer for answer in answers if isinstance(answer, JudgeUnavailable))
        raise EvalUsageError(
            f"The judge {rubric.name!r} gave no verdict on any of {len(answers)} samples, so that "
            f"nothing was measured. The first time: {first.kind}: {first}."
        )
    if len(models) > 1:
        raise EvalUsageError(
            f"Several models answered for the judge {rubric.name!r}: {', '.join(sorted(models))}. "
            "Their agreement is not that of any one: name a fixed version of the model."
        )
    return models.pop()


def _read_sample(sample: object, rubric: Rubric, number: int) -> LabelledSample:
    where = f"labelled sample {number}"
    if isinstance(sample, LabelledSample):
        _refuse_unknown(sample.labels, {item.name for item in rubric.items}, where)
        _refuse_unknown(sample.inputs, set(rubric.inputs), where)
        given = sample.labels.items()
        labels = {name: _read_label(rubric, name, value, where) for name, value in given}
        found = LabelledSample(text=sample.text, labels=labels, inputs=sample.inputs)
    elif isinstance(sample, Mapping):
        found = _read_row(sample, rubric, where)
    else:
        raise EvalUsageError(f"{where} is {sample!r}: expected a LabelledSample or a row.")
    if not found.labels:
        raise EvalUsageError(f"{where} has no label: expected one for what the rubric asks.")
    texts = {"text": found.text, **{name: found.inputs.get(name) for name in rubric.inputs}}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise EvalUsageError(f"{where} has {text!r} as its {name!r}: expected a text.")
    return found


def _read_row(row: Mapping[str, Any], rubric: Rubric, where: str) -> LabelledSample:
    names = {item.name for item in rubric.items}
    _refuse_unknown(row, names | _BESIDE | set(rubric.inputs), where)
    if "text" not in row:
        raise EvalUsageError(f"{where} has no `text`: expected the text that was labelled.")
    labels = {
        name: _read_label(rubric, name, row[name], where)
        for name in row
        if name in names and row[name] not in (None, "")
    }
    inputs = {name: row[name] for name in rubric.inputs if name in row}
    return LabelledSample(text=row["text"], labels=labels, inputs=inputs)


def _refuse_unknown(given: Iterable[str], known: set[str], where: str) -> None:
    for name in given:
        if name not in known:
            raise EvalUsageError(f"{where} has {name!r}, which nobody asks.{suggest(name, known)}")


def _read_label(rubric: Rubric, name: str, value: object, where: str) -> bool | int:
    item = rubric.item(name)
    text = str(value).strip().casefold()
    if isinstance(item, Question):
        if text in _YES or text in _NO:
            return text in _YES
        expected = "yes or no (or True, False, 1, 0)"
    else:
        if text in item.categories:
            return int(text)
        expected = f"a whole number from {item.low} to {item.high}"
    raise EvalUsageError(f"{where} has {name!r} labelled {value!r}: expected {expected}.")
