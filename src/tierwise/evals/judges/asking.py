"""A judge is a provider with a schema: asked once, and believed only where it answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.judges.judged import Judged, JudgeUnavailable
from tierwise.evals.judges.prompting import form_request, identify_judge, identify_prompt
from tierwise.evals.scorers.reading import Text, read_text
from tierwise.providers import Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.evals.judges.agreement import JudgeAgreement
    from tierwise.evals.judges.rubric import Rubric
    from tierwise.providers import Provider


async def judge(
    provider: Provider,
    rubric: Rubric,
    text: Text,
    *,
    inputs: Mapping[str, str] | None = None,
    by: Provider | None = None,
    agreement: JudgeAgreement | None = None,
    max_tokens: int | None = None,
) -> Judged:
    """Ask a judge about a text.

    `provider` is the one that the body was handed, and judges itself unless `by` names another;
    either way the call is limited, retried, paid for and recorded as part of the trial, with the
    purpose `judge`. A judge that refused, was cut off, or answered with something else than was
    asked for raises `JudgeUnavailable`: such a trial is neither a pass nor a fail. `agreement` is
    how the judge did on labelled samples; without it each of its verdicts says that nobody knows.
    """
    said = read_text(text, "The text to judge")
    given = _require_inputs(rubric, inputs or {})
    request = form_request(rubric, said, given, max_tokens=max_tokens)
    reply = await put_beside(provider, by).generate(request)
    if isinstance(reply, Failure):
        raise JudgeUnavailable(
            reply.kind, f"the judge {rubric.name!r} gave no verdict: {reply.message}"
        )
    if not isinstance(reply.data, rubric.schema):
        raise JudgeUnavailable(
            FailureKind.MALFORMED,
            f"the judge {rubric.name!r} gave no verdict: its reply has no data of the schema",
        )
    model = reply.model or (by or provider).name
    identity = identify_judge(identify_prompt(rubric), model)
    return Judged(
        rubric=rubric,
        text=said,
        data=reply.data,
        model=model,
        identity=identity,
        standing=_say_standing(rubric, model, agreement),
        is_made_up=reply.source == "made_up",
    )


def put_beside(provider: Provider, by: Provider | None) -> Provider:
    """Return who is asked; what a trial was handed calls others as it calls its own."""
    if by is None:
        return provider
    beside = getattr(provider, "beside", None)
    found: Provider = by if beside is None else beside(by)
    return found


def _require_inputs(rubric: Rubric, inputs: Mapping[str, str]) -> dict[str, str]:
    for name in inputs:
        if name not in rubric.inputs:
            known = suggest(name, rubric.inputs) if rubric.inputs else " It takes none."
            raise EvalUsageError(f"The rubric {rubric.name!r} has no input {name!r}.{known}")
    missing = [name for name in rubric.inputs if name not in inputs]
    if missing:
        raise EvalUsageError(
            f"The rubric {rubric.name!r} is asked without its input {missing[0]!r}: give "
            f"inputs={{{missing[0]!r}: ...}}."
        )
    return {name: read_text(inputs[name], f"The input {name!r}") for name in rubric.inputs}


def _say_standing(rubric: Rubric, model: str, agreement: JudgeAgreement | None) -> dict[str, str]:
    who = f"judged by {rubric.name!r} ({model})"
    names = [item.name for item in rubric.items]
    if agreement is None:
        return dict.fromkeys(names, f"{who}, whose agreement with people nobody measured")
    if changed := agreement.find_change(rubric, model):
        stale = f"{who}, whose agreement with people is stale: {changed} changed since"
        return dict.fromkeys(names, stale)
    return {name: f"{who}: {agreement.line(name)}" for name in names}
