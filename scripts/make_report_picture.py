"""Take docs/assets/report.png: the report of a project that has everything, as a browser shows it.

    python scripts/make_report_picture.py

It needs Chromium and the test dependencies. The picture is for people: no test compares it.
"""  # noqa: INP001  scripts are run, not imported

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import sync_playwright

from tierwise.cli.report import read_report
from tierwise.config import load_config
from tierwise.report.html.page import render_report

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "assets" / "report.png"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main() -> int:
    """Write the picture; return 1 where there is no browser."""
    sys.path.insert(0, str(ROOT / "tests" / "vendor"))
    from report_world import make_project  # noqa: PLC0415  found by the line above

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.stderr.write(f"None of {', '.join(BROWSERS)} is installed.\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        report = read_report(load_config(make_project(root)))
        source = replace(report.source, project="bell", made_at="2026-11-30T12:00:00+00:00")
        page = root / "report.html"
        page.write_text(
            render_report(replace(report, source=source), folder="beside").html, encoding="utf-8"
        )
        take(page, program)
    return 0


def take(page: Path, program: str) -> None:
    """Open the page and keep what its first screen shows."""
    PICTURE.parent.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        opened = browser.new_page(viewport={"width": 1180, "height": 900})
        opened.goto(page.as_uri())
        opened.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
