"""Which tiers and folders `tierwise eval run` takes when nothing is said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tierwise.config.defaults import evals_tier
from tierwise.errors import EvalUsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tierwise.domain import Tier

_GLOB = frozenset("*?[")


def choose_tiers(tiers: Iterable[Tier], asked: Sequence[str]) -> tuple[Tier, ...]:
    """Return the tiers that were asked for, or all deliberate ones and that of evals.

    Where no tier is called `evals`, the default one stands in, so that evals in its folder run.
    """
    known = {tier.name: tier for tier in tiers}
    for name in asked:
        if name not in known:
            raise EvalUsageError(f"There is no tier {name!r}.{suggest(name, known)}")
    if asked:
        return tuple(known[name] for name in dict.fromkeys(asked))
    evals = evals_tier(known.values())
    deliberate = {tier.name: tier for tier in known.values() if tier.deliberate}
    return tuple((deliberate | {evals.name: evals}).values())


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


def say_undeclared(tiers: Iterable[Tier], found: Iterable[tuple[str, str | None]]) -> str:
    """Return what to add to pyproject.toml for evals of no declared tier; empty if there is none.

    `found` holds the id and the tier of each eval that ran.
    """
    known = {tier.name for tier in tiers}
    strays = [eval_id for eval_id, tier in found if tier not in known]
    if not strays:
        return ""
    from tierwise.cli.init import write_tier  # noqa: PLC0415  few ask for it

    folders = sorted({eval_id.partition("::")[0].rpartition("/")[0] or "." for eval_id in strays})
    tier = replace(evals_tier(()), paths=tuple(folders))
    n = f"{len(strays)} eval{'' if len(strays) == 1 else 's'}"
    return (
        f"{n} belong{'s' if len(strays) == 1 else ''} to no tier and ran under the defaults of "
        "an evals tier. To declare it, "
        + (
            f"add to pyproject.toml:\n\n{write_tier(tier)}"
            if known
            else "run: tierwise init (this project has no [tool.tierwise] table yet)"
        )
    )


def say_nothing_found(
    tiers: Sequence[Tier], paths: Sequence[str], keyword: str | None, *, is_declared: bool
) -> str:
    """Return what was looked for, and how a first eval is made."""
    names = ", ".join(tier.name for tier in tiers)
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
        "deliberate tier, such as tests/evals/test_it.py; for files elsewhere, name them: "
        f"tierwise eval run PATH.{hint}"
    )


def _before_wildcard(path: str) -> str:
    kept = []
    for part in path.split("/"):
        if _GLOB & set(part):
            break
        kept.append(part)
    return "/".join(kept) or "."
