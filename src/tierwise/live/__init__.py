"""Tests against a real vendor: what it answered, who is at fault, and whether enough was seen."""

from tierwise.live.catalogue import Catalogue as Catalogue
from tierwise.live.divergence import (
    PremiseError as PremiseError,
    Swapped as Swapped,
    assert_divergent as assert_divergent,
    divergent as divergent,
    swap_test as swap_test,
)
from tierwise.live.floor import Watched as Watched
from tierwise.live.live import Live as Live
from tierwise.live.observed import Observed as Observed
from tierwise.live.observing import observe as observe
from tierwise.live.secret import RequireSecret as RequireSecret
from tierwise.live.seeing import LiveFaultError as LiveFaultError, see as see
from tierwise.live.signature import Signature as Signature
from tierwise.live.standing import Standing as Standing
from tierwise.live.table import VendorVerdict as VendorVerdict, VerdictTable as VerdictTable
from tierwise.live.walking import (
    Walk as Walk,
    WalkLimits as WalkLimits,
    walk as walk,
    walk_async as walk_async,
)

__all__ = [
    "Catalogue",
    "Live",
    "LiveFaultError",
    "Observed",
    "PremiseError",
    "RequireSecret",
    "Signature",
    "Standing",
    "Swapped",
    "VendorVerdict",
    "VerdictTable",
    "Walk",
    "WalkLimits",
    "Watched",
    "assert_divergent",
    "divergent",
    "observe",
    "see",
    "swap_test",
    "walk",
    "walk_async",
]
