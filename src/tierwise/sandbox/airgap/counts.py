"""What the kernel keeps count of where no packet can be read: attempts that had no route."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NAME, _NAME_6 = "OutNoRoutes", "Ip6OutNoRoutes"


def count_unroutable() -> int:
    """Return how often something had no route in this namespace since it began."""
    return count_in(_read("snmp")) + count_in_6(_read("snmp6"))


def count_in(lines: Iterable[str]) -> int:
    """Return the count of a table whose names and numbers stand in lines of their own."""
    rows = [line.split() for line in lines if line.startswith("Ip:")]
    if len(rows) < 2 or _NAME not in rows[0]:  # noqa: PLR2004  names, then numbers
        return 0
    return int(rows[1][rows[0].index(_NAME)])


def count_in_6(lines: Iterable[str]) -> int:
    """Return the count of a table with one name and number a line."""
    return sum(int(line.split()[1]) for line in lines if line.split()[:1] == [_NAME_6])


def _read(name: str) -> list[str]:
    try:
        return Path(f"/proc/self/net/{name}").read_text(encoding="ascii").splitlines()
    except OSError:
        return []
