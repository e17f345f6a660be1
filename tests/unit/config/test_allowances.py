import pytest

from tierwise.config import parse_allowance
from tierwise.domain import Allowance, Capability
from tierwise.errors import ConfigError


@pytest.mark.parametrize(
    ("text", "capability", "target"),
    [
        ("tmp", Capability.TMP, None),
        ("network:api.example.com:443", Capability.NETWORK, "api.example.com:443"),
        ("network:api.example.com", Capability.NETWORK, "api.example.com"),
        ("network:[2001:db8::1]:443", Capability.NETWORK, "[2001:db8::1]:443"),
        ("loopback:::1", Capability.LOOPBACK, "::1"),
        ("write:build/", Capability.WRITE, "build/"),
        ("subprocess:git", Capability.SUBPROCESS, "git"),
        ("model:local", Capability.MODEL, "local"),
    ],
)
def test_an_allowance_is_a_capability_with_or_without_a_target(
    text: str, capability: Capability, target: str | None
) -> None:
    """What is written is what is allowed, and it prints as it was written."""
    allowance = parse_allowance(text, "here")
    assert allowance == Allowance(capability=capability, target=target)
    assert str(allowance) == text


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("netwrk", "Did you mean 'network'?"),
        ("", "Expected one of: loopback"),
        ("network:", "Write 'network' to allow all of it"),
        ("write: ", "names no target"),
        ("sleep:3", "sleep takes no target"),
        ("network:https://api.example.com", "without scheme or path"),
        ("network:api.example.com:https", "expected a host or host:port"),
        ("network:api.example.com:0", "expected a host or host:port"),
        ("network:api.example.com:70000", "expected a host or host:port"),
        ("network:api.example.com:", "expected a host or host:port"),
        ("network::443", "expected a host or host:port"),
        ("write:build/../../etc", "with '..'"),
    ],
)
def test_an_allowance_that_means_nothing_is_refused(text: str, complaint: str) -> None:
    """The error says where it stands and what would be right."""
    with pytest.raises(ConfigError) as caught:
        parse_allowance(text, "tests/unit/test_a.py::test_b, allow")
    assert "tests/unit/test_a.py::test_b, allow" in str(caught.value)
    assert complaint in str(caught.value)
