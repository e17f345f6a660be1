"""Takes over the clients of this process, for as long as a gateway is installed."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.doors import wall
from tierwise.doubles.gateway.doors.door import Door, Patch
from tierwise.doubles.gateway.vendors import ENVIRONMENT
from tierwise.errors import GatewayError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tierwise.doubles.gateway.gateway import Gateway

DOORS: Mapping[str, str] = {
    "httpx2": "httpx_door",
    "httpx": "httpx_door",
    "aiohttp": "aiohttp_door",
}
"""Which door a library has; a library that is not installed needs none."""


@contextmanager
def installed(
    gateway: Gateway,
    *,
    make_error: Callable[[str], BaseException] = GatewayError,
    environ: bool = True,
) -> Iterator[Gateway]:
    """Have all clients of this process answered by the gateway; undo it all when left.

    `environ` puts obviously fake keys in the environment and takes base addresses out of it.
    `make_error` makes what a client gets that would leave the process.
    """
    door = Door(gateway=gateway, make_error=make_error)
    with ExitStack() as stack:
        if environ:
            stack.enter_context(changed_environment(ENVIRONMENT))
        for library in DOORS:
            for patch in _patches_of(library, door):
                stack.enter_context(replaced(*patch))
        for patch in wall.patches_of(door):
            stack.enter_context(replaced(*patch))
        yield gateway


def _patches_of(library: str, door: Door) -> tuple[Patch, ...]:
    if find_spec(library) is None or find_spec(f"{__package__}.doors.{DOORS[library]}") is None:
        return ()
    module: Any = import_module(f"{__package__}.doors.{DOORS[library]}")
    patches: tuple[Patch, ...] = module.patches_of(import_module(library), door)
    return patches


@contextmanager
def replaced(owner: Any, name: str, stand_in: object) -> Iterator[None]:  # noqa: ANN401  any
    """Put a stand-in in place of what a class or a module has, and put that back."""
    own = vars(owner).get(name)
    setattr(owner, name, stand_in)
    try:
        yield
    finally:
        if own is None:
            delattr(owner, name)
        else:
            setattr(owner, name, own)


@contextmanager
def changed_environment(wanted: Mapping[str, str | None]) -> Iterator[None]:
    """Set variables, or take them away where the value is None, and put back what was there."""
    before = {name: os.environ.get(name) for name in wanted}
    _set(wanted)
    try:
        yield
    finally:
        _set(before)


def _set(wanted: Mapping[str, str | None]) -> None:
    for name, value in wanted.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
