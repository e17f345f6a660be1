"""Where a finding of an audit is, as a place in the repository."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from tierwise.report.machine.places import Place, is_inside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.audit.findings import Audit, Finding

_AT = re.compile(
    r"(?:such as .*\()?(?P<path>.+?):(?P<line>[1-9]\d{0,8})(?: in [^()]*\)?)?", re.DOTALL
)
_DRIVE = re.compile(r"[A-Za-z]:|\\\\")
_FILE_END = re.compile(r", |:| \(")
_NAMES_A_FILE = ("missing_folder", "not_in_ci", "ci_untold")
_ABOUT_A_FILE = ("collection_error", "never_collected", "empty_test_file", "skipped_here")


def place_of(finding: Finding, audit: Audit) -> Place | None:
    """Return the line or else the file of a finding; None when nothing names one.

    What concerns the suite as a whole is shown at the file that sets pytest up.
    """
    for path, line in _candidates(finding, audit):
        inside = _below(path, audit.run.session.rootdir)
        if inside:
            return Place(path=inside, line=line)
    return None


def _candidates(finding: Finding, audit: Audit) -> Iterator[tuple[str, int | None]]:
    found = _AT.fullmatch(finding.where)
    if found:
        yield found["path"], int(found["line"])
    elif finding.kind in _NAMES_A_FILE:
        named = finding.where or finding.subject
        yield (named if _DRIVE.match(named) else _FILE_END.split(named)[0]), None
    for name in (finding.subject, *finding.tests[:1]):
        for view in audit.tests:
            if view.nodeid == name:
                yield view.path, view.line or None
        if "::" in name or finding.kind in _ABOUT_A_FILE:
            yield name.partition("::")[0], None
    yield audit.run.session.inifile, None


def _below(path: str, root: str) -> str:
    """Return the path from the root on; "" for one that does not lie below it."""
    pure = PurePath(path)
    if root and pure.is_absolute() and pure.is_relative_to(root):
        path = pure.relative_to(root).as_posix()
    # A name that looks like one of another system's drives is no place of this repository.
    return "" if _DRIVE.match(path) or not is_inside(path) else path
