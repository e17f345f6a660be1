"""Values of a scenario file: tables with known keys, patterns, latencies, accounts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.latency import Latency, draw_between, draw_normal
from tierwise.doubles.gateway.vendor import Account
from tierwise.errors import MisuseError, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.doubles.gateway.latency import Seconds


def read_table(given: object, where: str, known: Iterable[str]) -> Mapping[str, Any]:
    """Return a table; raises `MisuseError` with the closest known key for an unknown one."""
    if not isinstance(given, Mapping):
        raise MisuseError(f"{where} is {given!r}; expected a table.")
    for name in given:
        if name not in known:
            raise MisuseError(f"{where}: unknown key {name!r}.{suggest(str(name), known)}")
    return given


def read_wanted(value: Any) -> Any:  # noqa: ANN401  a criterion as a file has it
    """Return a criterion; `{pattern = "..."}` is a regular expression."""
    if not isinstance(value, Mapping):
        return value
    if set(value) == {"pattern"}:
        try:
            return re.compile(value["pattern"])
        except re.error as error:
            raise MisuseError(f"{value['pattern']!r} is no pattern: {error}.") from error
    return {name: read_wanted(inner) for name, inner in value.items()}


def read_account(given: object, where: str) -> Account:
    """Return which keys and models are accepted."""
    table = read_table(given, where, {field.name for field in fields(Account)})
    return Account(
        keys=frozenset(table["keys"]) if "keys" in table else None,
        models=frozenset(table.get("models", ())),
        any_model=bool(table.get("any_model", False)),
    )


def read_latency(given: object, where: str) -> Latency:
    """Return a latency; each part is a number of seconds, or a table to draw from."""
    table = read_table(given, where, {field.name for field in fields(Latency)})
    return Latency(**{name: _read_seconds(v, f"{where}.{name}") for name, v in table.items()})


def _read_seconds(value: Any, where: str) -> Seconds:  # noqa: ANN401  of a file
    if isinstance(value, Mapping):
        if set(value) == {"low", "high"}:
            return draw_between(value["low"], value["high"])
        if set(value) == {"mean", "sd"}:
            return draw_normal(value["mean"], value["sd"])
    elif isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise MisuseError(
        f"{where} is {value!r}; expected seconds, {{low, high}} to draw between, or {{mean, sd}}."
    )
