"""Which of a project's folders exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.config.missing import describe_missing, written_paths

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tierwise.config.model import Config

_DEPTH = 3
_NEVER = frozenset({"__pycache__", "node_modules", "site-packages"})


def find_missing(config: Config) -> str:
    """Return one line about the declared tiers' paths that do not exist; "" when all do."""
    missing = [
        (tier, path) for tier, path in written_paths(config) if not (config.root / path).exists()
    ]
    return describe_missing(missing, _walk(config.root, "", _DEPTH)) if missing else ""


def _walk(root: Path, below: str, depth: int) -> Iterator[str]:
    try:
        entries = sorted((root / below).iterdir())
    except OSError:
        return  # a folder that cannot be read is no proposal
    for entry in entries:
        is_ours = not (entry.name.startswith(".") or entry.name in _NEVER)
        if is_ours and entry.is_dir() and not (entry / "pyvenv.cfg").exists():
            name = f"{below}{entry.name}"
            yield name
            if depth > 1:
                yield from _walk(root, f"{name}/", depth - 1)
