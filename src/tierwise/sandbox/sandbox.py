"""One session's watch over what its tests touch."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from threading import get_ident
from time import monotonic
from typing import TYPE_CHECKING

from tierwise.domain import Mode
from tierwise.errors import MisuseError
from tierwise.sandbox.hook import add_hook_once
from tierwise.sandbox.judge import find_violation
from tierwise.sandbox.ledger import Fault, Ledger
from tierwise.sandbox.patches import Patches
from tierwise.sandbox.resetting import Resets
from tierwise.sandbox.running import busy_threads, owner_of_thread
from tierwise.sandbox.slot import HERE, NOBODY, SLOT, Nobody, Owner
from tierwise.sandbox.violation import PolicyViolation
from tierwise.sandbox.world import survey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from contextvars import Token
    from pathlib import Path

    from tierwise.domain import Touch, Violation
    from tierwise.sandbox.policy import Policy

_LOOK_AGAIN = 0.05
"""Seconds after which a worker may have become idle."""


class Sandbox:
    """What a session's tests may touch is judged from `install()` to `uninstall()`.

    Nothing is forbidden while no policy acts. Sandboxes nest: the newest one judges, and the one
    below goes on undisturbed when it is gone.
    """

    def __init__(
        self,
        *,
        project_root: Path,
        exempt_paths: Sequence[Path] = (),
        tmp_paths: Sequence[Path] = (),
        violation_type: type[PolicyViolation] = PolicyViolation,
    ) -> None:
        """Look around once.

        Files below `exempt_paths` are nobody's touch, and folders in `tmp_paths` are temporary
        ones. `violation_type` is what an enforced violation is raised as.
        """
        self.world = survey(
            project_root=project_root, exempt_paths=exempt_paths, tmp_paths=tmp_paths
        )
        self.home = get_ident()
        self._ledger = Ledger()
        self.resets = Resets(SLOT.early_resets)
        self._violation_type = violation_type
        self._entered: list[Policy] = []
        self._last_entered: Policy | None = None
        self._owner: Owner | None = None

    def install(self) -> None:
        """Start to judge; the calling thread is the one that runs the tests."""
        add_hook_once()
        self.home = get_ident()
        if not SLOT.sandboxes:
            SLOT.patches = Patches()
            SLOT.patches.put_in()
        SLOT.sandboxes.append(self)

    def uninstall(self) -> None:
        """Stop to judge; the last one out takes the patches along. Twice is once."""
        if self not in SLOT.sandboxes:
            return
        SLOT.sandboxes.remove(self)
        if not SLOT.sandboxes and SLOT.patches is not None:
            SLOT.patches.take_out()
            SLOT.patches = None
            SLOT.names.clear()

    def enter(self, policy: Policy) -> None:
        """Let a policy act in the thread that runs the tests, over the one that acted so far."""
        if self not in SLOT.sandboxes:
            raise MisuseError(
                f"A policy for {policy.subject!r} was to act in a sandbox that is not installed, "
                "so nothing would be judged. Call install() first."
            )
        if policy is not self._last_entered:  # three phases of a test have one policy
            SLOT.complete_patches()
            self._last_entered = policy
        self._entered.append(policy)

    def leave(self, policy: Policy) -> None:
        """End what `enter` began; the policy below acts again."""
        if self._entered and self._entered[-1] is policy:
            self._entered.pop()
        else:
            self._forget(policy)

    @property
    def acting_owner(self) -> Owner | None:
        """Whoever acts in the thread that runs the tests; made for those that touch something."""
        if not self._entered:
            return None
        policy = self._entered[-1]
        if self._owner is None or self._owner.policy is not policy:
            self._owner = self._owner_of(policy)
        return self._owner

    @contextmanager
    def acting(self, policy: Policy) -> Iterator[None]:
        """Let a policy act in the thread that runs the tests while the block runs."""
        self.enter(policy)
        try:
            yield
        finally:
            self.leave(policy)

    @contextmanager
    def acting_here(self, policy: Policy) -> Iterator[None]:
        """Let a policy act in this context alone, and in tasks and threads started inside.

        It wins over the one that acts in the whole session.
        """
        token = HERE.set(self._owner_of(policy) or NOBODY)
        try:
            yield
        finally:
            HERE.reset(token)

    def suspended(self) -> AbstractContextManager[None]:
        """Let what this context does while the block runs be nobody's touch: the harness's own."""
        return Suspended()

    def wait_for_threads(self, *, seconds: float) -> None:
        """Wait, so long at most, for threads that act for policies of this sandbox.

        Daemons and idle workers of executors have no end to wait for.
        """
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            busy = busy_threads(self._ledger)
            if not busy:
                return
            busy[0].join(min(left, _LOOK_AGAIN))

    def accept(self, accepts: Callable[[Violation], bool]) -> None:
        """Let violations be of which this says so: they are neither recorded nor raised."""
        self._ledger.accepts = accepts

    def note(self, policy: Policy, touch: Touch, source: str, *, thread: int = 0) -> None:
        """Record a touch that was seen from outside, too late to be stopped by raising.

        It belongs to whoever `thread`, by its system's id, acts for, else to `policy`. What the
        hook has told of already is not told twice. `source` stands for the stack.
        """
        owner = owner_of_thread(thread) or self._owner_of(policy)
        if owner is None or self._ledger.knows_host(owner.policy.subject, touch):
            return
        violation = find_violation(owner, touch, None)
        accepts = self._ledger.accepts
        if violation is not None and not (accepts is not None and accepts(violation)):
            self._ledger.record(replace(violation, stack=(source,)))

    def doubt(self, event: str, subject: str, error: str) -> None:
        """Record that touches could not be judged: the run proves nothing about them."""
        self._ledger.record_fault(Fault(event=event, subject=subject, error=error))

    def take(self, subject: str) -> tuple[Violation, ...]:
        """Return the violations recorded for this subject since it was last asked, once."""
        return self._ledger.take(subject)

    @property
    def is_clean(self) -> bool:
        """Is there nothing to take, for any subject? Far cheaper to ask than to take."""
        return not self._ledger.waiting

    def pending(self) -> tuple[Violation, ...]:
        """Return what was recorded and nobody has taken: threads that ran on, mostly."""
        return self._ledger.pending()

    def faults(self) -> tuple[Fault, ...]:
        """Return touches that could not be judged: a run with any of them proves nothing."""
        return self._ledger.faults()

    def _forget(self, policy: Policy) -> None:
        """Drop the newest entry of a policy that does not act, if there is one."""
        for index in reversed(range(len(self._entered))):
            if self._entered[index] is policy:
                del self._entered[index]
                return

    def _owner_of(self, policy: Policy) -> Owner | None:
        if policy.mode is Mode.OFF:
            return None
        return Owner(
            policy=policy, world=self.world, ledger=self._ledger, raises=self._violation_type
        )


class Suspended:
    """A block in which what this context does is nobody's touch.

    Entered twice around each test: a generator would take three times as long.
    """

    __slots__ = ("_token",)
    _token: Token[Owner | Nobody | None]

    def __enter__(self) -> None:
        self._token = HERE.set(NOBODY)

    def __exit__(self, *_: object) -> None:
        HERE.reset(self._token)
