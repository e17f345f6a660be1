"""Any valid value of a JSON schema, drawn at random from a seed."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

from tierwise.providers.checking import name_field
from tierwise.providers.made_up.scalar_values import (
    UnbuildableError,
    draw_number,
    draw_string,
    draw_word,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SOFT_DEPTH = 3
"""From this depth of references on, only what must be there is made."""
_HARD_DEPTH = 25
_MOST_VALUES = 5_000
_UNIQUE_TRIES = 50

Path = tuple[int | str, ...]
Schema = dict[str, Any]


class ImpossibleError(Exception):
    """No value was found for the field at `path`; the message says why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{name_field(path)}: {reason}.")
        self.path = path


class Draft:
    """One try at a value for `root`.

    Each field draws from a generator of its own, keyed by the seed, its path and how often it or
    what holds it was redrawn. So the next draft keeps what was right and changes what was wrong.
    """

    def __init__(self, root: Schema, seed: str, redraws: Mapping[Path, int]) -> None:
        self._root = root
        self._seed = seed
        self._redraws = redraws
        self._visits: Counter[Path] = Counter()
        self._n_made = 0

    @property
    def paths(self) -> frozenset[Path]:
        """Where this draft put values."""
        return frozenset(self._visits)

    def make(self, schema: Schema | bool, path: Path = (), depth: int = 0) -> Any:  # noqa: ANN401, FBT001
        """Return a value for a schema; `depth` counts the references above it."""
        if depth > _HARD_DEPTH or self._n_made > _MOST_VALUES:
            raise ImpossibleError(path, "the schema refers to itself without an end")
        self._n_made += 1
        rng = self._seed_generator(path)
        if isinstance(schema, bool):
            return draw_word(rng)
        if "$ref" in schema or "allOf" in schema:
            return self.make(self._flatten(schema), path, depth + 1)
        if "const" in schema or "enum" in schema:
            return rng.choice(schema["enum"] if "enum" in schema else [schema["const"]])
        options = schema.get("anyOf") or schema.get("oneOf")
        if options:
            return self._make_one_of(options, path, depth, rng)
        kind = schema.get("type", "object" if "properties" in schema else None)
        if isinstance(kind, list):
            typed = [{**schema, "type": one} for one in kind]
            return self._make_one_of(typed, path, depth, rng)
        return self._make_typed(kind, schema, path, depth=depth, rng=rng)

    def _make_typed(
        self, kind: object, schema: Schema, path: Path, *, depth: int, rng: Random
    ) -> Any:  # noqa: ANN401  JSON
        if kind == "object":
            return self._make_object(schema, path, depth, rng)
        if kind == "array":
            return self._make_array(schema, path, depth, rng)
        try:
            return _draw_scalar(kind, schema, rng)
        except UnbuildableError as error:
            raise ImpossibleError(path, str(error)) from error

    def _seed_generator(self, path: Path) -> Random:
        self._visits[path] += 1
        n_redraws = sum(self._redraws.get(path[:end], 0) for end in range(len(path) + 1))
        key = f"{self._seed}/{path!r}/{self._visits[path]}/{n_redraws}"
        return Random(key)  # noqa: S311  repeatable on purpose

    def _make_one_of(self, options: Sequence[Schema], path: Path, depth: int, rng: Random) -> Any:  # noqa: ANN401  JSON
        order = rng.sample(options, len(options))
        if depth > _SOFT_DEPTH:
            order.sort(key=_weigh)
        problem = ImpossibleError(path, "a union of nothing")
        for option in order:
            try:
                return self.make(option, path, depth)
            except ImpossibleError as error:
                problem = error
        raise problem

    def _make_object(self, schema: Schema, path: Path, depth: int, rng: Random) -> dict[str, Any]:
        if "properties" not in schema:
            return self._make_mapping(schema, path, depth, rng)
        required = set(schema.get("required", ()))
        return {
            name: self.make(inner, (*path, name), depth)
            for name, inner in schema["properties"].items()
            if name in required or (depth <= _SOFT_DEPTH and _flip(rng))
        }

    def _make_mapping(self, schema: Schema, path: Path, depth: int, rng: Random) -> dict[str, Any]:
        keys, values = _read_mapping(schema, rng)
        low, high = _read_size(schema.get("minProperties"), schema.get("maxProperties"), path)
        n_wanted = low if depth > _SOFT_DEPTH or values is False else rng.randint(low, high)
        made: dict[str, Any] = {}
        for _ in range(n_wanted * _UNIQUE_TRIES):
            if len(made) == n_wanted:
                break
            key = self.make(keys, (*path, "<key>"), depth)
            if key not in made:
                made[key] = self.make(values, (*path, key), depth)
        if len(made) < low:
            raise ImpossibleError(path, f"{low} different keys were not found")
        return made

    def _make_array(self, schema: Schema, path: Path, depth: int, rng: Random) -> list[Any]:
        prefix = schema.get("prefixItems", ())
        made = [self.make(inner, (*path, index), depth) for index, inner in enumerate(prefix)]
        items = schema.get("items", not prefix)
        low, high = _read_size(schema.get("minItems"), schema.get("maxItems"), path)
        n_wanted = low if depth > _SOFT_DEPTH or items is False else rng.randint(low, high)
        for _ in range(n_wanted * _UNIQUE_TRIES):
            if len(made) >= n_wanted:
                break
            value = self.make(items, (*path, len(made)), depth)
            if not (schema.get("uniqueItems") and value in made):
                made.append(value)
        if len(made) < low:
            raise ImpossibleError(path, f"{low} different items were not found")
        return made

    def _flatten(self, schema: Schema) -> Schema:
        """Put what `$ref` and `allOf` stand for in their place."""
        merged = {name: value for name, value in schema.items() if name not in ("$ref", "allOf")}
        parts = [*schema.get("allOf", ()), *([schema] if "$ref" in schema else [])]
        for part in parts:
            merged = {**(self._resolve(part["$ref"]) if "$ref" in part else part), **merged}
        return merged

    def _resolve(self, reference: str) -> Schema:
        found: Any = self._root
        for step in reference.removeprefix("#/").split("/"):
            found = found[step.replace("~1", "/").replace("~0", "~")]
        return dict(found)


