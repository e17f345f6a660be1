"""Rules about requests as values: what each says, and how a request that breaks it is found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.openai.problems import (
    Problem,
    empty_array,
    long_string,
    out_of_range,
    wrong_pattern,
)
from tierwise.doubles.gateway.openai.strict_schema import find_root_problem, find_strict_problem
from tierwise.doubles.gateway.saying import Ground, Refusal
from tierwise.doubles.gateway.vendor import RequestRule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Body = Mapping[str, Any]
    Find = Callable[[Body], Iterator[Problem]]

NAME_PATTERN = "^[a-zA-Z0-9_-]+$"
_NAME = re.compile(NAME_PATTERN)
_LONGEST_NAME = 64
_MOST_METADATA = 16
_LONGEST_KEY, _LONGEST_VALUE = 64, 512


@dataclass(frozen=True, slots=True)
class Check:
    """A rule, and the generator of what in a request breaks it."""

    rule: RequestRule
    find: Find


def check(
    name: str, says: str, find: Find, *, ground: Ground = Ground.DOCUMENTED, status: int = 400
) -> Check:
    """Return a rule with what finds its offenders."""
    return Check(RequestRule(name=name, ground=ground, says=says, status=status), find)


def refuse_by(rule: RequestRule, problem: Problem) -> Refusal:
    """Return the vendor's refusal of a request that breaks a rule."""
    return Refusal(
        status=rule.status,
        message=problem.message,
        code=problem.code,
        kind=problem.kind or "invalid_request_error",
        param=problem.param,
        rule=rule.name,
        ground=rule.ground,
    )


def find_refusal(checks: Iterable[Check], body: Body) -> Refusal | None:
    """Return the refusal of the first rule that a body breaks, or None."""
    for one in checks:
        problem = next(one.find(body), None)
        if problem is not None:
            return refuse_by(one.rule, problem)
    return None


def limit_numbers(limits: Mapping[str, tuple[float | None, float | None]]) -> Find:
    """Return a finder of numbers beyond their limits."""

    def find(body: Body) -> Iterator[Problem]:
        for name, (low, high) in limits.items():
            value = body.get(name)
            if value is None:
                continue
            if (low is not None and value < low) or (high is not None and value > high):
                yield out_of_range(name, value, low=low, high=high)

    return find


def find_empty_tools(body: Body) -> Iterator[Problem]:
    """Yield the fault of a list of tools without any."""
    if body.get("tools") == []:
        yield empty_array("tools")


def find_choice_without_tools(body: Body) -> Iterator[Problem]:
    """Yield the faults of settings that have a meaning with tools only."""
    for name in ("tool_choice", "parallel_tool_calls"):
        if body.get(name) is not None and not body.get("tools") and body.get(name) != "none":
            yield Problem(
                message=f"Invalid value for '{name}': '{name}' is only allowed when 'tools' are "
                "specified.",
                param=name,
            )


def find_bad_metadata(body: Body) -> Iterator[Problem]:
    """Yield the faults of metadata that is too much."""
    metadata = body.get("metadata") or {}
    if len(metadata) > _MOST_METADATA:
        yield Problem(
            message=f"Invalid 'metadata': too many properties. Expected an object with at most "
            f"{_MOST_METADATA} properties, but got an object with {len(metadata)} properties "
            "instead.",
            param="metadata",
            code="object_above_max_properties",
        )
    for key, value in metadata.items():
        if len(key) > _LONGEST_KEY:
            yield long_string("metadata", len(key), most=_LONGEST_KEY)
        if len(value) > _LONGEST_VALUE:
            yield long_string(f"metadata.{key}", len(value), most=_LONGEST_VALUE)


def find_bad_name(param: str, name: str) -> Iterator[Problem]:
    """Yield the faults of the name of a function or a schema."""
    if len(name) > _LONGEST_NAME:
        yield long_string(param, len(name), most=_LONGEST_NAME)
    if not _NAME.fullmatch(name):
        yield wrong_pattern(param, NAME_PATTERN)


def find_bad_function(param: str, function: Body, *, schema_param: str) -> Iterator[Problem]:
    """Yield the faults of what a function's parameters are said to be."""
    parameters = function.get("parameters")
    if not parameters:
        return
    find = find_strict_problem if function.get("strict") else find_root_problem
    problem = find(parameters)
    if problem is not None:
        yield Problem(
            message=f"Invalid schema for function '{function['name']}': {problem}",
            param=f"{param}{schema_param}",
            code="invalid_function_parameters",
        )


def find_bad_schema(param: str, found: Body, *, code: str | None) -> Iterator[Problem]:
    """Yield the fault of a schema that the answer can't be held to."""
    schema = found.get("schema")
    if schema is None:
        return
    problem = (find_strict_problem if found.get("strict") else find_root_problem)(schema)
    if problem is not None:
        yield Problem(
            message=f"Invalid schema for response_format '{found['name']}': {problem}",
            param=param,
            code=code,
        )
