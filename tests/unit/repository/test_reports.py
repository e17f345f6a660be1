"""The table of what went wrong elsewhere names tests that name the same reports."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "evals-running.md"


def read_rows() -> list[tuple[str, list[str], list[str]]]:
    """Return what happened, the numbers of the reports and the files of each row."""
    _, _, section = PAGE.read_text(encoding="utf-8").partition("## What went wrong elsewhere")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+#[^|]+) \| ([^|]+) \|$", section, re.MULTILINE)
    return [(what, re.findall(r"#\d+", said), files.split(", ")) for what, said, files in rows]


ROWS = read_rows()


def test_the_table_is_read() -> None:
    """A page that was changed does not make the other test look at nothing."""
    assert sum(len(reports) for _, reports, _ in ROWS) > 60


@pytest.mark.parametrize(("reports", "files"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS])
def test_each_report_is_named_where_the_table_says(reports: list[str], files: list[str]) -> None:
    """By its number, in one of the files of its row, which all exist."""
    paths = [ROOT / name.strip() for name in files]
    assert [path for path in paths if not path.exists()] == []
    said = "".join(path.read_text(encoding="utf-8") for path in paths if path.is_file())
    assert [report for report in reports if not re.search(rf"{report}\b", said)] == []
