"""What a test may hand to a double as an answer, and the reply that becomes of it."""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from tierwise.domain import ToolCall, Usage
from tierwise.errors import MisuseError
from tierwise.providers.checking import failure_of, parse_reply, refuse_tool_calls
from tierwise.providers.protocol import Answer, Failure, FailureKind, Request
from tierwise.providers.tokens import count_usage

if TYPE_CHECKING:
    from tierwise.providers.protocol import T

AnswerLike = (
    BaseModel
    | Mapping[str, Any]
    | Sequence[Any]
    | str
    | ToolCall
    | Answer[Any]
    | Failure
    | Exception
    | Callable[[Request[Any]], Any]
)
"""Data (pydantic object, dict, list), raw text, tool calls, a whole reply, an exception, or a
function of the request, plain or async, that returns one of these."""

_EXPECTED = (
    "expected a pydantic object, a dict, a list, text, a ToolCall, an Answer, a Failure, "
    "an exception, or a function of the request that returns one of these"
)


def keep_answer(answer: AnswerLike, where: str) -> AnswerLike:
    """Return a copy that later changes by the test cannot reach.

    Raises `MisuseError`, naming `where`, for what can never become an answer.
    """
    if isinstance(answer, type) or not (isinstance(answer, _DATA) or callable(answer)):
        hint = ""
        if isinstance(answer, type):
            hint = f" Did you mean an instance, {answer.__name__}(...)?"
        raise MisuseError(f"{where} is {answer!r}; {_EXPECTED}.{hint}")
    return copy.deepcopy(answer) if isinstance(answer, _COPIED) else answer


_COPIED = (BaseModel, Mapping, list, tuple, ToolCall, Answer, Failure)
# Exceptions are not copied: their classes' constructors need not take what `args` holds.
_DATA = (*_COPIED, str, Exception)


async def settle(answer: AnswerLike, request: Request[T], *, model: str) -> Answer[T] | Failure:
    """Return the reply that an answer is to this request, checked against the schema.

    An exception is a `Failure` when it stands for one (`TimeoutError`, `ConnectionError`), and
    is raised otherwise.
    """
    try:
        plain = _raise_if_exception(await _call(answer, request))
    except Exception as error:
        failure = failure_of(error)
        if failure is None:
            raise
        return _finish_failure(failure, request, model)
    return form_reply(plain, request, model=model)


def _raise_if_exception(plain: object) -> object:
    if isinstance(plain, Exception):
        raise plain
    return plain


async def _call(answer: AnswerLike, request: Request[Any]) -> Any:  # noqa: ANN401  user's value
    if isinstance(answer, _DATA) or not callable(answer):
        return answer
    result = answer(request)
    return await result if inspect.isawaitable(result) else result


def form_reply(plain: object, request: Request[T], *, model: str) -> Answer[T] | Failure:
    """Return the reply that a settled value is; the schema decides between answer and failure."""
    if isinstance(plain, Failure):
        return _finish_failure(plain, request, model)
    if isinstance(plain, BaseModel) and request.schema and not isinstance(plain, request.schema):
        wrong = Failure(
            kind=FailureKind.SCHEMA_MISMATCH,
            message=f"The answer is a {type(plain).__name__}; the request asks for "
            f"{request.schema.__name__}.",
            text=_text_of(plain),
        )
        return _finish_failure(wrong, request, model)
    answer = _as_answer(plain)
    failure = refuse_tool_calls(answer.tool_calls, request, text=answer.text)
    if failure is None and request.schema is not None:
        parsed = parse_reply(answer.text, request.schema)
        if not isinstance(parsed, Failure):
            return _finish_answer(replace(answer, data=parsed), request, model)
        failure = parsed
    if failure is not None:
        return _finish_failure(failure, request, model)
    return _finish_answer(replace(answer, data=None), request, model)


def _as_answer(plain: object) -> Answer[Any]:
    if isinstance(plain, Answer):
        return (
            replace(plain, text=_text_of(plain.data))
            if plain.data is not None and not plain.text
            else plain
        )
    if isinstance(plain, ToolCall):
        return Answer(text="", tool_calls=(plain,))
    if isinstance(plain, list | tuple) and plain and all(isinstance(p, ToolCall) for p in plain):
        return Answer(text="", tool_calls=tuple(plain))
    return Answer(text=_text_of(plain))


def _text_of(plain: object) -> str:
    if isinstance(plain, str):
        return plain
    if isinstance(plain, BaseModel):
        # Round trip leaves computed fields out, which the schema would refuse on the way back.
        return plain.model_dump_json(by_alias=True, round_trip=True, warnings=False)
    if isinstance(plain, Mapping | list | tuple):
        return json.dumps(plain, default=_plain_json, ensure_ascii=False)
    raise MisuseError(f"An answer function returned {plain!r}; {_EXPECTED}.")


def _plain_json(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, round_trip=True, warnings=False)
    return dict(value) if isinstance(value, Mapping) else str(value)


def _finish_answer(answer: Answer[T], request: Request[Any], model: str) -> Answer[T]:
    usage = answer.usage
    if usage == Usage():
        usage = count_usage(request, answer.text, answer.tool_calls)
    return replace(answer, usage=usage, model=answer.model or model)


def _finish_failure(failure: Failure, request: Request[Any], model: str) -> Failure:
    usage = failure.usage
    if usage == Usage() and failure.kind.is_scored:
        usage = count_usage(request, failure.text)
    return replace(failure, usage=usage, model=failure.model or model)
