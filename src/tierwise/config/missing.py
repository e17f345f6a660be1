"""Paths of tiers that lead nowhere: a typo there silently frees a folder of its tier."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.config.model import Config

_GLOB = frozenset("*?[")
_CLOSE = 0.6


def written_paths(config: Config) -> tuple[tuple[str, str], ...]:
    """Return (tier, path) for each exact path of a tier that the project itself declares."""
    if not config.declares_tiers:
        return ()
    return tuple(
        (tier.name, path) for tier in config.tiers for path in tier.paths if not _GLOB & set(path)
    )


def describe_missing(missing: Sequence[tuple[str, str]], folders: Iterable[str]) -> str:
    """Return one line about paths that do not exist, given the folders that do; "" for none."""
    if not missing:
        return ""
    (tier, path), *others = missing
    close = _closest(path, folders)
    hint = f"did you mean {close}?" if close else "make it, or change its paths in pyproject.toml"
    more = ", ".join(f'{also} of "{name}"' for name, also in others)
    end = "" if close else "."
    return f'tierwise: tier "{tier}" names {path}, which does not exist; {hint}' + (
        f"{end} Also missing: {more}" if more else ""
    )


def _closest(path: str, folders: Iterable[str]) -> str | None:
    rated = [(_closeness(path.split("/"), folder.split("/")), folder) for folder in folders]
    best, folder = max(rated, default=(0.0, ""))
    return folder if best >= _CLOSE else None


def _closeness(path: Sequence[str], folder: Sequence[str]) -> float:
    """Compare segment by segment from the end: a shared `tests/` alone is not close."""
    pairs = zip(reversed(path), reversed(folder), strict=False)
    rates = [SequenceMatcher(None, part, other).ratio() for part, other in pairs]
    if min(rates) < _CLOSE:
        return 0.0
    # A segment too many or too few is a small fault of its own.
    return sum(rates) / len(rates) - 0.1 * abs(len(path) - len(folder))
