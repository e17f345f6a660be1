"""The one piece of module-level state: whose policy the audit hook reads."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from threading import get_ident
from typing import TYPE_CHECKING, Protocol

from tierwise.sandbox.happening import Happened

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.sandbox.environment.mocking import MockedEnv
    from tierwise.sandbox.ledger import Ledger
    from tierwise.sandbox.policy import Policy
    from tierwise.sandbox.resetting import Resets
    from tierwise.sandbox.violation import PolicyViolation
    from tierwise.sandbox.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose touches these are: a policy, and where its violations are kept."""

    policy: Policy
    world: World
    ledger: Ledger
    raises: type[PolicyViolation]


class Acting(Protocol):
    """A sandbox as the slot sees it."""

    home: int
    """The ident of the thread that runs the tests."""
    resets: Resets
    """What the session runs after each test."""

    @property
    def acting_owner(self) -> Owner | None:
        """Whoever acts in that thread."""


class Installed(Protocol):
    """Patches as the slot sees them."""

    def complete(self) -> None:
        """Patch what has been imported since."""

    def take_out(self) -> None:
        """Put every original back."""


class Slot:
    """Installed sandboxes, the newest last, and the owners of threads while these run."""

    __slots__ = (
        *("clock", "early_resets", "happened", "has_hook", "judging", "mocked", "names"),
        *("patches", "sandboxes", "threads"),
    )

    def __init__(self) -> None:
        self.sandboxes: list[Acting] = []
        self.threads: dict[int, Owner | Nobody] = {}
        self.judging: set[int] = set()
        self.names: dict[str, str] = {}
        """Addresses that look-ups returned, and the name that was asked for."""
        self.patches: Installed | None = None
        self.has_hook = False
        self.happened = Happened()
        self.early_resets: list[Callable[[], object]] = []
        """What was registered while no session ran, for those that come."""
        self.mocked: list[MockedEnv] = []
        """Changes of the environment that hold, the newest last: they end in reverse order."""
        self.clock: object | None = None
        """The engine of virtual time while there is one: waits by it are no touches."""

    def complete_patches(self) -> tuple[()]:
        """Patch what has been imported since; the answer says that nothing was touched."""
        if self.patches is not None:
            self.patches.complete()
        return ()

    def forget_other_threads(self) -> None:
        """Keep only this thread: after a fork the others are gone, and their idents free."""
        here = get_ident()
        self.threads = {ident: owner for ident, owner in self.threads.items() if ident == here}
        self.judging.clear()


class Nobody:
    """Owns what the harness does itself, and threads that were started outside any phase."""

    __slots__ = ()


NOBODY = Nobody()
SLOT = Slot()
HERE: ContextVar[Owner | Nobody | None] = ContextVar("tierwise_owner_here", default=None)
"""An owner for this context alone; wins over the thread's and the session's."""


def owner_here() -> Owner | None:
    """Return who is responsible for what this thread and context do now, if anybody is."""
    owner = HERE.get() or SLOT.threads.get(get_ident())
    if owner is None:
        if not SLOT.sandboxes:
            return None
        sandbox = SLOT.sandboxes[-1]
        return sandbox.acting_owner if get_ident() == sandbox.home else None
    return None if isinstance(owner, Nobody) else owner
