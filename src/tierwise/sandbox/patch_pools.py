"""Pools of threads of multiprocessing: each task keeps the owner of whoever gave it."""
# ruff: noqa: ANN401 - a stand-in takes and returns whatever the original does

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.patch_threads import run_as
from tierwise.sandbox.patching import Patch, replace_function
from tierwise.sandbox.slot import NOBODY, Nobody, Owner, owner_here
from tierwise.sandbox.violation import PolicyViolation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from multiprocessing.pool import ThreadPool

_GIVERS = ("apply_async", "_map_async", "imap", "imap_unordered")
"""What all other methods of a pool come down to; each takes the function first."""


def install() -> Iterable[Patch | None]:
    """Patch ThreadPool alone: pools of processes pickle what they are given."""
    from multiprocessing.pool import ThreadPool  # noqa: PLC0415  only when somebody has imported it

    for name in _GIVERS:
        yield replace_function(ThreadPool, name, _watch_given)


def _watch_given(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def give(self: ThreadPool, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        owned = functools.partial(_work_as, owner_here() or NOBODY, func)
        return original(self, owned, *args, **kwargs)

    return give


def _work_as(
    owner: Owner | Nobody, function: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> Any:
    try:
        return run_as(owner, function, *args, **kwargs)
    except PolicyViolation as violation:
        # A worker dies of what is no Exception, and whoever waits for its answer waits forever.
        raise RuntimeError(str(violation)) from violation
