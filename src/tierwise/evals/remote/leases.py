"""What a worker's callers are limited by and paid from: stand-ins that the driver fills."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.evals.remote.leased_limiter import LeasedLimiter
from tierwise.evals.remote.leased_purse import LeasedPurse

if TYPE_CHECKING:
    from tierwise.evals.purse import Purse
    from tierwise.evals.remote.mailbox import Mailbox
    from tierwise.evals.remote.messages import News


class Leases:
    """The stand-ins of one worker."""

    def __init__(self, outbox: Mailbox[News]) -> None:
        self._outbox = outbox
        self.limiters: dict[str, LeasedLimiter] = {}
        self.purse: LeasedPurse | None = None

    def purse_for(self, purse: Purse | None) -> LeasedPurse | None:
        """Return what stands in for the purse that the driver has; None where there is none."""
        if purse is not None:
            self.purse = LeasedPurse(self._outbox.put, limits_usd=purse.limits_usd)
        return self.purse

    def limiter_for(self, name: str) -> LeasedLimiter:
        """Return what stands in for the limiter that all workers share."""
        return LeasedLimiter(name, self._outbox.put, self.limiters)
