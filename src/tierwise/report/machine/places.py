"""Where a finding is, as a path and a line that a code host can show."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.domain import Violation
    from tierwise.report.machine.values import TestEntry

_FRAME = re.compile(r"(?P<path>[^<].*):(?P<line>[1-9]\d{0,8}) in (?P<function>.+)", re.DOTALL)
_LOCATION = re.compile(r"(?P<path>.+):(?P<line>[1-9]\d{0,8})", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A file below the project's root; without a line it is the file as a whole."""

    path: str
    line: int | None = None
    function: str = ""

    def within(self, folder: str) -> str:
        """Return the path as seen from the repository in which the project is a folder."""
        return f"{folder}/{self.path}" if folder else self.path


def place_of_violation(violation: Violation, test: TestEntry) -> Place | None:
    """Return the project's own frame next to the touch, or else where the test is."""
    for frame in reversed(violation.stack):
        found = _FRAME.fullmatch(frame)
        if found and is_inside(found["path"]):
            return Place(path=found["path"], line=int(found["line"]), function=found["function"])
    return place_of_test(test)


def place_of_test(test: TestEntry) -> Place | None:
    """Return where a test is written, or its file; None of a test that has none."""
    found = _LOCATION.fullmatch(test.location)
    if found and is_inside(found["path"]):
        return Place(path=found["path"], line=int(found["line"]))
    return place_of_id(test.nodeid)


def place_of_id(test_id: str) -> Place | None:
    """Return the file that the id of a test or an eval begins with."""
    path = test_id.partition("::")[0]
    return Place(path=path) if is_inside(path) else None


def is_inside(path: str) -> bool:
    """Tell whether a path names something below the root, and nothing else."""
    pure = PurePosixPath(path)
    return bool(pure.parts) and not pure.is_absolute() and ".." not in pure.parts
