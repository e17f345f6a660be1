"""Some valid instance of a pydantic model, made up and checked by the model itself."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from pydantic import ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema

from tierwise.providers.checking import describe_problems
from tierwise.providers.made_up.schema_values import Draft, ImpossibleError
from tierwise.providers.protocol import Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Collection

    from pydantic import BaseModel

    from tierwise.providers.made_up.schema_values import Path

_ATTEMPTS = 100
_KEY = "[key]"
_FRESH_EVERY = 10
"""After so many repairs the whole value is drawn anew: the fault may lie in a combination."""


def make_up_text(schema: type[BaseModel], seed: str) -> str | Failure:
    """Return the JSON of some valid instance; the same seed gives the same text.

    Each draft is checked by the class itself, and the fields that it refuses are redrawn. A
    class that none of 100 drafts satisfies gives a `bad_request` naming the field.
    """
    try:
        root = schema.model_json_schema(by_alias=True, mode="validation")
    except PydanticInvalidForJsonSchema as error:
        return _give_up(schema, f"it has no JSON schema ({error.message}).")
    redraws: Counter[Path] = Counter()
    problem = ""
    for attempt in range(1, _ATTEMPTS + 1):
        draft = Draft(root, seed, redraws)
        wrong: list[Path] = []
        try:
            text = json.dumps(draft.make(root), ensure_ascii=False)
            schema.model_validate_json(text, strict=True)
        except ImpossibleError as error:
            problem, wrong = str(error), [error.path]
        except ValidationError as error:
            problem = f"{describe_problems(error)}."
            wrong = [problem_["loc"] for problem_ in error.errors()]
        else:
            return text
        redraws.update({()} if attempt % _FRESH_EVERY == 0 else _nearest(wrong, draft.paths))
    return _give_up(schema, problem)


def _nearest(wrong: Collection[Path], paths: Collection[Path]) -> set[Path]:
    """Return the fields to redraw: pydantic's locations hold steps that the value has not."""
    found = set()
    for location in wrong:
        path = location
        if _KEY in path:
            # A key is wrong: its mapping has to be drawn with other keys.
            path = path[: path.index(_KEY) - 1]
        while path and path not in paths:
            path = path[:-1]
        found.add(path)
    return found


def _give_up(schema: type[BaseModel], problem: str) -> Failure:
    return Failure(
        kind=FailureKind.BAD_REQUEST,
        message=f"No valid {schema.__name__} could be made up: {problem} "
        "Give this request an answer of its own, for instance by a ScriptedProvider rule.",
    )
