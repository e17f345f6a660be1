"""Where a subject stands with its vendor: eight answers, none of which is "fine, probably"."""

from __future__ import annotations

from enum import StrEnum

from tierwise.domain import Outcome


class Standing(StrEnum):
    """What an observation says of a subject, such as a model in a vendor's catalogue."""

    USABLE = "usable"
    RETIRED = "retired"
    """The vendor no longer serves it."""
    CLOSED = "closed"
    """The tier or plane that it belongs to is closed to this caller."""
    NO_ENTITLEMENT = "no_entitlement"
    """The account has no right to it, or no credit left."""
    BUSY = "busy"
    """The vendor asked to be left alone."""
    UNREACHABLE = "unreachable"
    """No answer came, or the vendor broke down: worth another attempt, and no result."""
    OUR_FAULT = "our_fault"
    """What was sent is wrong: the route, the header, the body or the key."""
    UNKNOWN = "unknown"
    """Nothing in the table says what it is."""

    @property
    def outcome(self) -> Outcome:
        """The outcome of a live test that ends in it."""
        return _OUTCOMES[self]

    @property
    def is_vendors_move(self) -> bool:
        """True where the vendor moved or is busy: nothing was seen, by no fault of ours."""
        return self.outcome is Outcome.UNOBSERVABLE


_OUTCOMES = {
    Standing.USABLE: Outcome.PASSED,
    Standing.RETIRED: Outcome.UNOBSERVABLE,
    Standing.CLOSED: Outcome.UNOBSERVABLE,
    Standing.NO_ENTITLEMENT: Outcome.UNOBSERVABLE,
    Standing.BUSY: Outcome.UNOBSERVABLE,
    Standing.UNREACHABLE: Outcome.ERROR,
    Standing.OUR_FAULT: Outcome.FAILED,
    Standing.UNKNOWN: Outcome.ERROR,
}
