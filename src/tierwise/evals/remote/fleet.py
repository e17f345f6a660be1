"""Workers as the driver sees them, whatever starts and reaches them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.evals.remote.messages import News, Order


class WorkerLost(Exception):  # noqa: N818  an event that is dealt with, not an error of a user
    """A worker can no longer be reached: its process died, or its machine."""


class Link(Protocol):
    """A way to one worker. Both directions raise `WorkerLost` once it is gone."""

    async def send(self, orders: Sequence[Order]) -> None:
        """Give orders, in this order."""
        ...

    async def receive(self) -> Sequence[News]:
        """Return the next news, at least one."""
        ...

    def kill(self) -> None:
        """End the worker at once."""
        ...


class Fleet(Protocol):
    """Starts workers."""

    def open(self) -> int:
        """Reach the machines; return how many workers there are to be."""
        ...

    async def start(self, number: int) -> Link:
        """Start a worker and return the way to it, which may not have collected yet."""
        ...

    def close(self) -> None:
        """Leave nothing running that was started here."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSpec:
    """What a worker is started with: the same as the driver's own session."""

    entry: str
    """`module:function` that is called with this, an inbox and an outbox, in a thread."""
    arguments: tuple[str, ...]
    folder: str
    """The folder in which the driver was started."""
    path: tuple[str, ...]
    """The driver's `sys.path`."""
    evals: tuple[str, ...]
    """The evals in the driver's order."""
    run: str = ""
    """What tells the temporary folders of this run's workers from those of others."""

    @property
    def folder_kind(self) -> str:
        """What the temporary folders of all runs' workers begin with."""
        return "tierwise-worker"
