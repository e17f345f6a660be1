"""Which tiers and folders `tierwise eval run` takes when nothing is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tierwise.domain import Tier

_GLOB = frozenset("*?[")


def choose_tiers(tiers: Iterable[Tier], asked: Sequence[str]) -> tuple[Tier, ...]:
    """Return the tiers that were asked for, or all deliberate ones."""
    known = {tier.name: tier for tier in tiers}
    for name in asked:
        if name not in known:
            raise EvalUsageError(f"There is no tier {name!r}.{suggest(name, known)}")
    if asked:
        return tuple(known[name] for name in dict.fromkeys(asked))
    return tuple(tier for tier in known.values() if tier.deliberate)


def choose_paths(
    asked: Sequence[str], tiers: Iterable[Tier], exists: Callable[[str], bool]
) -> tuple[str, ...]:
    """Return the paths that were asked for, or those of the tiers that exist.

    A pattern stands for its folders down to the first wildcard.
    """
    for path in asked:
        if not exists(path.partition("::")[0]):
            raise EvalUsageError(f"There is no {path.partition('::')[0]} here to run evals of.")
    if asked:
        return tuple(asked)
    found = (_before_wildcard(path) for tier in tiers for path in tier.paths)
    return tuple(dict.fromkeys(path for path in found if exists(path)))


def say_nothing_found(
    tiers: Sequence[Tier], paths: Sequence[str], keyword: str | None, *, is_declared: bool
) -> str:
    """Return what was looked for, and how a first eval is made."""
    names = ", ".join(tier.name for tier in tiers) or "none: no tier is deliberate"
    places = ", ".join(paths or [path for tier in tiers for path in tier.paths])
    chosen = f" that match -k {keyword!r}" if keyword else ""
    hint = (
        ""
        if is_declared
        else " This project has no [tool.tierwise] table; `tierwise init` writes one."
    )
    return (
        f"No evals{chosen} were found (tiers: {names}; paths: {places or 'none'}). An eval is a "
        "test function with @evaluate(cases=..., trials=..., expect=[...]) in a file of a "
        f"deliberate tier, such as tests/evals/test_it.py.{hint}"
    )


def _before_wildcard(path: str) -> str:
    kept = []
    for part in path.split("/"):
        if _GLOB & set(part):
            break
        kept.append(part)
    return "/".join(kept) or "."
