"""The JSON in a model's text, taken out by a declared policy."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from tierwise.errors import ScorerError

Extraction = Literal["whole", "fenced", "embedded"]
"""Where the JSON stands in a reply.

`whole`: the reply is JSON and nothing else. `fenced`: in the one fenced block; a reply without a
fence is taken whole. `embedded`: the one object or array that stands in the prose.
"""

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n`]*\n", re.MULTILINE)
_OPENING = re.compile(r"[\[{]")
_MOST_STARTS = 1000
"""Brackets after which the search for JSON in prose is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedJson:
    """The part of a reply that is JSON, with its value."""

    text: str
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class NoJson:
    """Why a reply has no JSON where the policy looks for it."""

    reason: str


def extract_json(text: str, extract: Extraction) -> ParsedJson | NoJson:
    """Return the JSON of a reply, or why there is none.

    What two readers would read differently is none: NaN, a key that comes twice, half a
    surrogate pair.
    """
    if extract == "embedded":
        return _extract_embedded(text)
    if extract == "whole":
        return _parse(text)
    fenced = _find_fenced(text)
    return fenced if isinstance(fenced, NoJson) else _parse(text if fenced is None else fenced)


def _parse(text: str) -> ParsedJson | NoJson:
    if not text.strip():
        return NoJson(reason="it is empty")
    try:
        value = _DECODER.decode(text)
        text.encode()
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        return NoJson(reason=_explain(error))
    return ParsedJson(text=text, value=value)


def _find_fenced(text: str) -> str | NoJson | None:
    blocks: list[str] = []
    position = 0
    while (opening := _FENCE.search(text, position)) is not None:
        fence = re.escape(opening.group(1)[0])
        length = len(opening.group(1))
        closing = re.compile(rf"^[ \t]*{fence}{{{length},}}[ \t]*$", re.MULTILINE)
        end = closing.search(text, opening.end())
        if end is None:
            return NoJson(reason="its fenced block has no end")
        blocks.append(text[opening.end() : end.start()])
        position = end.end()
    if len(blocks) > 1:
        return NoJson(reason=f"it has {len(blocks)} fenced blocks, and nobody says which counts")
    return blocks[0] if blocks else None


def _extract_embedded(text: str) -> ParsedJson | NoJson:
    found: list[ParsedJson] = []
    position = n_starts = 0
    while (opening := _OPENING.search(text, position)) is not None:
        n_starts += 1
        if n_starts > _MOST_STARTS:
            raise ScorerError(
                f"The reply has more than {_MOST_STARTS} brackets that open no JSON: the search "
                'for it was given up. Use extract="whole" or "fenced".'
            )
        try:
            _, end = _DECODER.raw_decode(text, opening.start())
        except json.JSONDecodeError:
            position = opening.end()
            continue
        except (ValueError, RecursionError) as error:
            return NoJson(reason=_explain(error))
        parsed = _parse(text[opening.start() : end])
        if isinstance(parsed, NoJson):
            return parsed
        found.append(parsed)
        position = end
    if len(found) == 1:
        return found[0]
    if not found:
        return NoJson(reason="it has no JSON object or array")
    return NoJson(reason=f"it has {len(found)} JSON values, and nobody says which counts")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _refuse_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twin = next(key for key in made if keys.count(key) > 1)
        raise ValueError(f"the key {twin!r} comes twice in one object")
    return made


_DECODER = json.JSONDecoder(object_pairs_hook=_refuse_twins, parse_constant=_refuse_constant)


def _explain(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at line {error.lineno} column {error.colno}"
    if isinstance(error, UnicodeError):
        return "it holds half a surrogate pair"
    return "it nests too deeply" if isinstance(error, RecursionError) else str(error)
