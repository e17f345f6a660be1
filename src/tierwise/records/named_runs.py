"""Runs that a project names as baselines in its own files: those are never pruned."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.records.fingerprint import read_digests

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_ID = re.compile(r"(?<![0-9A-Za-z])\d{8}T\d{4,6}(?:-[0-9a-f]{0,8})?")
_AGO = re.compile(r"\blast(?:~(\d{1,6}))?\b")
_BESIDE = re.compile(r"baseline", re.IGNORECASE)
_HIDDEN = (".github", ".gitlab-ci.yml", ".circleci", ".pre-commit-config.yaml", "Makefile")
_MOST_BYTES = 2 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What names runs: ids, whole or as they begin, and how many of the latest."""

    ids: tuple[str, ...] = ()
    n_latest: int = 0


def find_named(texts: Iterable[str]) -> Named:
    """Return the runs that texts name; `last~2` counts where a baseline is spoken of."""
    ids: set[str] = set()
    n_latest = 0
    for text in texts:
        ids.update(_ID.findall(text))
        for line in text.splitlines():
            if _BESIDE.search(line):
                counted = [int(found[1] or 0) + 1 for found in _AGO.finditer(line)]
                n_latest = max([n_latest, *counted])
    return Named(ids=tuple(sorted(ids)), n_latest=n_latest)


def read_named(root: Path, whole: Iterable[str]) -> Named:
    """Return the runs that the files of a project name: code, settings and those of its CI."""
    return find_named(_texts(root, whole))


def _texts(root: Path, whole: Iterable[str]) -> Iterator[str]:
    paths = [root / name for name in read_digests(root, whole=whole, texts=True)]
    for name in _HIDDEN:
        found = root / name
        paths += sorted(found.rglob("*")) if found.is_dir() else [found]
    for path in paths:
        if path.is_file() and path.stat().st_size <= _MOST_BYTES:
            yield path.read_text(encoding="utf-8", errors="replace")
