"""Context variables of the thread that runs the tests."""

from __future__ import annotations

from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any

from tierwise.domain.watching import Change
from tierwise.sandbox.state.places import have_equal_content, is_equal
from tierwise.sandbox.state.showing import ABSENT, show
from tierwise.sandbox.state.watcher import Watcher, differing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextvars import Context, ContextVar

    from tierwise.sandbox.state.checks import Check

_ITS_OWN = ("decimal_context", "tierwise_owner_here")
"""Names of variables that the interpreter and tierwise keep: decimal has a watcher of its own."""


def read_variables() -> dict[ContextVar[Any], Any]:
    """Return what the variables of this context hold."""
    return {
        variable: value
        for variable, value in copy_context().items()
        if variable.name not in _ITS_OWN
    }


def compare_variables(
    before: Mapping[ContextVar[Any], Any], after: Mapping[ContextVar[Any], Any]
) -> Iterator[Change]:
    """Yield a change for each variable."""
    for variable in differing(before, after):
        old, new = before.get(variable, ABSENT), after.get(variable, ABSENT)
        if not is_equal(old, new):
            yield Change(
                watcher="contextvars",
                owner=f"ContextVar {variable.name!r}",
                before=ABSENT if old is ABSENT else show(old, variable.name),
                after=ABSENT if new is ABSENT else show(new, variable.name),
            )


def witness_of_variables(_: object) -> tuple[Check, ...]:
    """Return what tells that none was set: two copies of a context are equal until one is."""
    return (partial(_is_here, copy_context()),)


def _is_here(context: Context) -> bool:
    return copy_context() == context


CONTEXTVARS = Watcher(
    name="contextvars",
    take=read_variables,
    compare=compare_variables,
    is_same=lambda kept: have_equal_content(read_variables(), kept),
    witness=witness_of_variables,
)
