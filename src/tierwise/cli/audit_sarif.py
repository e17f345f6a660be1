"""`tierwise audit --sarif`: the findings of an audit for a code host."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise._version import __version__
from tierwise.cli.report_formats import folder_in_repository, write_text

if TYPE_CHECKING:
    from tierwise.audit.findings import Audit

_NOTHING = (
    "No SARIF was written: no test was collected, and a file without results would close what "
    "is open. Look at what the audit says of pytest's start, and run it again."
)


def write_findings(audit: Audit, path: Path, here: Path, *, is_part: bool) -> None:
    """Write the findings; of a suite of which nothing is known nothing is written."""
    from tierwise.report.audit.sarif import write_sarif  # noqa: PLC0415  for one option

    if not audit.tests:
        click.echo(_NOTHING, err=True)
        return
    root = Path(audit.run.session.rootdir or here)
    folder = folder_in_repository(root)
    text = write_sarif(audit, version=__version__, folder=folder, is_part=is_part)
    write_text(path, text)
    click.echo(f"written to {path}", err=True)
