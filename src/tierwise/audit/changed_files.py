"""Findings about files that tests change outside of the temporary folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.audit.behaviour import count
from tierwise.audit.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tierwise.audit.findings import TestView

_WRITE = "write"


def find_changed_files(views: Sequence[TestView], root: str) -> Iterator[Finding]:
    """Yield what tests change in the project or elsewhere, the files of one folder together.

    What is beyond a test's level is told as that.
    """
    by_folder: dict[str, dict[str, dict[str, str]]] = {}
    for view in views:
        for touch in view.touches:
            if touch.capability == _WRITE and touch not in view.beyond:
                name = touch.target.removeprefix(f"{root}/") if root else touch.target
                files = by_folder.setdefault(name.rpartition("/")[0], {})
                files.setdefault(name, {}).setdefault(view.nodeid, touch.line)
    for folder, files in sorted(by_folder.items()):
        yield _of_folder(folder, files)


def _of_folder(folder: str, files: dict[str, dict[str, str]]) -> Finding:
    first = next(iter(files))
    tests = tuple(dict.fromkeys(test for found in files.values() for test in found))
    more = f" and {count(len(tests) - 1, 'other')}" if len(tests) > 1 else ""
    subject, text = first, f"{tests[0]}{more} changed it"
    if len(files) > 1:
        subject = f"{folder}/" if folder else "the project's folder"
        text = f"{tests[0]}{more} changed {len(files)} files in it, such as {first}"
    return Finding(
        kind="changed_files",
        subject=subject,
        text=text,
        where=next(iter(files[first].values())),
        tests=tests,
    )
