"""One answer seen: usable, not to be seen today, or a fault that has to fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tierwise.contracts.contract import unobservable
from tierwise.live.table import VerdictTable

if TYPE_CHECKING:
    from tierwise.live.table import VendorVerdict

A = TypeVar("A")


class LiveFaultError(AssertionError):
    """An answer that is no move of the vendor's: a fault of ours, or one not understood."""

    def __init__(self, verdict: VendorVerdict, told: str) -> None:
        super().__init__(told)
        self.verdict = verdict


def see(answer: A, *, table: VerdictTable | None = None, sent_key: bool | None = None) -> A:
    """Return the answer if its subject is usable.

    A move of the vendor's makes the test `unobservable` with its reason; a fault of ours, an
    answer that did not come and one that nobody understands raise `LiveFaultError`.
    """
    __tracebackhide__ = True
    verdict = (table or VerdictTable.known()).judge(answer, sent_key=sent_key)
    refuse_unusable(verdict, str(verdict))
    return answer


def refuse_unusable(verdict: VendorVerdict, told: str) -> None:
    """Raise what a standing asks for, saying `told`; a usable one asks for nothing."""
    __tracebackhide__ = True
    if verdict.standing.is_vendors_move:
        unobservable(told)
    if verdict.standing.outcome != "passed":
        raise LiveFaultError(verdict, told)
