"""Take the pictures of the report: of a project that has everything, and of one that has nothing.

    python scripts/make_report_picture.py

docs/assets/report.png is the first screen, report-whole.jpg the whole page of every outcome and
verdict, and report-empty.jpg that of a project without any result. It needs Chromium and the
test dependencies. The pictures are for people, who compare them with what they see after a
change: no test does.
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
PICTURES = ROOT / "docs" / "assets"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MADE_AT = "2026-11-30T12:00:00+00:00"


def main() -> int:
    """Write the pictures; return 1 where there is no browser."""
    sys.path.insert(0, str(ROOT / "tests" / "vendor"))
    from report_world import make_project  # noqa: PLC0415  found by the line above

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.stderr.write(f"None of {', '.join(BROWSERS)} is installed.\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        full, empty = Path(folder, "full"), Path(folder, "empty")
        full.mkdir()
        empty.mkdir()
        (empty / "pyproject.toml").write_text("[tool.tierwise]\n", encoding="utf-8")
        pages = [write(make_project(full, code_hash="one state"), "bell"), write(empty, "new")]
        take(pages, program)
    return 0


def write(root: Path, project: str) -> Path:
    """Write the report of a project under a name and at a time of our choice."""
    report = read_report(load_config(root))
    source = replace(report.source, project=project, made_at=MADE_AT)
    page = root / "report.html"
    rendered = render_report(replace(report, source=source), folder="beside")
    page.write_text(rendered.html, encoding="utf-8")
    return page


def take(pages: list[Path], program: str) -> None:
    """Open the pages and keep what they show."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        opened = browser.new_page(viewport={"width": 1180, "height": 900})
        for page, name in zip(pages, ("report-whole", "report-empty"), strict=True):
            opened.goto(page.as_uri())
            opened.screenshot(
                path=PICTURES / f"{name}.jpg", full_page=True, type="jpeg", quality=60
            )
            if name == "report-whole":
                opened.screenshot(path=PICTURES / "report.png")
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
