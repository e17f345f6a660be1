"""Numbers of a verdict as words; rounding never claims more than was proven."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.domain import Judgement
    from tierwise.domain.judgement import Unit
    from tierwise.evals.counting import Counts
    from tierwise.stats import Population

_DIGITS = 4
_EXACT_DIGITS = 12


def percent(share: float, *, up: bool = False) -> str:
    """Return a share in percent with two decimals, rounded down, or up for an upper bound."""
    scaled = share * 10_000
    # A share such as 0.05 is 500.00000000000006 here: what is whole to nine digits is whole.
    whole = round(scaled)
    if not math.isclose(scaled, whole, rel_tol=0, abs_tol=1e-9):
        whole = math.ceil(scaled) if up else math.floor(scaled)
    return f"{whole / 100:.10g} %"


def round_percent(share: float) -> str:
    """Return an observed share in percent, rounded to two decimals.

    Only a share that is 0 or 1 is said to be 0 % or 100 %.
    """
    hundredths = round(share * 10_000)
    if 0 < share < 1:
        hundredths = min(max(hundredths, 1), 9_999)
    return f"{hundredths / 100:.10g} %"


def say_occurred(metric: str, counts: Counts) -> str:
    """Return how often a metric occurred, and how often of it in trials that went wrong."""
    seen = f"{metric} occurred in {counts.n_events} of {counts.n_scored} trials"
    if not counts.n_unscored_events:
        return seen
    return f"{seen}, and in {counts.n_unscored_events} that then went wrong"


def number(value: float, *, up: bool = False) -> str:
    """Return a number with four digits that count, rounded down, or up for an upper bound."""
    # What is whole to twelve digits is whole.
    exact = Context(prec=_EXACT_DIGITS).create_decimal_from_float(value)
    outward = Context(prec=_DIGITS, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return f"{float(outward.create_decimal(exact)):.10g}"


def say_value(unit: Unit, value: float, *, up: bool = False) -> str:
    """Return a number as its kind is written: a share in percent, any other as it is."""
    return number(value, up=up) if unit in ("mean", "difference") else percent(value, up=up)


def round_value(unit: Unit, value: float) -> str:
    """Return an observed number, rounded as its kind is."""
    return f"{value:.4g}" if unit in ("mean", "difference") else round_percent(value)


def say_limits(unit: Unit, low: float | None, high: float | None) -> str:
    """Return the limits of a promise."""
    if low is None or high is None:
        return say_value(unit, (low if high is None else high) or 0.0)
    return f"{say_value(unit, low)} to {say_value(unit, high)}"


def say_number(n: int, one: str, many: str) -> str:
    """Return a number with the word that goes with it."""
    return f"{n} {one if n == 1 else many}"


def say_population(population: Population | str) -> str:
    """Return whom a claim is about."""
    return str(population).replace("_", " ")


def say_missing(counts: Counts, ceiling: float) -> str:
    """Return why too much is missing for a verdict."""
    share = percent(counts.n_missing / counts.n_planned, up=True)
    return (
        f"{counts.n_missing} of {counts.n_planned} trials have no score ({share}), more than the "
        f"ceiling of {percent(ceiling)}"
    )


def say_silence(control: Judgement) -> str:
    """Return why a clean run proves nothing while its positive control is not proven."""
    return (
        f"silence would look like safety: the positive control is {control.verdict} "
        f"({control.metric} in {control.n_events} of {control.n_scored} trials, expected "
        f"{control.expectation.removeprefix(control.metric).strip()})"
    )


def say_control(control: Judgement) -> str:
    """Return what became of a positive control."""
    return (
        f"positive control {control.verdict}: {control.n_events} of {control.n_scored} trials "
        f"show it, expected {control.expectation.removeprefix(control.metric).strip()}"
    )


def say_stopped(reason: str, counts: Counts) -> str:
    """Return after how much of its plan an eval was ended, and why."""
    n_ended = counts.n_planned - counts.n_left
    return f"stopped after {n_ended} of {counts.n_planned} planned trials: {reason}"
