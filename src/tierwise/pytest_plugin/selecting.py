"""Which tests run: the tiers that were named, or all that are not deliberate."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from posixpath import commonpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path, PurePath

    from tierwise.config import Config
    from tierwise.domain import Tier

_MOST_SHOWN = 3
_GLOB = frozenset("*?[")


def is_selected(tier: Tier | None, wanted: Sequence[str]) -> bool:
    """Tell whether a test of `tier` runs; an unplaced one runs when no tier was named."""
    if wanted:
        return tier is not None and tier.name in wanted
    return tier is None or not tier.deliberate


def folders_to_add(config: Config, collected: Iterable[Path]) -> tuple[Path, ...]:
    """Return the folders of deliberate tiers that lie outside the folders that are collected.

    Deliberate tests rot where nobody looks at them, so that each bare run collects them too.
    """
    known = tuple(collected)
    folders = [
        config.root / path
        for tier in config.tiers
        if tier.deliberate
        for path in tier.paths
        if not _GLOB & set(path)
    ]
    return tuple(
        folder
        for folder in folders
        if not any(folder == other or other in folder.parents for other in known)
    )


def how_to_run(tiers: Iterable[str], arguments: Sequence[str]) -> tuple[str, ...]:
    """Return a line for each deliberate tier whose tests were named but left out."""
    named = " ".join(arguments)
    return tuple(
        f'tierwise: {count} {"test" if count == 1 else "tests"} of the deliberate tier "{tier}" '
        f"did not run. Run {'it' if count == 1 else 'them'} with: "
        f"pytest --tier {tier}{' ' + named if named else ''}"
        for tier, count in Counter(tiers).items()
    )


def how_to_run_evals(places: Sequence[str], providers: Sequence[str]) -> str:
    """Return the line about evals that a bare run left out; each has its file in `places`."""
    files = sorted(set(places))
    if len(files) > _MOST_SHOWN:
        files = [commonpath(files) or "."]
    it = "it" if len(places) == 1 else "them"
    reason = (
        "--eval-provider runs evals only beside --tier NAME"
        if providers
        else "a bare pytest runs none"
    )
    options = "".join(f" --provider {shlex.quote(provider)}" for provider in providers)
    return (
        f"tierwise: {len(places)} eval{'' if len(places) == 1 else 's'} did not run: {reason}. "
        f"Run {it} with: tierwise eval run {shlex.join(files)}{options}"
    )


def is_named(
    path: PurePath, arguments: Iterable[PurePath], tier_folders: Iterable[PurePath]
) -> bool:
    """Tell whether an argument names this file, or a folder of its tier, and no folder above."""
    return any(
        argument == path
        or (
            argument in path.parents
            and any(folder == argument or folder in argument.parents for folder in tier_folders)
        )
        for argument in arguments
    )


def mentions(mark_expression: str, tier: str) -> bool:
    """Tell whether `-m` names the tier."""
    return re.search(rf"\b{re.escape(tier)}\b", mark_expression) is not None


def describe_unplaced(config: Config, nodeids: Sequence[str]) -> str:
    """Return what strict mode says about tests that no tier claims."""
    shown = ", ".join(nodeids[:_MOST_SHOWN])
    if len(nodeids) > _MOST_SHOWN:
        shown += f" and {len(nodeids) - _MOST_SHOWN} more"
    tiers = "; ".join(f"{tier.name}: {', '.join(tier.paths)}" for tier in config.tiers)
    return (
        f"no tier claims {shown}, and strict = true. Move the file below a tier's path, add its "
        f"path to a tier, or mark it with @pytest.mark.tier. The tiers are {tiers}."
    )
