"""Which watchers there are, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain.watching import WATCHERS
from tierwise.errors import MisuseError, suggest
from tierwise.sandbox.state.contexts import CONTEXTVARS
from tierwise.sandbox.state.descriptors import watch_descriptors
from tierwise.sandbox.state.environ import ENVIRON
from tierwise.sandbox.state.imports import SYS_MODULES, SYS_PATH
from tierwise.sandbox.state.loops import EVENT_LOOP, TASKS
from tierwise.sandbox.state.numbers import DECIMAL, NUMPY, watch_random
from tierwise.sandbox.state.process import CWD, LOCALE, TIMEZONE, UMASK
from tierwise.sandbox.state.running import PROCESSES, THREADS
from tierwise.sandbox.state.signals import SIGNALS
from tierwise.sandbox.state.warning_filters import WARNINGS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tierwise.sandbox.state.watcher import Watcher

_PLAIN = (
    *(ENVIRON, CWD, UMASK, LOCALE, TIMEZONE, SYS_PATH, SYS_MODULES, WARNINGS, NUMPY, DECIMAL),
    *(SIGNALS, EVENT_LOOP, CONTEXTVARS, THREADS, PROCESSES, TASKS),
)


def make_watchers(
    names: Collection[str] | None = None,
    packages: Sequence[str] = (),  # noqa: ARG001
    *,
    thorough: bool = False,  # noqa: ARG001
) -> tuple[Watcher, ...]:
    """Return the watchers of these names, None for all, in the order in which they are told.

    `packages` are the folders of first-party code; `thorough` looks into containers of containers.
    """
    for name in names or ():
        if name not in WATCHERS:
            raise MisuseError(f"There is no watcher {name!r}.{suggest(name, WATCHERS)}")
    wanted = WATCHERS.keys() if names is None else names
    found = {watcher.name: watcher for watcher in _PLAIN}
    if "random" in wanted:
        found["random"] = watch_random()
    if "files" in wanted:
        found["files"] = watch_descriptors()
    return tuple(found[name] for name in WATCHERS if name in wanted and name in found)
