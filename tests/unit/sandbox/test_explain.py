from __future__ import annotations

import pickle

import pytest

from tierwise.domain import Allowance, Capability, Violation
from tierwise.sandbox import PolicyViolation, explain, slug_of

SLUGS = {
    Capability.NETWORK: "tw-net",
    Capability.LOOPBACK: "tw-net",
    Capability.READ: "tw-file",
    Capability.WRITE: "tw-file",
    Capability.TMP: "tw-file",
    Capability.SUBPROCESS: "tw-process",
    Capability.SLEEP: "tw-sleep",
    Capability.MODEL: "tw-model",
}


def violation(capability: Capability, *, tier: str | None = "unit", event: str = "") -> Violation:
    return Violation(
        capability=capability,
        target="TARGET",
        subject="t.py::test_a",
        tier=tier,
        event=event,
        stack=("tests/t.py:3 in test_a", "src/a.py:7 in save", "/py/lib/x.py:1 in f"),
    )


@pytest.mark.parametrize("capability", Capability)
def test_says_what_where_why_and_where_to_read_on(capability: Capability) -> None:
    """Every capability's message has subject, target, tier, place, ways out and page."""
    text = explain(violation(capability))
    slug = SLUGS[capability]
    assert slug_of(capability) == slug
    assert text.startswith(f"{slug.upper()}  t.py::test_a ")
    assert f'TARGET; tier "unit" does not allow {capability}.' in text
    assert "at src/a.py:7 in save" in text
    # A mark that gives a default tier's test the network or a model would be refused.
    is_costly = capability in (Capability.NETWORK, Capability.MODEL)
    assert (f'@pytest.mark.allow("{capability}", reason="...")' in text) is not is_costly
    assert text.endswith(f"docs: errors/{slug} (tierwise explain {slug})")


def test_a_deed_is_named_when_the_event_tells_it() -> None:
    """An opened socket and a looked-up name read differently."""
    texts = [
        explain(violation(Capability.NETWORK, event=event)).splitlines()[0]
        for event in ("socket.connect", "socket.getaddrinfo", "unheard.of")
    ]
    assert ["opened a socket to TARGET" in texts[0], "looked up TARGET" in texts[1]] == [
        True,
        True,
    ]
    assert "reached TARGET" in texts[2]


def test_the_line_to_paste_is_the_whole_line() -> None:
    """What the tier allows already stays in the line that allows one more."""
    allow = (Allowance(capability=Capability.READ, target="/a"),)
    text = explain(violation(Capability.TMP), allow=allow)
    assert 'allow = ["read:/a", "tmp"] under [tool.tierwise.tiers.unit]' in text


@pytest.mark.parametrize("capability", [Capability.NETWORK, Capability.MODEL])
def test_network_and_model_send_to_deliberate_tiers(capability: Capability) -> None:
    """Allowing them in a tier that is not deliberate would be refused, so it is not offered."""
    text = explain(violation(capability), deliberate_tiers=["evals", "live"])
    assert 'move it to the tier "evals" or "live"' in text
    assert "for the whole tier" not in text
    assert "deliberate = true" in explain(violation(capability))


def test_an_unplaced_test_is_told_to_take_a_tier() -> None:
    """Without a tier there is no list to add to."""
    text = explain(violation(Capability.NETWORK, tier=None))
    assert "no tier claims it" in text
    assert "add its folder to the paths" in text


def test_the_error_keeps_its_violation_on_its_way() -> None:
    """It is no Exception, reads as the message, and survives being sent to another process."""
    found = violation(Capability.TMP)
    error = pickle.loads(pickle.dumps(PolicyViolation(found)))  # noqa: S301  our own bytes
    assert not isinstance(error, Exception)
    assert (error.violation, str(error)) == (found, explain(found))
