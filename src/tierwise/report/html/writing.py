"""Writes the page, and what lies beside it, so that no reader ever finds half of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from pathlib import Path

    from tierwise.report.html.page import Rendered

_PATTERN = "trials-*.html"
_OURS = ".tierwise"
"""The folder that Git is told to ignore, as the run store does that makes it."""


def folder_of(path: Path) -> Path:
    """Return the folder of transcripts that belongs to a page."""
    return path.with_name(f"{path.stem}-transcripts")


def write_page(rendered: Rendered, path: Path) -> None:
    """Write the page to `path` and its transcripts beside it; those of an older page are removed.

    What else lies in that folder is left alone.
    """
    folder = folder_of(path)
    try:
        _make_folder(path.parent)
        for old in folder.glob(_PATTERN):
            if old.name not in rendered.beside:
                old.unlink()
        for name, html in rendered.beside.items():
            folder.mkdir(exist_ok=True)
            _put(folder / name, html)
        if not rendered.beside and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
        _put(path, rendered.html)
    except OSError as error:
        raise MisuseError(
            f"The report cannot be written to {path}: {error.strerror or error}. "
            "Name a file in a folder that you may write to: tierwise report --out PATH"
        ) from error


def _make_folder(folder: Path) -> None:
    if folder.exists():
        return
    folder.mkdir(parents=True)
    if folder.name == _OURS:
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")


def _put(path: Path, html: str) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(html, encoding="utf-8", errors="backslashreplace", newline="\n")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
