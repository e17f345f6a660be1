"""Refuse numbers that have no meaning, saying what was given and what is expected."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING

from tierwise.errors import StatisticsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PERCENT = 100.0


def require_count(name: str, value: object, *, least: int = 0) -> int:
    """Return `value` as an int; refuse fractions, booleans and anything below `least`."""
    try:
        count = operator.index(value)  # type: ignore[arg-type]  # what has no index is refused
    except TypeError:
        count = None
    if count is None or isinstance(value, bool):
        raise StatisticsError(f"{name}={value!r}: expected a whole number of at least {least}.")
    if count < least:
        raise StatisticsError(f"{name}={count}: expected a whole number of at least {least}.")
    return count


def require_events(events: object, n: object) -> tuple[int, int]:
    """Return both as ints; refuse more events than trials."""
    trials = require_count("n", n)
    seen = require_count("events", events)
    if seen > trials:
        raise StatisticsError(
            f"events={seen} of n={trials}: expected 0 <= events <= n. "
            "A trial counts as one event at most."
        )
    return seen, trials


def require_confidence(confidence: float) -> float:
    """Return it; refuse what lies outside the open interval from 0 to 1."""
    return _require_open("confidence", confidence, example="0.95")


def require_alpha(alpha: float, *, name: str = "alpha") -> float:
    """Return it; refuse what lies outside the open interval from 0 to 1."""
    return _require_open(name, alpha, example="0.05")


def require_rate(name: str, rate: float) -> float:
    """Return it; refuse what lies outside the open interval from 0 to 1."""
    return _require_open(name, rate, example="0.01")


def require_share(name: str, share: float) -> float:
    """Return it; refuse what lies outside the closed interval from 0 to 1."""
    number = require_number(name, share)
    if not 0.0 <= number <= 1.0:
        raise StatisticsError(f"{name}={share!r}: expected a number from 0 to 1.")
    return number


def require_number(name: str, value: float) -> float:
    """Return it as a float; refuse NaN, infinities and what is no number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise StatisticsError(f"{name}={value!r}: expected a finite number.")
    return number


def require_numbers(name: str, values: Iterable[float]) -> tuple[float, ...]:
    """Return all as floats; refuse the first that is NaN, infinite or no number."""
    return tuple(
        require_number(f"{name}[{position}]", value) for position, value in enumerate(values)
    )


def require_same_length(first: Sequence[float], second: Sequence[float], *, names: str) -> None:
    """Refuse two sequences that cannot be paired."""
    if len(first) != len(second):
        raise StatisticsError(
            f"{names} have {len(first)} and {len(second)} values: expected the same cases in the "
            "same order, one value each."
        )


def _require_open(name: str, value: float, *, example: str) -> float:
    number = require_number(name, value)
    if 0.0 < number < 1.0:
        return number
    hint = f" Did you mean {number / _PERCENT:g}?" if 1.0 < number < _PERCENT else ""
    raise StatisticsError(
        f"{name}={value!r}: expected a number between 0 and 1, both excluded, such as {example}."
        f"{hint}"
    )
