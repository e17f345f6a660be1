"""What a test may hand to the gateway as an answer, and what the model then says."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from tierwise.domain import ToolCall
from tierwise.doubles.gateway.saying import Refusal, Say
from tierwise.errors import MisuseError

AnswerLike = str | Say | Refusal | ToolCall | Mapping[str, Any] | BaseModel | Sequence[Any]
"""Text, data (a mapping, a list, a pydantic object), tool calls, a whole `Say`, or a `Refusal`."""

AnswerFunction = Callable[..., Any]
"""A function of the request (`Asked`), or of it and the state, plain or async."""

_EXPECTED = (
    "expected text, data (a dict, a list, a pydantic object), a ToolCall or a list of them, "
    "a Say, a Refusal, or a list of Say for several choices"
)


def form_answer(answer: object, where: str) -> tuple[Say, ...] | Refusal:
    """Return what an answer makes the model say, one `Say` a choice, or how it is refused.

    Raises `MisuseError`, naming `where`, for what can be neither.
    """
    if isinstance(answer, Refusal):
        return answer
    if isinstance(answer, list | tuple) and answer and all(isinstance(a, Say) for a in answer):
        return tuple(answer)
    return (_form_say(answer, where),)


def _form_say(answer: object, where: str) -> Say:
    if isinstance(answer, Say):
        return answer
    if isinstance(answer, str):
        return Say(text=answer)
    if isinstance(answer, ToolCall):
        return Say(tool_calls=(answer,))
    if (
        isinstance(answer, list | tuple)
        and answer
        and all(isinstance(a, ToolCall) for a in answer)
    ):
        return Say(tool_calls=tuple(answer))
    if isinstance(answer, type) or not isinstance(answer, BaseModel | Mapping | list | tuple):
        hint = ""
        if isinstance(answer, type):
            hint = f" Did you mean an instance, {answer.__name__}(...)?"
        raise MisuseError(f"{where} is {answer!r}; {_EXPECTED}.{hint}")
    return Say(text=write_data(answer))


def write_data(data: object) -> str:
    """Return data as the JSON text that a model would have written."""
    if isinstance(data, BaseModel):
        # Round trip leaves computed fields out, which the schema would refuse on the way back.
        return data.model_dump_json(by_alias=True, round_trip=True, warnings=False)
    return json.dumps(data, default=_plain, ensure_ascii=False)


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, round_trip=True, warnings=False)
    return dict(value) if isinstance(value, Mapping) else str(value)
