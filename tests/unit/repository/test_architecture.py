"""ARCHITECTURE.md and the import contract say the same."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]


def declared_layers() -> list[list[str]]:
    """Return the layers of the import contract that exist, without those named for later."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (c for c in settings["tool"]["importlinter"]["contracts"] if c["id"] == "layers")
    layers = ([name.strip() for name in line.split("|")] for line in contract["layers"])
    existing = [[n for n in names if not n.startswith("(")] for names in layers]
    return [names for names in existing if names]


def documented_layers() -> list[list[str]]:
    """Return the rooms of each line of the table in ARCHITECTURE.md."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d+ \| ([^|]+) \|", text, re.MULTILINE)
    return [[name.strip() for name in row.split(",")] for row in rows]


def test_the_table_of_layers_is_the_import_contract() -> None:
    """The page names the same rooms in the same order as the contract that is enforced."""
    assert documented_layers() == declared_layers()


def test_the_page_is_one_page() -> None:
    """ARCHITECTURE.md stays short enough to be read."""
    assert len((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()) < 80


def test_every_room_says_what_it_is_for() -> None:
    """Each package below src/tierwise has a docstring with a sentence in it."""
    silent = [
        path.parent.name
        for path in (ROOT / "src/tierwise").glob("*/__init__.py")
        if len((ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split()) < 3
    ]
    assert silent == []
