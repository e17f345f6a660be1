"""JSON as Google's servers read it: names in two spellings, single values for lists, exact types.

What does not fit is told in the words of those servers, every fault of a body at once.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PACKAGE = "type.googleapis.com/google.ai.generativelanguage.v1beta"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not fit."""

    field: str
    says: str


class Kind(Protocol):
    """What a value has to be."""

    def read(self, value: Any, at: str, problems: list[Problem]) -> Any:  # noqa: ANN401  JSON
        """Return the value in its one canonical form; what does not fit goes to `problems`."""
        ...


class Anything:
    """Whatever JSON holds."""

    def read(self, value: Any, at: str, problems: list[Problem]) -> Any:  # noqa: ANN401  JSON
        """Return the value."""
        del at, problems
        return value


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text, a number, a truth value or bytes."""

    word: str
    convert: Callable[[Any], Any]
    """Raises `ValueError` for what it cannot be."""

    def read(self, value: Any, at: str, problems: list[Problem]) -> Any:  # noqa: ANN401  JSON
        """Return the value as what it is."""
        try:
            return self.convert(value)
        except _Base64Error:
            problems.append(
                Problem(
                    at,
                    f"Invalid value at '{at}' ({self.word}), Base64 decoding failed for "
                    f"{_show(value)}",
                )
            )
        except ValueError:
            problems.append(_invalid(at, self.word, value))
        return None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some names, in any case of letters."""

    name: str
    values: frozenset[str]

    def read(self, value: Any, at: str, problems: list[Problem]) -> Any:  # noqa: ANN401  JSON
        """Return the name in capitals."""
        if isinstance(value, str) and value.upper() in self.values:
            return value.upper()
        problems.append(_invalid(at, f"{_PACKAGE}.{self.name}", value))
        return None


@dataclass(frozen=True, slots=True)
class ListOf:
    """Many of a kind; a single one stands for a list of one."""

    kind: Kind

    def read(self, value: Any, at: str, problems: list[Problem]) -> Any:  # noqa: ANN401  JSON
        """Return a list."""
        if not isinstance(value, list):
            return [self.kind.read(value, at, problems)]
        return [self.kind.read(one, f"{at}[{i}]", problems) for i, one in enumerate(value)]


@dataclass(frozen=True, slots=True)
class MapOf:
    """Values by names of the client's own."""

    kind: Kind

    def read(self, value: Any, at: str, problems: list[Problem]) -> Any:  # noqa: ANN401  JSON
        """Return a dict with each value read."""
        if not isinstance(value, dict):
            problems.append(_invalid(at, "type.googleapis.com/google.protobuf.Struct", value))
            return {}
        return {
            name: self.kind.read(one, f"{at}[{i}].value", problems)
            for i, (name, one) in enumerate(value.items())
        }


class Message:
    """An object with known fields, found by either spelling; they are looked up when needed."""

    def __init__(self, name: str, find_fields: Callable[[], Mapping[str, Kind]]) -> None:
        """Take the fields by their names in the JSON of the documentation."""
        self.name = name
        self._find_fields = find_fields
        self._fields: dict[str, tuple[str, str, Kind]] | None = None

    @property
    def fields(self) -> Mapping[str, tuple[str, str, Kind]]:
        """Return by each spelling: both spellings, and the kind."""
        if self._fields is None:
            found = {}
            for camel, kind in self._find_fields().items():
                found[camel] = found[to_snake(camel)] = (camel, to_snake(camel), kind)
            self._fields = found
        return self._fields

    def read(self, value: Any, at: str, problems: list[Problem]) -> Any:  # noqa: ANN401  JSON
        """Return a dict with the documented names; fields that are null are left out."""
        if not isinstance(value, dict):
            problems.append(_invalid(at, f"{_PACKAGE}.{self.name}", value))
            return {}
        fields, read = self.fields, {}
        for name, one in value.items():
            known = fields.get(name)
            if known is None:
                problems.append(_unknown(at, name))
            elif one is not None:
                camel, snake, kind = known
                read[camel] = kind.read(one, f"{at}.{snake}" if at else snake, problems)
        return read


_BEFORE_CAPITAL = re.compile(r"(?<=[a-z0-9])([A-Z])")


def to_snake(camel: str) -> str:
    """Return a name as Google's servers spell it in their errors."""
    return _BEFORE_CAPITAL.sub(r"_\1", camel).lower()


def _invalid(at: str, word: str, value: object) -> Problem:
    return Problem(at, f"Invalid value at '{at}' ({word}), {_show(value)}")


def _unknown(at: str, name: str) -> Problem:
    where = f" at '{at}'" if at else ""
    return Problem(
        at, f'Invalid JSON payload received. Unknown name "{name}"{where}: Cannot find field.'
    )


_SHOWN = 60


def _show(value: object) -> str:
    shown = json.dumps(value)
    return shown if len(shown) <= _SHOWN else f'{shown[:_SHOWN]}..."'


class _Base64Error(ValueError):
    """Text that stands where bytes are meant and is none of their spellings."""


def _as_text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError  # noqa: TRY004  one exception for whatever does not fit
    return value


def _as_integer(value: object) -> int:
    # JSON of protocol buffers takes whole numbers as text and as 1.0 too.
    number = _as_number(value)
    if not number.is_integer() or not -(2**31) <= number < 2**31:
        raise ValueError
    return int(number)


def _as_number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError  # noqa: TRY004  as above
    return float(value)


def _as_truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError  # noqa: TRY004  as above
    return value


def _as_bytes(value: object) -> str:
    text = _as_text(value)
    plain = text.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error:
        raise _Base64Error from None
    return text


TEXT = Scalar("TYPE_STRING", _as_text)
INTEGER = Scalar("TYPE_INT32", _as_integer)
NUMBER = Scalar("TYPE_FLOAT", _as_number)
TRUTH = Scalar("TYPE_BOOL", _as_truth)
BYTES = Scalar("TYPE_BYTES", _as_bytes)
ANYTHING = Anything()
