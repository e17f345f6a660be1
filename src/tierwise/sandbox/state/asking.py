"""What an object is, told without asking it: a stand-in for another may do anything when asked.

Settings that load at their first use, proxies of what a request brings, validators that are built
late: `isinstance` reads their `__class__`, and `hasattr` runs their `__getattr__`.
"""

from __future__ import annotations

from typing import Any


def is_of(value: object, *kinds: type) -> bool:
    """Tell whether an object is itself of one of these kinds, whatever it stands for."""
    return issubclass(type(value), kinds)


def names_of(value: object) -> dict[str, Any] | None:
    """Return the live namespace of an object; None where it has none that is a plain one."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except Exception:  # noqa: BLE001  a property of that name
        return None
    return found if type(found) is dict else None
