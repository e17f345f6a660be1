"""The cap on work, and what it left out."""

from __future__ import annotations

PER_CHARACTER = 12
AT_LEAST = 50_000
AT_MOST = 5_000_000


class Budget:
    """How many decoded characters may still be searched in one examination."""

    def __init__(self, characters: int) -> None:
        self.limit = min(AT_MOST, max(AT_LEAST, characters * PER_CHARACTER))
        self.used = 0
        self.refused = 0

    def take(self, characters: int) -> bool:
        """Say whether so many characters may be searched, and count them."""
        if self.used + characters > self.limit:
            self.refused += characters
            return False
        self.used += characters
        return True

    @property
    def cut(self) -> tuple[str, ...]:
        """Return what was left out, in words."""
        if not self.refused:
            return ()
        return (
            f"{self.refused} decoded characters were not searched, beyond the cap of {self.limit}",
        )
