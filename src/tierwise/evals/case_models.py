"""Rows made into a pydantic model or a dataclass, with every field accounted for."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    PydanticUserError,
    TypeAdapter,
    ValidationError,
)
from pydantic.errors import PydanticUndefinedAnnotation

from tierwise.errors import EvalUsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.evals.case_rows import Row

_SHOWN_PROBLEMS = 3


def make_validator(model: Any, file: str, *, is_text: bool) -> Callable[[Row], Any]:  # noqa: ANN401
    """Return what makes a row an instance of the model, or refuses it by file, line and field.

    A field that the model does not know is refused, also in what is nested in it, unless the model
    says `extra="allow"` or `"ignore"` itself. Where all cells are text (`is_text`) an empty one is
    a missing one.
    """
    if not isinstance(model, type) or not (
        issubclass(model, BaseModel) or dataclasses.is_dataclass(model)
    ):
        raise EvalUsageError(f"model={model!r}: expected a pydantic model or a dataclass.")
    try:
        adapter = TypeAdapter(model)
        adapter.rebuild(raise_errors=True)
    except (PydanticUndefinedAnnotation, PydanticUserError, NameError) as error:
        raise EvalUsageError(
            f"model={model.__name__}: its annotations cannot be read ({_first_line(error)}). "
            "Import what they name at run time, not only for type checking."
        ) from None

    def validate(row: Row) -> Any:  # noqa: ANN401  an instance of the model
        fields = dict(row.fields)
        if is_text:
            fields = {name: cell for name, cell in fields.items() if cell != ""}
        where = f"{file}, {row.where}"
        unknown = _unknown_of(model, row.fields)
        if unknown:
            raise EvalUsageError(_say_unknown(where, model, unknown[0], ()))
        try:
            made = adapter.validate_python(fields)
        except ValidationError as error:
            raise EvalUsageError(f"{where}, {_describe(error, is_text=is_text)}.") from None
        for path, owner, name in _find_unknown(fields, made, ()):
            raise EvalUsageError(_say_unknown(where, owner, name, path))
        return made

    return validate


def _find_unknown(
    given: object, made: object, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], type[Any], str]]:
    """Walk what was given beside what was made of it, and yield the fields that got lost."""
    if isinstance(given, Mapping) and _is_model(made):
        for name in _unknown_of(type(made), given):
            yield path, type(made), name
        for field, names in _names_of(type(made)).items():
            for name in names & given.keys():
                yield from _find_unknown(given[name], getattr(made, field, None), (*path, name))
    elif isinstance(given, Mapping) and isinstance(made, Mapping):
        for name in given.keys() & made.keys():
            yield from _find_unknown(given[name], made[name], (*path, str(name)))
    elif isinstance(given, list) and isinstance(made, list | tuple) and len(given) == len(made):
        for index, (one, other) in enumerate(zip(given, made, strict=True)):
            yield from _find_unknown(one, other, (*path, str(index)))


def _is_model(value: object) -> bool:
    return isinstance(value, BaseModel) or (
        dataclasses.is_dataclass(value) and not isinstance(value, type)
    )


def _unknown_of(model: type[Any], given: Mapping[str, Any]) -> list[str]:
    config: Any = getattr(model, "model_config", getattr(model, "__pydantic_config__", {}))
    if config.get("extra") in ("allow", "ignore"):
        return []
    known = set().union(*_names_of(model).values(), ())
    return [name for name in given if name not in known]


def _names_of(model: type[Any]) -> dict[str, set[str]]:
    """Return for each field the names under which it can be given."""
    if not issubclass(model, BaseModel):
        return {entry.name: {entry.name} for entry in dataclasses.fields(model) if entry.init}
    config = model.model_config
    by_name = bool(config.get("populate_by_name") or config.get("validate_by_name"))
    found = {}
    for name, info in model.model_fields.items():
        aliases = _aliases_of(info.validation_alias or info.alias)
        found[name] = aliases | ({name} if by_name or not aliases else set())
    return found


def _aliases_of(alias: object) -> set[str]:
    if isinstance(alias, AliasChoices):
        return set().union(*(_aliases_of(choice) for choice in alias.choices))
    if isinstance(alias, AliasPath):
        return {str(alias.path[0])}
    return {alias} if isinstance(alias, str) else set()


def _say_unknown(where: str, model: type[Any], name: str, path: tuple[str, ...]) -> str:
    known = set().union(*_names_of(model).values(), ())
    field = ".".join((*path, name))
    return f"{where}: {model.__name__} has no field {field!r}.{suggest(name, known)}"


def _describe(error: ValidationError, *, is_text: bool) -> str:
    problems = error.errors(include_url=False, include_context=False)
    shown = [_describe_one(problem, is_text=is_text) for problem in problems[:_SHOWN_PROBLEMS]]
    hidden = len(problems) - len(shown)
    return "; ".join(shown) + (f"; and {hidden} more" if hidden else "")


def _describe_one(problem: Any, *, is_text: bool) -> str:  # noqa: ANN401  pydantic's own dict
    field = ".".join(map(str, problem["loc"]))
    named = f"field {field!r}" if field else "the whole case"
    if problem["type"] == "missing":
        return f"{named}: it is missing{', or its cell is empty' if is_text else ''}"
    given = repr(problem["input"])
    return f"{named} is {given[:60]}{'...' * (len(given) > 60)}: {problem['msg']}"  # noqa: PLR2004


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
