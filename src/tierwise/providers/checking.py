"""What a reply must satisfy: the same strict rules for doubles and for real models."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from tierwise.errors import MisuseError
from tierwise.providers.protocol import Answer, Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import ValidationError

    from tierwise.domain import ToolCall
    from tierwise.providers.protocol import Request, T

_SHOWN_PROBLEMS = 3


def refuse(request: Request[Any]) -> Failure | None:
    """Return the `bad_request` that every provider gives to a request nobody can serve.

    Raises `MisuseError` for a schema that is no pydantic model class: that is an error of the
    program, not of the model.
    """
    if request.schema is not None:
        _require_model(request.schema)
    problem = _problem_of(request)
    return None if problem is None else Failure(kind=FailureKind.BAD_REQUEST, message=problem)


def _require_model(schema: object) -> None:
    from pydantic import BaseModel  # noqa: PLC0415  slow to load, and plain text needs none

    if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
        raise MisuseError(
            f"Request.schema is {schema!r}; expected a class derived from pydantic.BaseModel, "
            "or None for plain text."
        )


def _problem_of(request: Request[Any]) -> str | None:
    if not request.messages:
        return "The request has no messages; expected at least one."
    if request.max_tokens is not None and request.max_tokens < 1:
        return f"max_tokens is {request.max_tokens}; expected 1 or more, or None."
    if request.temperature is not None and request.temperature < 0:
        return f"temperature is {request.temperature}; expected 0 or more, or None."
    return None


def parse_reply(text: str, schema: type[T]) -> T | Failure:
    """Return the text as an instance of the schema, or the failure that it is.

    Text that is no JSON is `malformed`; JSON that breaks the schema is `schema_mismatch`. Types
    are strict: `"5"` is no integer, `1` is no boolean, NaN is no JSON. The message names fields
    and rules and never quotes the text, which the failure keeps.
    """
    from pydantic import ValidationError  # noqa: PLC0415  whoever has a schema has loaded it

    problem = _json_problem(text)
    if problem is not None:
        return Failure(kind=FailureKind.MALFORMED, message=problem, text=text)
    try:
        return schema.model_validate_json(text, strict=True)
    except ValidationError as error:
        return Failure(
            kind=FailureKind.SCHEMA_MISMATCH,
            message=f"The reply breaks {schema.__name__}: {describe_problems(error)}.",
            text=text,
        )


def _json_problem(text: str) -> str | None:
    if not text.strip():
        return "The reply is empty; expected JSON."
    try:
        json.loads(text, parse_constant=_refuse_constant)
        # Lone surrogates pass the parser above and are no text that can be sent on.
        text.encode()
    except (ValueError, RecursionError) as error:
        return f"The reply is no JSON: {_reason_of(error)}."
    return None


def _reason_of(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at line {error.lineno} column {error.colno}"
    if isinstance(error, UnicodeError):
        return "it holds half a surrogate pair"
    return "it nests too deeply" if isinstance(error, RecursionError) else str(error)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def describe_problems(error: ValidationError) -> str:
    """Return the first few problems as `field 'a.b': what was expected`, no input quoted."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    shown = [
        f"{name_field(problem['loc'])}: {problem['msg']}" for problem in problems[:_SHOWN_PROBLEMS]
    ]
    hidden = len(problems) - len(shown)
    return "; ".join(shown) + (f"; and {hidden} more" if hidden else "")


def name_field(location: tuple[int | str, ...]) -> str:
    """Return `field 'a.0.b'`, or `the whole reply` for the root."""
    return f"field {'.'.join(map(str, location))!r}" if location else "the whole reply"


def refuse_tool_calls(
    calls: Iterable[ToolCall], request: Request[Any], *, text: str
) -> Failure | None:
    """Return the failure of an answer that calls a tool nobody offered."""
    offered = {tool.name for tool in request.tools}
    for call in calls:
        if call.name not in offered:
            return Failure(
                kind=FailureKind.SCHEMA_MISMATCH,
                message=f"The answer calls the tool {call.name!r}; the request offers "
                f"{', '.join(sorted(offered)) or 'no tools'}.",
                text=text,
            )
    return None


def form_answer(
    text: str, calls: tuple[ToolCall, ...], request: Request[T]
) -> Answer[T] | Failure:
    """Return what a model said and called for as the answer to the request, or as its failure."""
    if request.schema is None:
        return Answer(text=text, tool_calls=calls)
    if calls and not text:
        return Failure(
            kind=FailureKind.MALFORMED,
            message=f"The reply calls {calls[0].name!r} where {request.schema.__name__} was asked "
            "for; ask with a schema or with tools, not with both.",
        )
    parsed = parse_reply(text, request.schema)
    if isinstance(parsed, Failure):
        return parsed
    return Answer(text=text, data=parsed, tool_calls=calls)


def failure_of(error: Exception) -> Failure | None:
    """Return the failure that an exception of the wire stands for; None for all others.

    `TimeoutError` is a `timeout` and `ConnectionError` is `unavailable`. Everything else is a
    programming error and has to be raised.
    """
    if isinstance(error, TimeoutError):
        return Failure(kind=FailureKind.TIMEOUT, message="The call took too long.")
    if isinstance(error, ConnectionError):
        return Failure(kind=FailureKind.UNAVAILABLE, message="The connection failed.")
    return None
