"""Names of a package that are loaded when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def load_from(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package whose names are at home in these of its modules.

    A run pays for nothing that it does not use.
    """

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return vars(import_module(f"{package}.{homes[name]}"))[name]

    return load