def _draw_scalar(kind: object, schema: Schema, rng: Random) -> Any:  # noqa: ANN401  JSON
    if kind == "null":
        return None
    if kind == "boolean":
        return _flip(rng)
    if kind in ("integer", "number"):
        return draw_number(schema, rng, whole=kind == "integer")
    return draw_string(schema, rng)


def _flip(rng: Random) -> bool:
    return rng.randrange(2) == 1


def _read_size(low: int | None, high: int | None, path: Path) -> tuple[int, int]:
    """Return the least size, and the greatest that is worth drawing."""
    least = low or 0
    if high is not None and high < least:
        raise ImpossibleError(path, f"no size is {least} or more and {high} or less")
    return least, least + 2 if high is None else min(high, least + 2)


def _read_mapping(schema: Schema, rng: Random) -> tuple[Schema, Schema | bool]:
    """Return the schemas of a mapping's keys and values."""
    for pattern, inner in schema.get("patternProperties", {}).items():
        return {"type": "string", "pattern": pattern}, inner
    keys: Schema = {"type": "string"}
    if rng.randrange(4) == 0:
        # `dict[int, str]` has string keys in its schema like any other: digits suit both.
        keys["pattern"] = "^[1-9][0-9]?$"
    return schema.get("propertyNames", keys), schema.get("additionalProperties", True)


def _weigh(option: Schema) -> int:
    """Order the branches of a union: what ends a recursion soonest comes first."""
    if option.get("type") == "null":
        return 0
    return 2 if "$ref" in option or option.get("type") in ("array", "object") else 1
