"""Which way each metric of an eval is better, as its promises say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.evals.promises import Better, MeanRange, NoWorse, Promise, RateLimit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.evals.expectations import Expectation


def find_directions(expectations: Iterable[Expectation]) -> dict[str, Better]:
    """Return the metrics of which all promises agree which way is better.

    A text that is counted goes by `metric=text`. A negative control says nothing: its subject is
    meant to be bad.
    """
    said: dict[str, set[Better | None]] = {}
    for entry in expectations:
        if not entry.is_negative_control:
            said.setdefault(_name_of(entry), set()).add(_find_direction(entry.promise))
    directions: dict[str, Better] = {}
    for name, found in said.items():
        way = found.pop()
        if way is not None and not found:
            directions[name] = way
    return directions


def _name_of(expectation: Expectation) -> str:
    promise = expectation.promise
    if isinstance(promise, RateLimit) and promise.value is not None:
        return f"{expectation.metric}={promise.value}"
    return expectation.metric


def _find_direction(promise: Promise) -> Better | None:
    if isinstance(promise, RateLimit):
        return "higher" if promise.kind == "at_least" else "lower"
    if isinstance(promise, MeanRange):
        if promise.low is not None and promise.high is not None:
            return None
        return "lower" if promise.low is None else "higher"
    return promise.better if isinstance(promise, NoWorse) else "higher"
