"""What a gateway that has ended tells of its programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tierwise.doubles.gateway.gateway import Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How much was asked, and what was wrong."""

    n_requests: int
    n_forgotten: int
    """Requests that the bounded journal no longer holds; no verdict is about them."""
    unmatched: tuple[str, ...]
    """What was asked that nothing was there for."""
    unused: tuple[str, ...]
    verdicts: tuple[str, ...]

    def __str__(self) -> str:
        """Return the summary for reading."""
        lines = [f"{self.n_requests} request(s), {len(self.unmatched)} that nothing was there for"]
        for title, found in (
            ("not answered", self.unmatched),
            ("unused", self.unused),
            ("client", self.verdicts),
        ):
            lines += [f"  {title}: {one}" for one in found]
        if self.verdicts and self.n_forgotten:
            lines.append(f"  {self.n_forgotten} older request(s) are in no verdict")
        return "\n".join(lines)

    def as_data(self) -> dict[str, Any]:
        """Return the summary for machines."""
        return asdict(self)


def summarise(gateway: Gateway) -> Summary:
    """Return the summary of a gateway."""
    return Summary(
        n_requests=len(gateway.requests) + gateway.n_forgotten,
        n_forgotten=gateway.n_forgotten,
        unmatched=gateway.complaints,
        unused=gateway.unused if gateway.strict else (),
        verdicts=tuple(map(str, gateway.verdicts())),
    )
