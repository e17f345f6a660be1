"""Numbers and strings that keep the constraints of a JSON schema, drawn at random."""

from __future__ import annotations

import base64
import math
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tierwise.providers.made_up.patterns import UnsupportedPatternError, compile_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

_WORDS = (
    "amber",
    "brook",
    "cedar",
    "delta",
    "ember",
    "fern",
    "grove",
    "hazel",
    "iris",
    "juniper",
    "kettle",
    "lantern",
    "meadow",
    "north",
    "orchard",
    "pebble",
    "quarry",
    "river",
    "slate",
    "thistle",
    "umber",
    "valley",
    "willow",
    "yarrow",
)
_SPAN = 100
_EDGES = 2
"""Of ten numbers this many lie on a bound, where off-by-one errors live."""
_PATTERN_TRIES = 60


class UnbuildableError(Exception):
    """No value keeps these constraints, or none was found; the message says which."""


def draw_word(rng: Random) -> str:
    """Return one harmless word."""
    return rng.choice(_WORDS)


def draw_sentence(rng: Random) -> str:
    """Return a few harmless words as a sentence."""
    words = " ".join(draw_word(rng) for _ in range(rng.randint(3, 8)))
    return f"{words.capitalize()}."


def draw_number(schema: Mapping[str, Any], rng: Random, *, whole: bool) -> int | float:
    """Return a number within the bounds, on the bound itself now and then."""
    step = _exact(schema["multipleOf"]) if "multipleOf" in schema else None
    if whole:
        # Whole multiples of a/b in lowest terms are the multiples of a.
        step = Fraction(1 if step is None else step.numerator)
    bounds = _read_bounds(schema, span=max(_SPAN, 2 * (step or 0)))
    if step is not None:
        multiple = bounds.draw_multiple(step, rng)
        return int(multiple) if whole else float(multiple)
    return bounds.draw_real(rng)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bounds:
    low: Fraction
    high: Fraction
    is_low_open: bool
    is_high_open: bool

    def draw_multiple(self, step: Fraction, rng: Random) -> Fraction:
        low, high = self.low / step, self.high / step
        first = math.floor(low) + 1 if self.is_low_open else math.ceil(low)
        last = math.ceil(high) - 1 if self.is_high_open else math.floor(high)
        if last < first:
            what = "whole number" if step == 1 else f"multiple of {float(step):g}"
            raise UnbuildableError(f"no {what} is {self}")
        on_edge = rng.randrange(10) < _EDGES
        return step * (rng.choice((first, last)) if on_edge else rng.randint(first, last))

    def draw_real(self, rng: Random) -> float:
        low, high = self.low, self.high
        if high < low or (high == low and (self.is_low_open or self.is_high_open)):
            raise UnbuildableError(f"no number is {self}")
        edges = [float(low)] * (not self.is_low_open) + [float(high)] * (not self.is_high_open)
        if edges and (low == high or rng.randrange(10) < _EDGES):
            return rng.choice(edges)
        exact = float(low + (high - low) * Fraction(rng.randint(1, 999), 1000))
        rounded = round(exact, rng.randint(0, 3))
        return rounded if low < _exact(rounded) < high else exact

    def __str__(self) -> str:
        return (
            f"{'more than' if self.is_low_open else 'at least'} {float(self.low):g} and "
            f"{'less than' if self.is_high_open else 'at most'} {float(self.high):g}"
        )


def _read_bounds(schema: Mapping[str, Any], *, span: int | Fraction) -> _Bounds:
    lows = [_exact(schema[k]) for k in ("minimum", "exclusiveMinimum") if k in schema]
    highs = [_exact(schema[k]) for k in ("maximum", "exclusiveMaximum") if k in schema]
    low = max(lows) if lows else (min(highs) if highs else Fraction(0)) - span
    high = min(highs) if highs else (max(lows) if lows else Fraction(0)) + span
    return _Bounds(
        low=low,
        high=high,
        is_low_open="exclusiveMinimum" in schema and low == _exact(schema["exclusiveMinimum"]),
        is_high_open="exclusiveMaximum" in schema and high == _exact(schema["exclusiveMaximum"]),
    )


def _exact(value: float) -> Fraction:
    # By way of the text: 0.1 is meant as a tenth, not as its nearest binary fraction.
    return Fraction(str(value))


