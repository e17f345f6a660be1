"""One short name for all that a configuration says, so that runs under the same are known."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.config.model import Config


def hash_config(config: Config) -> str:
    """Return a hash of the configuration; where the project lies is no part of it."""
    plain = {
        field.name: _plain(getattr(config, field.name))
        for field in dataclasses.fields(config)
        if field.name != "root"
    }
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value if isinstance(value, int | float | bool | type(None)) else str(value)
