"""Handlers of signals."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal makes an enum of each answer
import signal
from typing import TYPE_CHECKING

from tierwise.domain.watching import Change
from tierwise.sandbox.state.showing import show, show_type
from tierwise.sandbox.state.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBERS = tuple(
    int(getattr(signal, name))
    for name in (
        *("SIGHUP", "SIGINT", "SIGQUIT", "SIGABRT", "SIGUSR1", "SIGUSR2", "SIGPIPE", "SIGALRM"),
        *("SIGTERM", "SIGCHLD", "SIGCONT", "SIGTSTP", "SIGWINCH"),
    )
    if hasattr(signal, name)
)
_HARNESS = ("pytest_timeout",)
"""Plugins that set a handler around each test, and take it out again."""


def read_handlers() -> list[object]:
    """Return the handler of each signal that programs handle."""
    return list(map(_signal.getsignal, _NUMBERS))


def are_same_handlers(kept: list[object]) -> bool:
    """Tell whether each is as it was."""
    return [*map(_signal.getsignal, _NUMBERS)] == kept


def compare_handlers(before: list[object], after: list[object]) -> Iterator[Change]:
    """Yield a change for each signal; what a plugin of pytest sets for its own use is none."""
    for number, old, new in zip(_NUMBERS, before, after, strict=True):
        if old != new and not (_is_harness(old) or _is_harness(new)):
            name = signal.Signals(number).name
            yield Change(
                watcher="signals",
                owner=f"signal.getsignal({name})",
                before=_shown(old),
                after=_shown(new),
            )


def restore_handlers(before: list[object]) -> None:
    """Set the handlers again; one that C code had set cannot be."""
    for number, old in zip(_NUMBERS, before, strict=True):
        if old is not None and _signal.getsignal(number) != old:
            signal.signal(number, old)  # type: ignore[arg-type]  # it was one


def _is_harness(handler: object) -> bool:
    return getattr(handler, "__module__", None) in _HARNESS


def _shown(handler: object) -> str:
    if isinstance(handler, int):
        return signal.Handlers(handler).name
    name = getattr(handler, "__qualname__", None)
    if isinstance(name, str):
        return f"{getattr(handler, '__module__', '')}.{name}"
    return show(handler) if handler is None else show_type(handler)


SIGNALS = Watcher(
    name="signals",
    take=read_handlers,
    compare=compare_handlers,
    is_same=are_same_handlers,
    restore=restore_handlers,
)