def draw_string(schema: Mapping[str, Any], rng: Random) -> str:
    """Return a string of the right format, pattern and length."""
    shortest, longest = int(schema.get("minLength", 0)), schema.get("maxLength")
    if longest is not None and longest < shortest:
        raise UnbuildableError(f"no text is {shortest} or more and {longest} or less long")
    if "pattern" in schema:
        return _draw_matching(schema["pattern"], rng, shortest, longest)
    form = _FORMATS.get(schema.get("format", ""))
    return form(rng) if form is not None else _draw_text(rng, shortest, longest)


def _draw_matching(pattern: str, rng: Random, shortest: int, longest: int | None) -> str:
    try:
        draw = compile_pattern(pattern, reach=max(4, shortest))
    except UnsupportedPatternError as error:
        raise UnbuildableError(str(error)) from error
    for _ in range(_PATTERN_TRIES):
        text = draw(rng)
        if shortest <= len(text) and (longest is None or len(text) <= longest):
            return text
    raise UnbuildableError(
        f"no match of pattern {pattern!r} with {shortest} to {longest} characters was found"
    )


def _draw_text(rng: Random, shortest: int, longest: int | None) -> str:
    text = " ".join(draw_word(rng) for _ in range(rng.randint(1, 3)))
    while len(text) < shortest:
        text += " " + draw_word(rng)
    if longest is None or len(text) <= longest:
        return text
    # Blanks at an end would be lost where the schema strips them, and with them the length.
    return text[:longest].replace(" ", "-")


def _draw_moment(rng: Random) -> datetime:
    # Half of the range is past and half is to come, for PastDate and FutureDate alike.
    start = datetime(1970, 1, 1, tzinfo=UTC)
    return start + timedelta(seconds=rng.randrange(0, 130 * 365 * 86_400))


def _draw_datetime(rng: Random) -> str:
    # One format stands for aware and for naive times; a schema that wants one has it redrawn.
    moment = _draw_moment(rng)
    return (moment if rng.randrange(3) else moment.replace(tzinfo=None)).isoformat()


def _draw_uuid(rng: Random, version: int) -> str:
    return str(uuid.UUID(int=rng.getrandbits(128), version=version))


def _draw_ipv4(rng: Random) -> str:
    return f"192.0.2.{rng.randint(1, 254)}"


def _draw_ipv6(rng: Random) -> str:
    return f"2001:db8::{rng.randint(1, 0xFFFF):x}"


def _draw_base64(rng: Random) -> str:
    return base64.urlsafe_b64encode(draw_word(rng).ljust(9, "s").encode()).decode()


_FORMATS: Mapping[str, Callable[[Random], str]] = {
    "date": lambda rng: _draw_moment(rng).date().isoformat(),
    "date-time": _draw_datetime,
    "time": lambda rng: _draw_moment(rng).time().isoformat(),
    "duration": lambda rng: f"PT{rng.randint(0, 86_400)}S",
    "uuid": lambda rng: _draw_uuid(rng, 4),
    "uuid1": lambda rng: _draw_uuid(rng, 1),
    "uuid3": lambda rng: _draw_uuid(rng, 3),
    "uuid4": lambda rng: _draw_uuid(rng, 4),
    "uuid5": lambda rng: _draw_uuid(rng, 5),
    "email": lambda rng: f"{draw_word(rng)}@example.com",
    "name-email": lambda rng: f"{draw_word(rng)} <{draw_word(rng)}@example.com>",
    "uri": lambda rng: f"https://example.com/{draw_word(rng)}",
    "ipv4": _draw_ipv4,
    "ipv6": _draw_ipv6,
    "ipvanyaddress": _draw_ipv4,
    "ipv4network": lambda rng: f"10.{rng.randint(0, 255)}.0.0/16",
    "ipv6network": lambda rng: f"2001:db8:{rng.randint(0, 0xFFFF):x}::/48",
    "ipvanynetwork": lambda rng: f"10.{rng.randint(0, 255)}.0.0/16",
    "ipv4interface": lambda rng: f"{_draw_ipv4(rng)}/24",
    "ipv6interface": lambda rng: f"{_draw_ipv6(rng)}/64",
    "ipvanyinterface": lambda rng: f"{_draw_ipv4(rng)}/24",
    "json-string": lambda rng: f'"{draw_word(rng)}"',
    "base64": _draw_base64,
    "base64url": _draw_base64,
}
