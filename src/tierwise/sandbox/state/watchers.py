"""Which watchers there are, by name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tierwise.domain.watching import WATCHERS
from tierwise.errors import MisuseError, suggest
from tierwise.sandbox.state.caches import watch_caches
from tierwise.sandbox.state.classes import watch_classes
from tierwise.sandbox.state.contexts import CONTEXTVARS
from tierwise.sandbox.state.decimals import DECIMAL
from tierwise.sandbox.state.descriptors import watch_descriptors
from tierwise.sandbox.state.environ import ENVIRON
from tierwise.sandbox.state.imports import SYS_MODULES, SYS_PATH
from tierwise.sandbox.state.logs import watch_logging
from tierwise.sandbox.state.loops import EVENT_LOOP, TASKS
from tierwise.sandbox.state.modules import watch_modules
from tierwise.sandbox.state.numbers import NUMPY, watch_random
from tierwise.sandbox.state.packages import FirstParty
from tierwise.sandbox.state.process import CWD, LOCALE, TIMEZONE, UMASK
from tierwise.sandbox.state.running import PROCESSES, THREADS
from tierwise.sandbox.state.signals import SIGNALS
from tierwise.sandbox.state.third_party import watch_third_party
from tierwise.sandbox.state.warning_filters import WARNINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tierwise.sandbox.state.watcher import Watcher

_PLAIN = (
    *(ENVIRON, CWD, UMASK, LOCALE, TIMEZONE, SYS_PATH, SYS_MODULES, WARNINGS, NUMPY, DECIMAL),
    *(SIGNALS, EVENT_LOOP, CONTEXTVARS, THREADS, PROCESSES, TASKS),
)


def make_watchers(
    names: Collection[str] | None = None,
    packages: Sequence[str] = (),
    *,
    thorough: bool = False,
) -> tuple[Watcher, ...]:
    """Return the watchers of these names, None for all, in the order in which they are told.

    `packages` are the folders of first-party code; `thorough` looks into containers of containers.
    """
    for name in names or ():
        if name not in WATCHERS:
            raise MisuseError(f"There is no watcher {name!r}.{suggest(name, WATCHERS)}")
    wanted = WATCHERS.keys() if names is None else frozenset(names)
    first_party = FirstParty(packages)
    made: dict[str, Callable[[], Watcher]] = {
        "random": watch_random,
        "files": watch_descriptors,
        "logging": watch_logging,
        "modules": partial(watch_modules, first_party, thorough=thorough),
        "classes": partial(watch_classes, first_party, thorough=thorough),
        "caches": partial(watch_caches, first_party),
        "third_party": watch_third_party,
    }
    plain = {watcher.name: watcher for watcher in _PLAIN}
    return tuple(
        plain[name] if name in plain else made[name]() for name in WATCHERS if name in wanted
    )
