"""Is the reply JSON, and does it follow a schema?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from tierwise.errors import EvalUsageError, MissingExtraError, ScorerError
from tierwise.evals.json_text import Extraction, NoJson, extract_json
from tierwise.evals.scored import Scored
from tierwise.evals.scorers.reading import Text, read_text, require_option, show
from tierwise.providers import Failure
from tierwise.providers.checking import name_field, parse_reply

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jsonschema.exceptions import ValidationError

_SHOWN_PROBLEMS = 3


def is_json(reply: Text, *, extract: Extraction = "whole") -> Scored:
    """Say whether the reply is JSON, which stands where `extract` says."""
    require_option("extract", extract, Extraction)
    parsed = extract_json(read_text(reply), extract)
    if isinstance(parsed, NoJson):
        return Scored(value=False, why=f"no JSON: {parsed.reason}")
    return Scored(value=True)


def follows_schema(
    reply: Text, schema: type[BaseModel] | Mapping[str, Any], *, extract: Extraction = "whole"
) -> Scored:
    """Say whether the reply is JSON that follows a pydantic model or a JSON schema.

    The explanation tells the two failures apart: `no JSON: ...` and `breaks the schema: ...`;
    score `is_json` beside it to have both as metrics. A pydantic model is strict, as it is for
    providers: `"5"` is no integer. A JSON schema needs `tierwise[evals]`, ignores keywords that it
    does not know, takes `format` as a remark, and is never fetched from elsewhere.
    """
    require_option("extract", extract, Extraction)
    parsed = extract_json(read_text(reply), extract)
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        broken = None if isinstance(parsed, NoJson) else _break_model(parsed.text, schema)
    elif isinstance(schema, Mapping):
        validate = _prepare(schema)
        broken = None if isinstance(parsed, NoJson) else validate(parsed.value)
    else:
        raise EvalUsageError(
            f"follows_schema() was given the schema {schema!r}: expected a class derived from "
            "pydantic.BaseModel, or a JSON schema as a mapping."
        )
    if isinstance(parsed, NoJson):
        return Scored(value=False, why=f"no JSON: {parsed.reason}")
    return Scored(value=not broken, why=f"breaks the schema: {broken}" if broken else "")


def _break_model(text: str, model: type[BaseModel]) -> str:
    found = parse_reply(text, model)
    return found.message if isinstance(found, Failure) else ""


def _prepare(schema: Mapping[str, Any]) -> Any:  # noqa: ANN401  a function of JSON-like data
    try:
        from jsonschema import exceptions, validators  # noqa: PLC0415  an extra
        from referencing import Registry  # noqa: PLC0415  comes with jsonschema
        from referencing.exceptions import Unresolvable  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError(
            "Judging by a JSON schema needs jsonschema, which is not installed. "
            "Run: pip install 'tierwise[evals]'. A pydantic model needs none of it."
        ) from None
    if not schema:
        raise EvalUsageError(
            "follows_schema() was given an empty schema, which everything follows: it could never "
            "fail. To ask for any JSON write is_json(...)."
        )
    kind: Any = validators.validator_for(schema, default=validators.Draft202012Validator)
    try:
        kind.check_schema(schema)
    except exceptions.SchemaError as error:
        where = name_field(tuple(error.absolute_path)).replace("the whole reply", "its root")
        raise EvalUsageError(
            f"follows_schema() was given a schema that is none, at {where}: {error.message}."
        ) from None
    # The empty registry keeps a `$ref` to elsewhere from being fetched.
    validator = kind(schema, registry=Registry())

    def validate(value: object) -> str:
        try:
            return _describe(validator.iter_errors(value))
        except Unresolvable as error:
            raise EvalUsageError(
                f"follows_schema() was given a schema with a reference that leads nowhere in it: "
                f"{error}. Put what it means under $defs; nothing is fetched."
            ) from None
        except RecursionError:
            raise ScorerError("The reply or its schema nests too deeply to be judged.") from None

    return validate


def _describe(problems: Iterable[ValidationError]) -> str:
    found = list(problems)
    shown = [
        f"{name_field(tuple(problem.absolute_path))}: {_shorten(problem.message)}"
        for problem in found[:_SHOWN_PROBLEMS]
    ]
    hidden = len(found) - len(shown)
    return "; ".join(shown) + (f"; and {hidden} more" if hidden else "")


def _shorten(message: str) -> str:
    return message if len(message) <= 200 else show(message)  # noqa: PLR2004  a line or two
