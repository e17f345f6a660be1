"""Whether trials may share a case, or each of them needs a copy of its own."""

from __future__ import annotations

import copy
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import types
import uuid
from pathlib import PurePath
from typing import Any

from tierwise.errors import EvalUsageError

_ATOMS = (
    *(type(None), bool, int, float, complex, str, bytes, range, type, PurePath, enum.Enum),
    *(dt.date, dt.time, dt.timedelta, dt.timezone, uuid.UUID),
    *(decimal.Decimal, fractions.Fraction),
    *(types.FunctionType, types.BuiltinFunctionType, types.ModuleType),
)


_PLAIN = frozenset({type(None), bool, int, float, str, bytes})


class UncopiedCaseError(EvalUsageError):
    """A case can be changed by a trial and cannot be copied for each."""


def is_immutable(value: object) -> bool:
    """Tell whether nothing that a trial does to the value reaches another trial.

    Said of plain values, and of tuples, frozen sets, frozen dataclasses and frozen pydantic
    models that hold nothing else; of all else it is not known.
    """
    if isinstance(value, _ATOMS):
        return True
    if isinstance(value, tuple | frozenset):
        return all(map(is_immutable, value))
    if dataclasses.is_dataclass(value):
        parameters = getattr(type(value), "__dataclass_params__", None)
        is_frozen = parameters is not None and parameters.frozen
        return is_frozen and all(
            is_immutable(getattr(value, field.name)) for field in dataclasses.fields(value)
        )
    config = getattr(type(value), "model_config", None)
    if isinstance(config, dict) and config.get("frozen"):
        return all(map(is_immutable, vars(value).values()))
    return False


def copy_case(value: Any, label: str) -> Any:  # noqa: ANN401  a user's own value
    """Return a copy that shares nothing that can change, or say that the case has none."""
    if type(value) is dict and _PLAIN.issuperset(map(type, (*value, *value.values()))):
        return value.copy()  # what most cases are
    try:
        return copy.deepcopy(value)
    except Exception as error:
        raise UncopiedCaseError(
            f"The case {label!r} cannot be copied ({type(error).__name__}: {error}), and trials "
            "must not share what one of them may change. Make it a frozen dataclass or another "
            "immutable value, and open what cannot be copied in the body."
        ) from error
