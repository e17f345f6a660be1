"""The filters of warnings."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from tierwise.domain.watching import Change
from tierwise.sandbox.state.watcher import simple

if TYPE_CHECKING:
    from collections.abc import Iterator


def read_filters() -> list[tuple[object, ...]]:
    """Return the filters, the first to be asked first."""
    return list(warnings.filters)


def compare_filters(
    before: list[tuple[object, ...]], after: list[tuple[object, ...]]
) -> Iterator[Change]:
    """Yield one change with what went and what came."""
    gone = [entry for entry in before if entry not in after]
    come = [entry for entry in after if entry not in before]
    if before != after:
        yield Change(
            watcher="warnings",
            owner="warnings.filters",
            before=_shown(gone) if gone or come else "another order",
            after=_shown(come) if gone or come else "the same filters",
        )


def restore_filters(before: list[tuple[object, ...]]) -> None:
    """Put the filters back, in place, and have what was decided by them decided anew."""
    warnings.filters[:] = before  # type: ignore[index]  # it is a list
    warnings._filters_mutated()  # type: ignore[attr-defined]  # noqa: SLF001  as catch_warnings does


def _shown(filters: list[tuple[object, ...]]) -> str:
    named = [f"{entry[0]} {getattr(entry[2], '__name__', entry[2])}" for entry in filters[:3]]
    return (
        ", ".join(named) + (f", ... {len(filters)} in all" if len(filters) > len(named) else "")
        or "none"
    )


WARNINGS = simple("warnings", read_filters, compare_filters, restore_filters)
