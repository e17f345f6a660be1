"""What is wrong with a request, in the words that OpenAI has for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.openai.typed import TAG, WRONG_KIND, WRONG_VARIANT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pydantic_core import ErrorDetails, ValidationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One fault of a request, as the error object of the vendor tells it."""

    message: str
    param: str | None = None
    code: str | None = None
    kind: str | None = None


_GIVEN = {
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a decimal number",
    list: "an array",
    dict: "an object",
    type(None): "null",
}
_WANTED = {
    "string_type": "a string",
    "int_type": "an integer",
    "int_from_float": "an integer",
    "float_type": "a decimal",
    "bool_type": "a boolean",
    "list_type": "an array",
    "dict_type": "an object",
}
_KIND_WORDS = {
    "string": "a string",
    "array": "array",
    "object": "object",
    "number": "number",
    "boolean": "boolean",
}


def explain_errors(error: ValidationError, *, is_chat: bool) -> Problem:
    """Return the fault that the vendor would name: a missing field first, then the first one."""
    found = error.errors(include_url=False)
    chosen = next((one for one in found if one["type"] == "missing"), found[0])
    if len(found) > 1 and chosen["type"] != "missing":
        # Of the branches of a union that was not told apart, the one that went furthest.
        same = [one for one in found if one["loc"][:1] == chosen["loc"][:1]]
        chosen = max(same, key=lambda one: len(_places(one["loc"])))
    return _explain(chosen, is_chat=is_chat)


def _explain(error: ErrorDetails, *, is_chat: bool) -> Problem:
    places, given, context = _places(error["loc"]), error["input"], error.get("ctx") or {}
    param, kind = form_path(places), error["type"]
    if kind == "missing":
        return missing(param)
    if kind == "extra_forbidden":
        return unknown(param, is_chat=is_chat and len(places) == 1)
    if kind == WRONG_VARIANT:
        return _explain_variant(param, given, context)
    if kind == WRONG_KIND:
        expected = [_KIND_WORDS[one] for one in context["expected"]]
        return wrong_type(param, "one of " + " or ".join(expected), given)
    if kind == "literal_error" and isinstance(given, str):
        return wrong_value(param, given, _read_expected(context))
    return wrong_type(param, _WANTED.get(kind, "another value"), given)


def _explain_variant(param: str, given: Any, context: Mapping[str, Any]) -> Problem:  # noqa: ANN401  JSON
    if not isinstance(given, dict):
        return wrong_type(param, "an object", given)
    field = f"{param}.{context['field']}"
    value = given.get(context["field"])
    if value is None:
        return missing(field)
    return wrong_value(field, value, context["expected"])


def missing(param: str) -> Problem:
    """Return the fault of a field that has to be there."""
    return Problem(
        message=f"Missing required parameter: '{param}'.",
        param=param,
        code="missing_required_parameter",
    )


def unknown(param: str, *, is_chat: bool) -> Problem:
    """Return the fault of a field that the vendor does not know."""
    if is_chat:
        return Problem(message=f"Unrecognized request argument supplied: {param}")
    return Problem(message=f"Unknown parameter: '{param}'.", param=param, code="unknown_parameter")


def wrong_type(param: str, expected: str, given: Any) -> Problem:  # noqa: ANN401  JSON
    """Return the fault of a value of another kind."""
    got = _GIVEN.get(type(given), "another value")
    return Problem(
        message=f"Invalid type for '{param}': expected {expected}, but got {got} instead.",
        param=param,
        code="invalid_type",
    )


def wrong_value(param: str, given: Any, expected: Sequence[str]) -> Problem:  # noqa: ANN401  JSON
    """Return the fault of a value that is none of those that there are."""
    quoted = [f"'{one}'" for one in expected]
    listed = " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))
    return Problem(
        message=f"Invalid value: '{given}'. Supported values are: {listed}.",
        param=param,
        code="invalid_value",
    )


def out_of_range(param: str, given: float, *, low: float | None, high: float | None) -> Problem:
    """Return the fault of a number beyond its limits."""
    kind = "decimal" if isinstance(high if low is None else low, float) else "integer"
    is_low = low is not None and given < low
    side, sign, limit = ("below minimum", ">=", low) if is_low else ("above maximum", "<=", high)
    return Problem(
        message=f"Invalid '{param}': {kind} {side} value. Expected a value {sign} {limit:g}, but "
        f"got {given} instead.",
        param=param,
        code=f"{kind}_{'below_min' if is_low else 'above_max'}_value",
    )


def empty_array(param: str) -> Problem:
    """Return the fault of an array without elements."""
    return Problem(
        message=f"Invalid '{param}': empty array. Expected an array with minimum length 1, but "
        "got an empty array instead.",
        param=param,
        code="empty_array",
    )


def long_array(param: str, length: int, *, most: int) -> Problem:
    """Return the fault of an array with too many elements."""
    return Problem(
        message=f"Invalid '{param}': array too long. Expected an array with maximum length "
        f"{most}, but got an array with length {length} instead.",
        param=param,
        code="array_above_max_length",
    )


def long_string(param: str, length: int, *, most: int) -> Problem:
    """Return the fault of a text that is too long."""
    return Problem(
        message=f"Invalid '{param}': string too long. Expected a string with maximum length "
        f"{most}, but got a string with length {length} instead.",
        param=param,
        code="string_above_max_length",
    )


def wrong_pattern(param: str, pattern: str) -> Problem:
    """Return the fault of a name with characters that no name has."""
    return Problem(
        message=f"Invalid '{param}': string does not match pattern. Expected a string that "
        f"matches the pattern '{pattern}'.",
        param=param,
        code="invalid_value",
    )


def form_path(places: Iterable[int | str]) -> str:
    """Return `messages[0].content`."""
    path = ""
    for place in places:
        path += f"[{place}]" if isinstance(place, int) else f".{place}" if path else place
    return path


def _places(location: tuple[int | str, ...]) -> list[int | str]:
    return [one for one in location if isinstance(one, int) or not one.startswith(TAG)]


def _read_expected(context: Mapping[str, Any]) -> list[str]:
    text = str(context["expected"]).replace(" or ", ", ")
    return [one.strip().strip("'") for one in text.split(",")]
