"""Python values as plain data that a person can review, and back."""

from __future__ import annotations

import dataclasses
import importlib
import math
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from uuid import UUID

from pydantic import BaseModel

from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable

_SIMPLE: dict[str, tuple[type, Callable[[Any], Any], Callable[[Any], Any]]] = {
    "$datetime": (datetime, datetime.isoformat, datetime.fromisoformat),
    "$date": (date, date.isoformat, date.fromisoformat),
    "$time": (time, time.isoformat, time.fromisoformat),
    "$seconds": (timedelta, timedelta.total_seconds, lambda value: timedelta(seconds=value)),
    "$decimal": (Decimal, str, Decimal),
    "$uuid": (UUID, str, UUID),
    "$path": (PurePath, str, PurePath),
    # Each byte is one character, so that what is masked in text is masked here.
    "$bytes": (bytes, lambda v: v.decode("latin-1"), lambda value: value.encode("latin-1")),
}


def encode(value: Any) -> Any:  # noqa: ANN401  whatever crosses a seam
    """Return plain data for a value, a copy of it; `{"$opaque": type}` for what has no form."""
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": repr(value)}
    if isinstance(value, Enum):
        return {"$enum": name_type(type(value)), "name": value.name}
    for tag, (kind, write, _) in _SIMPLE.items():
        if isinstance(value, kind):
            return {tag: write(value)}
    return _encode_whole(value)


def _encode_whole(value: Any) -> Any:  # noqa: ANN401
    names = _list_fields(value)
    if names is not None:
        fields = {name: encode(getattr(value, name)) for name in names}
        return {"$data": name_type(type(value)), **fields}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, tuple):
        return {"$tuple": [encode(item) for item in value]}
    if isinstance(value, set | frozenset):
        return {"$set": sorted((encode(item) for item in value), key=repr)}
    if isinstance(value, dict):
        return _encode_dict(value)
    return {"$opaque": name_type(type(value))}


def _list_fields(value: Any) -> list[str] | None:  # noqa: ANN401
    """Return the names of what a value is made of; None when it is not made of fields."""
    if isinstance(value, BaseModel):
        return list(type(value).model_fields)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [field.name for field in dataclasses.fields(value)]
    is_named = isinstance(value, tuple) and hasattr(value, "_fields")
    return list(value._fields) if is_named else None


def _encode_dict(value: dict[Any, Any]) -> Any:  # noqa: ANN401
    if all(type(key) is str and not key.startswith("$") for key in value):
        return {key: encode(item) for key, item in value.items()}
    return {"$pairs": [[encode(key), encode(item)] for key, item in value.items()]}


def decode(data: Any) -> Any:  # noqa: ANN401
    """Return the value that plain data stands for; MisuseError for what can't be made again."""
    if isinstance(data, list):
        return [decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    tag = next(iter(data), "")
    if not tag.startswith("$"):
        return {key: decode(item) for key, item in data.items()}
    if tag in _SIMPLE:
        return _SIMPLE[tag][2](data[tag])
    if tag not in _WHOLE:
        raise MisuseError(f"{data!r} stands for no value that could be made again.")
    return _WHOLE[tag](data)


def _decode_data(data: dict[str, Any]) -> Any:  # noqa: ANN401
    found = find_type(data["$data"])
    if not is_made_of_fields(found):
        raise MisuseError(f"{data['$data']} is no dataclass, pydantic model or named tuple.")
    return found(**{name: decode(value) for name, value in data.items() if name != "$data"})


def is_made_of_fields(found: Any) -> bool:  # noqa: ANN401
    """Tell whether instances of a type can be made again from their fields alone."""
    is_tuple = isinstance(found, type) and issubclass(found, tuple) and hasattr(found, "_fields")
    is_model = isinstance(found, type) and issubclass(found, BaseModel)
    return is_tuple or is_model or dataclasses.is_dataclass(found)


def _decode_enum(data: dict[str, Any]) -> Any:  # noqa: ANN401
    found = find_type(data["$enum"])
    if not (isinstance(found, type) and issubclass(found, Enum)):
        raise MisuseError(f"{data['$enum']} is no enum.")
    return found[data["name"]]


def find_opaque(data: Any) -> str | None:  # noqa: ANN401
    """Return the first type within plain data that can't be made again; None: all can."""
    if isinstance(data, list):
        return next((found for item in data if (found := find_opaque(item))), None)
    if not isinstance(data, dict):
        return None
    if "$opaque" in data:
        return str(data["$opaque"])
    name = data.get("$data") or data.get("$enum")
    if isinstance(name, str) and "<locals>" in name:
        return name
    return find_opaque(list(data.values()))


def name_type(kind: type) -> str:
    """Return where a type is found: `package.module:Class`."""
    return f"{kind.__module__}:{kind.__qualname__}"


def find_type(name: str) -> Any:  # noqa: ANN401
    """Return the type of that name."""
    module, _, path = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for step in path.split("."):
            found = getattr(found, step)
    except (ImportError, AttributeError) as error:
        raise MisuseError(f"{name} is not there any more: {error}. Record anew.") from None
    return found


_WHOLE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "$float": lambda data: float(data["$float"]),
    "$enum": _decode_enum,
    "$data": _decode_data,
    "$tuple": lambda data: tuple(decode(data["$tuple"])),
    "$set": lambda data: set(decode(data["$set"])),
    "$pairs": lambda data: {decode(key): decode(item) for key, item in data["$pairs"]},
}
