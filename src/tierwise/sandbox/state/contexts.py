"""Context variables of the thread that runs the tests."""

from __future__ import annotations

from contextvars import Context, copy_context
from typing import TYPE_CHECKING

from tierwise.domain.watching import Change
from tierwise.sandbox.state.showing import ABSENT, show
from tierwise.sandbox.state.watcher import simple

if TYPE_CHECKING:
    from collections.abc import Iterator

_ITS_OWN = ("decimal_context", "tierwise_owner_here")
"""Names of variables that the interpreter and tierwise keep: decimal has a watcher of its own."""


def compare_contexts(before: Context, after: Context) -> Iterator[Change]:
    """Yield a change for each variable."""
    for variable in dict.fromkeys([*before, *after]):
        old, new = before.get(variable, ABSENT), after.get(variable, ABSENT)
        if old is not new and variable.name not in _ITS_OWN:
            yield Change(
                watcher="contextvars",
                owner=f"ContextVar {variable.name!r}",
                before=ABSENT if old is ABSENT else show(old, variable.name),
                after=ABSENT if new is ABSENT else show(new, variable.name),
            )


CONTEXTVARS = simple("contextvars", copy_context, compare_contexts)
