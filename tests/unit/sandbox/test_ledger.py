from __future__ import annotations

from tierwise.domain import Capability, Touch, Violation
from tierwise.sandbox import Fault
from tierwise.sandbox.ledger import Ledger


def violation(subject: str, target: str = "x", event: str = "") -> Violation:
    return Violation(
        capability=Capability.TMP, target=target, subject=subject, tier=None, event=event
    )


def test_takes_one_subject_and_leaves_the_rest_in_order() -> None:
    """What belongs to others stays, in the order in which it came."""
    ledger = Ledger()
    for subject in ("a", "b", "a", "c"):
        ledger.record(violation(subject, target=f"{subject}{len(ledger.pending())}"))
    assert [each.target for each in ledger.take("a")] == ["a0", "a2"]
    assert [each.subject for each in ledger.pending()] == ["b", "c"]
    assert ledger.take("nobody") == ()


def test_keeps_the_first_of_the_same_touches() -> None:
    """A loop over a thousand writes of one file is one violation, until it is taken."""
    ledger = Ledger()
    touch = Touch(capability=Capability.TMP, target="x")
    assert not ledger.knows("a", touch)
    for event in ("first", "second"):
        ledger.record(violation("a", event=event))
    assert ledger.knows("a", touch)
    assert [each.event for each in ledger.take("a")] == ["first"]
    assert not ledger.knows("a", touch)


def test_knows_a_host_at_any_port_that_one_of_both_leaves_open() -> None:
    """What the hook saw as a look-up of a host and a port is the look-up that left."""
    ledger = Ledger()
    network = Capability.NETWORK
    ledger.record(
        Violation(capability=network, target="api.example.com:443", subject="a", tier=None)
    )
    for target, is_known in (
        ("api.example.com:443", True),
        ("api.example.com", True),
        ("api.example.com:80", False),
        ("example.com", False),
    ):
        assert ledger.knows_host("a", Touch(capability=network, target=target)) is is_known
    other = Touch(capability=Capability.LOOPBACK, target="api.example.com")
    assert not ledger.knows_host("a", other)
    assert not ledger.knows_host("b", Touch(capability=network, target="api.example.com"))


def test_keeps_faults_apart() -> None:
    """What could not be judged is neither a violation nor forgotten."""
    ledger = Ledger()
    fault = Fault(event="open", subject="a", error="ValueError()")
    ledger.record_fault(fault)
    assert (ledger.faults(), ledger.pending()) == ((fault,), ())
