"""What the mark `leaves_behind` says, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain.watching import WATCHERS
from tierwise.errors import MisuseError, suggest

if TYPE_CHECKING:
    import pytest

MARK_LINE = (
    'leaves_behind(watcher, ..., reason="..."): let this test leave this process state changed '
    "(tierwise)"
)


def find_allowed(item: pytest.Item) -> frozenset[str]:
    """Return the watchers whose findings the test's marks allow; MisuseError for a wrong mark."""
    return frozenset(
        name
        for mark in item.iter_markers("leaves_behind")
        for name in _names_of(mark, item.nodeid)
    )


def _names_of(mark: pytest.Mark, where: str) -> tuple[str, ...]:
    unknown = [key for key in mark.kwargs if key != "reason"]
    if unknown:
        raise MisuseError(
            f"{where}: mark.leaves_behind has no argument {unknown[0]!r}."
            f"{suggest(unknown[0], ['reason'])}"
        )
    reason = mark.kwargs.get("reason")
    if not mark.args or not isinstance(reason, str) or not reason.strip():
        raise MisuseError(
            f"{where}: mark.leaves_behind takes names of watchers and a reason, such as "
            '@pytest.mark.leaves_behind("environ", reason="why it has to stay").'
        )
    for name in mark.args:
        if name not in WATCHERS:
            raise MisuseError(
                f"{where}: mark.leaves_behind names {name!r}, which is no watcher."
                f"{suggest(str(name), WATCHERS)}"
            )
    return mark.args
