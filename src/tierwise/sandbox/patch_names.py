"""Which name did an address come from? So that an allowance for a name covers connecting."""
# ruff: noqa: ANN401 - a stand-in takes and returns whatever the original does

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from tierwise.sandbox.patching import Patch, replace_function
from tierwise.sandbox.slot import SLOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def install() -> Iterable[Patch | None]:
    """Patch socket.getaddrinfo, to read its answers."""
    import socket  # noqa: PLC0415  only when somebody has imported it

    yield replace_function(socket, "getaddrinfo", _watch_answers)


def _watch_answers(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        answers = original(host, *args, **kwargs)
        if isinstance(host, (str, bytes)):
            name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
            SLOT.names.update((answer[4][0], name) for answer in answers if answer[4][0] != name)
        return answers

    return getaddrinfo
