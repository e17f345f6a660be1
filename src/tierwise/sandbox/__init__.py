"""What a test may touch: policies, and the watch that holds tests to them."""

from tierwise.sandbox.explain import explain as explain, slug_of as slug_of
from tierwise.sandbox.ledger import Fault as Fault
from tierwise.sandbox.policy import (
    Policy as Policy,
    forbids as forbids,
    resolve_allowance as resolve_allowance,
    union_of as union_of,
)
from tierwise.sandbox.sandbox import Sandbox as Sandbox
from tierwise.sandbox.touching import touch as touch
from tierwise.sandbox.violation import PolicyViolation as PolicyViolation

__all__ = [
    "Fault",
    "Policy",
    "PolicyViolation",
    "Sandbox",
    "explain",
    "forbids",
    "resolve_allowance",
    "slug_of",
    "touch",
    "union_of",
]
