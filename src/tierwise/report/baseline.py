"""The levels as they were when someone looked and agreed: none may fall below."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Level
from tierwise.errors import ConfigError, suggest
from tierwise.report.map import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.report.map import LevelRow

VERSION = 1
_RANK = (Status.GAP, Status.PARTIAL, Status.COVERED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallen:
    """A level that is less covered than the baseline says."""

    level: Level
    before: Status
    now: Status
    reason: str

    def __str__(self) -> str:
        """Return it as a line."""
        return f"{self.level} fell from {self.before} to {self.now}: {self.reason}"


def find_fallen(rows: Iterable[LevelRow], baseline: Mapping[Level, Status]) -> tuple[Fallen, ...]:
    """Return the levels that are below the baseline."""
    return tuple(
        Fallen(level=row.level, before=baseline[row.level], now=row.status, reason=row.reason)
        for row in rows
        if _RANK.index(row.status) < _RANK.index(baseline[row.level])
    )


def write_baseline(rows: Iterable[LevelRow]) -> str:
    """Return the text of a baseline: small, in order, with nothing that changes by itself."""
    levels = {str(row.level): str(row.status) for row in rows}
    return json.dumps({"version": VERSION, "levels": levels}, indent=2) + "\n"


def read_baseline(text: str, where: str) -> dict[Level, Status]:
    """Return what a baseline says of each of the twelve levels; ConfigError for any other text."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refuse(where, f"it is no JSON ({error})") from error
    if not isinstance(found, dict) or found.get("version") != VERSION:
        version = found.get("version") if isinstance(found, dict) else None
        raise _refuse(where, f"its version is {version!r}, expected {VERSION}")
    levels = found.get("levels")
    if not isinstance(levels, dict):
        raise _refuse(where, "it has no table `levels`")
    names = [str(level) for level in Level]
    for name in levels:
        if name not in names:
            raise _refuse(where, f"there is no level {name!r}.{suggest(name, names)}")
    for name in names:
        if name not in levels:
            raise _refuse(where, f"it does not say how {name!r} was")
    return {Level(name): _status(where, name, value) for name, value in levels.items()}


def _status(where: str, name: str, value: object) -> Status:
    known = [str(status) for status in Status]
    if not isinstance(value, str) or value not in known:
        raise _refuse(where, f"{name} is {value!r}.{suggest(str(value), known)}")
    return Status(value)


def _refuse(where: str, what: str) -> ConfigError:
    return ConfigError(
        f"The baseline {where} cannot be compared with: {what.rstrip('.')}. Write it anew by "
        "`tierwise map --save-baseline` and review the change."
    )
