"""Is the number in a reply close enough to the right one?"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Literal

from tierwise.errors import EvalUsageError, ScorerError
from tierwise.evals.scored import Scored
from tierwise.evals.scorers.number_text import EXACT, DecimalMark, Unreadable, find_numbers
from tierwise.evals.scorers.reading import Text, read_text, require_option, show

Take = Literal["only", "first", "last"]
"""Which number of a text counts.

`only`: the text has one. Several that are all close, or none of them, are judged alike; if they
differ nobody can tell, and the trial is an error.
"""

_PLAIN = 20
"""Powers of ten up to which a number is shown with all its digits."""


def close_to(
    reply: Text | float | Decimal,
    expected: float | Decimal,
    *,
    absolute: float | Decimal | None = None,
    relative: float | Decimal | None = None,
    take: Take = "only",
    decimal: DecimalMark = ".",
) -> Scored:
    """Say whether a number, or the number in a reply, is within a tolerance of the expected one.

    `absolute` is in the number's own unit, `relative` a share of the expected number; given both,
    either suffices, and a number on the edge is within. The comparison is in decimals as written,
    so that 1.1 is within 0.1 of 1. A reply without digits is not close.
    """
    require_option("take", take, Take)
    require_option("decimal", decimal, DecimalMark)
    target = _read_number(expected, "expected")
    slack = _read_slack(target, absolute, relative)
    if isinstance(reply, int | float | Decimal):
        return _judge([_read_number(reply, "the number")], target, slack)
    text = read_text(reply)
    found = find_numbers(text, decimal=decimal)
    if not found:
        return Scored(value=False, why=f"no number in {show(text)}")
    taken = {"only": found, "first": found[:1], "last": found[-1:]}[take]
    return _judge(taken, target, slack)


def _judge(
    found: tuple[Decimal | Unreadable, ...] | list[Decimal], target: Decimal, slack: Decimal
) -> Scored:
    numbers = [entry for entry in found if isinstance(entry, Decimal)]
    close = [_measure_distance(number, target) <= slack for number in numbers]
    unreadable = [entry.text for entry in found if isinstance(entry, Unreadable)]
    if unreadable:
        raise ScorerError(
            f"The reply has {unreadable[0]!r}, which nobody can read for sure: say "
            'decimal="," if a comma stands before the decimals, or ask for plain digits.'
        )
    if any(close) and not all(close):
        raise ScorerError(
            f"The reply has several numbers, {_list(numbers)}. Some are close to {_show(target)} "
            'and some are not: say which counts by take="first" or take="last".'
        )
    why = f"found {_list(numbers)}; expected {_show(target)}, at most {_show(slack)} off"
    return Scored(value=any(close), why=why)


def _measure_distance(first: Decimal, second: Decimal) -> Decimal:
    return EXACT.abs(EXACT.subtract(first, second))


def _read_slack(target: Decimal, absolute: object, relative: object) -> Decimal:
    if absolute is None and relative is None:
        raise EvalUsageError(
            "close_to() was given no tolerance: say absolute=..., relative=..., or absolute=0."
        )
    slacks = [
        _read_number(given, name)
        for name, given in (("absolute", absolute), ("relative", relative))
        if given is not None
    ]
    if min(slacks) < 0:
        raise EvalUsageError(
            f"close_to() was given the tolerance {min(slacks)}: expected 0 or more."
        )
    if absolute is None and not target and slacks[0]:
        raise ScorerError(
            "close_to() was given a relative tolerance of the expected number 0, which is 0: say "
            "absolute=... for cases in which 0 is right."
        )
    if relative is not None:
        slacks[-1] = EXACT.multiply(slacks[-1], EXACT.abs(target))
    return max(slacks)


def _read_number(value: object, name: str) -> Decimal:
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value):  # type: ignore[arg-type]  # just checked
        raise ScorerError(
            f"close_to() was given {name}={value!r}, of type {type(value).__name__}: expected a "
            "finite number. Does the case have a value there?"
        )
    return EXACT.create_decimal(str(value))


def _list(numbers: list[Decimal]) -> str:
    return ", ".join(map(_show, numbers))


def _show(number: Decimal) -> str:
    plain = number.normalize(EXACT)
    return f"{plain:f}" if abs(number.adjusted()) < _PLAIN else str(plain)
