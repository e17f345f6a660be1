"""Does any route lead out of this namespace?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LOOPBACK = "lo"
_TABLES = {"/proc/self/net/route": 0, "/proc/self/net/ipv6_route": -1}
"""Where the kernel lists routes, and in which column the interface stands."""


def read_routes() -> tuple[str, ...]:
    """Return the interfaces that routes lead through."""
    found: list[str] = []
    for path, column in _TABLES.items():
        file = Path(path)
        if file.exists():
            found += interfaces_in(file.read_text(encoding="ascii").splitlines(), column)
    return tuple(found)


def interfaces_in(lines: Iterable[str], column: int) -> list[str]:
    """Return the interfaces that a table of routes names; its heading is none."""
    rows = [line.split() for line in lines if line.strip()]
    return [row[column] for row in rows if row[0] != "Iface"]


def leads_out(interfaces: Iterable[str], own: str) -> bool:
    """Tell whether a route leads elsewhere than to this machine and to the watcher."""
    return any(name not in (_LOOPBACK, own) for name in interfaces)
