"""An answer that is valid and about nothing: data for a schema, calls of tools, or a sentence."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

from tierwise.domain import ToolCall
from tierwise.doubles.gateway.saying import Refusal, Say
from tierwise.providers.made_up.scalar_values import draw_sentence
from tierwise.providers.made_up.schema_values import Draft, ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.steps import Found, Situation
    from tierwise.providers import Tool
    from tierwise.providers.made_up.schema_values import Path

_ATTEMPTS = 50


class Automatic:
    """Makes an answer up; the same request with the same seed gets the same one."""

    def find(self, asked: Asked, situation: Situation) -> Found:
        """Return a call of the tool that has to be called, else data, else a sentence."""
        digest = hashlib.sha256(asked.http.body).hexdigest()
        seed = f"{situation.seed}/{digest}"
        try:
            return tuple(_make_up(asked, f"{seed}/{choice}") for choice in range(asked.n))
        except ImpossibleError as error:
            return Refusal(
                status=400,
                message=f"auto() found no valid answer: {error} Give this request a rule of its "
                "own with data(...).",
                headers=(("x-should-retry", "false"),),
            )


def _make_up(asked: Asked, seed: str) -> Say:
    tool = _tool_to_call(asked)
    if tool is not None:
        made = make_up_value(dict(tool.parameters) or {"type": "object"}, seed)
        arguments = made if isinstance(made, dict) else {}
        return Say(tool_calls=(ToolCall(name=tool.name, arguments=arguments),))
    if asked.schema is not None:
        return Say(text=_write(make_up_value(asked.schema, seed)))
    if asked.wants_json:
        return Say(text=_write({"answer": draw_sentence(Random(seed))}))  # noqa: S311  repeatable
    return Say(text=draw_sentence(Random(seed)))  # noqa: S311  repeatable on purpose


def _tool_to_call(asked: Asked) -> Tool | None:
    if asked.must_call is None:
        return None
    wanted = (t for t in asked.tools if asked.must_call in ("*", t.name))
    return next(wanted, None)


def _write(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def make_up_value(schema: Mapping[str, Any], seed: str) -> Any:  # noqa: ANN401  JSON
    """Return some value that a JSON schema accepts; raises `ImpossibleError` where none is found.

    Without the package jsonschema the first draft is taken, which is right for all but what a
    schema says of several fields together.
    """
    find_wrong = _validator_of(schema)
    redraws: Counter[Path] = Counter()
    problem = ImpossibleError((), "no draft was valid")
    for _ in range(_ATTEMPTS):
        try:
            value = Draft(dict(schema), seed, redraws).make(dict(schema))
        except ImpossibleError as error:
            problem = error
            redraws[error.path] += 1
            continue
        wrong = find_wrong(value)
        if not wrong:
            return value
        problem = ImpossibleError(wrong[0], "no draft was valid there")
        redraws.update(wrong)
    raise problem


def _validator_of(schema: Mapping[str, Any]) -> Callable[[Any], list[Path]]:
    try:
        from jsonschema import Draft202012Validator  # noqa: PLC0415  a package of an extra
    except ImportError:
        return lambda _value: []
    validator = Draft202012Validator(dict(schema))
    return lambda value: [tuple(error.absolute_path) for error in validator.iter_errors(value)]
