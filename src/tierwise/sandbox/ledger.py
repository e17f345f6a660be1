"""What was seen, kept until somebody asks for it."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.sandbox.targets import parse_endpoint

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierwise.domain import Touch, Violation


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A touch that could not be judged, because judging it failed."""

    event: str
    subject: str
    error: str


class Ledger:
    """Violations and faults of one session.

    Recording takes no lock: it happens inside the audit hook, in any thread, at any moment, even
    while the same thread is taking.
    """

    def __init__(self) -> None:
        self._pending: deque[Violation] = deque()
        self.waiting: dict[str, set[tuple[str, str]]] = {}
        """By subject, what of each capability and target waits to be taken."""
        self._faults: deque[Fault] = deque()
        self._taking = threading.Lock()
        self.accepts: Callable[[Violation], bool] | None = None
        """Says which violations are accepted for now, and so are neither kept nor raised."""

    def knows(self, subject: str, touch: Touch) -> bool:
        """Say whether the same touch of the same subject waits to be taken already."""
        return (touch.capability, touch.target) in self.waiting.get(subject, ())

    def knows_host(self, subject: str, touch: Touch) -> bool:
        """Say whether a touch of the same host waits, at the same port or where one has none."""
        wanted = parse_endpoint(touch.target)
        known = [
            parse_endpoint(target)
            for capability, target in self.waiting.get(subject, ())
            if capability == touch.capability
        ]
        return any(
            one.host == wanted.host
            and (one.port == wanted.port or None in (one.port, wanted.port))
            for one in known
        )

    def record(self, violation: Violation) -> None:
        """Keep a violation; of those with one subject, capability and target the first is kept."""
        known = self.waiting.setdefault(violation.subject, set())
        key = (violation.capability, violation.target)
        if key not in known:
            known.add(key)
            self._pending.append(violation)

    def record_fault(self, fault: Fault) -> None:
        """Keep a failure of our own."""
        self._faults.append(fault)

    def take(self, subject: str) -> tuple[Violation, ...]:
        """Return what waits for this subject, and forget it."""
        if subject not in self.waiting:
            return ()
        with self._taking:
            self.waiting.pop(subject, None)
            # As many as there are now: what others append meanwhile stays behind them.
            waiting = [self._pending.popleft() for _ in range(len(self._pending))]
            self._pending.extend(each for each in waiting if each.subject != subject)
        return tuple(each for each in waiting if each.subject == subject)

    def pending(self) -> tuple[Violation, ...]:
        """Return what was recorded and not yet taken."""
        with self._taking:
            return tuple(self._pending.copy())

    def faults(self) -> tuple[Fault, ...]:
        """Return what could not be judged."""
        return tuple(self._faults.copy())
