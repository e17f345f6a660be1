from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given, strategies as st

from tierwise.domain import Allowance, Capability, Mode, Touch
from tierwise.sandbox import Policy, forbids, resolve_allowance, union_of
from tierwise.sandbox.targets import format_endpoint, parse_endpoint

CAPABILITIES = st.sampled_from(Capability)


def policy(*allowed: str, **more: object) -> Policy:
    allow = []
    for text in allowed:
        name, _, target = text.partition(":")
        allow.append(Allowance(capability=Capability(name), target=target or None))
    return Policy(subject="t", tier="unit", allow=tuple(allow), **more)  # type: ignore[arg-type]


def touch(text: str) -> Touch:
    name, _, target = text.partition(":")
    return Touch(capability=Capability(name), target=target)


@given(allowed=CAPABILITIES, touched=CAPABILITIES)
def test_a_whole_capability_covers_itself(allowed: Capability, touched: Capability) -> None:
    """An allowance without a target covers its own capability; network covers loopback too."""
    covers = allowed is touched or (allowed, touched) == ("network", "loopback")
    assert forbids(policy(allowed), Touch(capability=touched, target="x")) is not covers


@pytest.mark.parametrize(
    ("allowed", "touched"),
    [
        ("network:api.example.com:443", "network:api.example.com:443"),
        ("network:API.example.com", "network:api.example.com:80"),
        ("network:api.example.com:443", "network:api.example.com"),
        ("loopback:127.0.0.1:8080", "loopback:127.0.0.1:8080"),
        ("loopback:[::1]:8080", "loopback:[::1]:8080"),
        ("loopback:::1", "loopback:[::1]:8080"),
        ("loopback:/run/x.sock", "loopback:/run/x.sock"),
        ("write:/p/build", "write:/p/build/a/b.txt"),
        ("write:/p/build/", "write:/p/build"),
        ("read:/etc/hosts", "read:/etc/hosts"),
        ("read:/", "read:/etc/hosts"),
        ("subprocess:git", "subprocess:git"),
        ("subprocess:git", "subprocess:/usr/bin/git"),
        ("subprocess:/usr/bin/git", "subprocess:/usr/bin/git"),
        ("subprocess:sh", "subprocess:sh -c true"),
        ("model:smollm2", "model:smollm2"),
    ],
)
def test_a_narrow_allowance_covers_its_target(allowed: str, touched: str) -> None:
    """Hosts with and without port, folders with what is below, programs by name or path."""
    assert not forbids(policy(allowed), touch(touched))


@pytest.mark.parametrize(
    ("allowed", "touched"),
    [
        ("network:api.example.com:443", "network:api.example.com:80"),
        ("network:api.example.com", "network:evil-api.example.com:443"),
        ("network:127.0.0.1", "loopback:127.0.0.1:80"),
        ("loopback:127.0.0.1:80", "loopback:127.0.0.1:8080"),
        ("write:/p/build", "write:/p/builder/x"),
        ("write:/p/build", "write:/p/build/../src/x"),
        ("write:/p/build", "tmp:/p/build/x"),
        ("write:build", "write:/p/build/x"),
        ("subprocess:git", "subprocess:git-evil"),
        ("subprocess:git", "subprocess:sh -c git"),
        ("model:smollm2", "model:gpt"),
    ],
)
def test_a_narrow_allowance_covers_nothing_else(allowed: str, touched: str) -> None:
    """Another port, a longer name, a sibling folder, another program stay forbidden."""
    assert forbids(policy(allowed), touch(touched))


def test_watching_few_capabilities_leaves_the_rest_alone() -> None:
    """While collecting, network and model alone are watched."""
    collecting = policy(watched=frozenset({Capability.NETWORK}))
    assert forbids(collecting, touch("network:x"))
    assert not forbids(collecting, touch("write:/x"))


def test_mode_off_forbids_nothing_and_report_as_much_as_enforce() -> None:
    """What is forbidden is one question, what follows from it another."""
    verdicts = {mode: forbids(policy(mode=mode), touch("sleep:1 s")) for mode in Mode}
    assert verdicts == {Mode.OFF: False, Mode.REPORT: True, Mode.ENFORCE: True}


def test_union_allows_what_any_allows_once() -> None:
    """Duplicates fall together, and a whole capability swallows its narrow allowances."""
    groups = (policy("tmp", "read:/a", "write:/x"), policy("read", "tmp"), policy("write:/y"))
    united = union_of(group.allow for group in groups)
    assert [str(each) for each in united] == ["tmp", "write:/x", "read", "write:/y"]


@given(st.lists(st.lists(CAPABILITIES)), CAPABILITIES)
def test_union_forbids_what_all_forbid(groups: list[list[Capability]], one: Capability) -> None:
    """A touch is forbidden by the union exactly when each of the policies forbids it."""
    policies = [policy(*group) for group in groups]
    united = Policy(subject="t", allow=union_of(each.allow for each in policies))
    touched = Touch(capability=one, target="x")
    assert forbids(united, touched) == all(forbids(each, touched) for each in policies)


def test_resolving_makes_paths_absolute_and_leaves_the_rest() -> None:
    """A path target is relative to the project root; a host or a program is not."""
    root = PurePosixPath("/p")
    resolved = [
        resolve_allowance(each, root).target  # type: ignore[arg-type]  # pure text
        for each in policy("write:build/", "read:/etc/x", "subprocess:build", "tmp").allow
    ]
    assert resolved == ["/p/build", "/etc/x", "build", None]


@given(
    st.sampled_from(["a.example", "203.0.113.7", "::1", "fe80::1%eth0"]),
    st.none() | st.integers(0, 65535),
)
def test_endpoints_are_read_as_they_are_written(host: str, port: int | None) -> None:
    """Parsing undoes formatting, for names, IPv4 and IPv6, with a port and without."""
    expected = (host, None if port is None else str(port))
    assert parse_endpoint(format_endpoint(host, port)) == expected
