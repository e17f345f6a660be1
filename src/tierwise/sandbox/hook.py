"""The audit hook: one for the process, inert while no policy acts."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from tierwise.sandbox import files, processes, sleeping, sockets, sqlite_files
from tierwise.sandbox.judge import judge_event
from tierwise.sandbox.slot import SLOT, owner_here

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tierwise.domain import Touch
    from tierwise.sandbox.world import World

    Classifier = Callable[[str, tuple[Any, ...], World], tuple[Touch, ...]]

CLASSIFIERS: Mapping[str, Classifier] = {
    **files.CLASSIFIERS,
    **processes.CLASSIFIERS,
    **sleeping.CLASSIFIERS,
    **sockets.CLASSIFIERS,
    **sqlite_files.CLASSIFIERS,
    # Every run of an event loop begins with it: asyncio may have been imported only just now.
    "sys.set_asyncgen_hook_firstiter": lambda _event, _args, _world: SLOT.complete_patches(),
}


COUNTED: Mapping[str, str] = {
    "os.chdir": "cwd",
    "os.rename": "cwd",
    "os.rmdir": "cwd",
    "os.putenv": "environ",
    "os.unsetenv": "environ",
    **dict.fromkeys(processes.CLASSIFIERS, "processes"),
}
"""Events after which the watcher of this name has to look."""
_HEARD = {
    event: (COUNTED.get(event), CLASSIFIERS.get(event))
    for event in (COUNTED.keys() | CLASSIFIERS.keys())
}


def audit(
    event: str,
    args: tuple[Any, ...],
    find: Callable[[str], tuple[str | None, Classifier | None] | None] = _HEARD.get,
) -> None:
    """Count and judge one audit event; most are of no interest and cost one look-up."""
    heard = find(event)
    if heard is None:
        return
    kind, classify = heard
    if kind is not None:
        SLOT.happened.count(kind, args)
    if classify is None or not SLOT.sandboxes:
        return
    owner = owner_here()
    if owner is not None:
        judge_event(owner, classify, event, args, sys._getframe(1))  # noqa: SLF001  the only way to ask who called


def add_hook_once() -> None:
    """Add the hook to this process; Python has no way to take it out again."""
    if not SLOT.has_hook:
        SLOT.has_hook = True
        sys.addaudithook(audit)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=SLOT.forget_other_threads)
