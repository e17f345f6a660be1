"""How the time of a response passes: in no time, or really when that is asked for."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tierwise.doubles.gateway.wire import Ending

if TYPE_CHECKING:
    from tierwise.doubles.gateway.journal import Progress


class Pace:
    """Spends the delays of one response, up to what its client is willing to wait for a read.

    Virtual time passes at once and is only counted. A delay beyond the client's patience ends in
    its time-out straight away, so that no test waits for one.
    """

    def __init__(
        self,
        progress: Progress,
        *,
        read_timeout_s: float | None,
        total_timeout_s: float | None = None,
        real_time: bool = False,
    ) -> None:
        self._progress = progress
        self._read_timeout_s = read_timeout_s
        self._total_timeout_s = total_timeout_s
        self._real_time = real_time
        self.is_out_of_total = False
        """Whether the limit that was reached is the one for the whole response."""

    def spend(self, seconds: float) -> float | None:
        """Return how long to sleep for real; None when the client's patience ends before that."""
        limit, total = self._read_timeout_s, self._total_timeout_s
        left = None if total is None else total - self._progress.elapsed_s
        self.is_out_of_total = (
            left is not None and seconds > left and (limit is None or left <= limit)
        )
        if self.is_out_of_total:
            limit = left
        if limit is not None and seconds > limit:
            self._progress.elapsed_s += max(0.0, limit)
            self._progress.timed_out = True
            return None
        self._progress.elapsed_s += seconds
        if not self._real_time:
            return 0.0
        self._progress.real_s += seconds
        return seconds

    def wait(self, seconds: float) -> bool:
        """Spend a delay in this thread; False when the client gives up before its end."""
        real_s = self.spend(seconds)
        if real_s:
            time.sleep(real_s)
        return real_s is not None

    async def wait_async(self, seconds: float) -> bool:
        """Spend a delay without holding the event loop up."""
        real_s = self.spend(seconds)
        if real_s:
            import anyio  # noqa: PLC0415  comes with httpx; only a real wait needs it

            await anyio.sleep(real_s)
        return real_s is not None

    @property
    def would_wait_for_ever(self) -> bool:
        """True for a client without a time-out, before a connection that stays silent."""
        return self._read_timeout_s is None and self._total_timeout_s is None


FOR_EVER = float("inf")


def silence_after(ending: Ending) -> float:
    """Return how long nothing comes after the last chunk, before the ending shows."""
    return FOR_EVER if ending is Ending.STALLED else 0.0
