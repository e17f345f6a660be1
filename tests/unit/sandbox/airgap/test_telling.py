"""What the tables of a system say, and what is told of them."""

from __future__ import annotations

import errno

import pytest

from tierwise.domain import Capability, Touch
from tierwise.sandbox.airgap.attempt import (
    Attempt,
    Kind,
    attempt_from_data,
    say_source,
    touch_of,
)
from tierwise.sandbox.airgap.counts import count_in, count_in_6
from tierwise.sandbox.airgap.names import servers_in
from tierwise.sandbox.airgap.owners import inodes_at, parent_in, waits_on
from tierwise.sandbox.airgap.refusing import find_cause, refuse_step
from tierwise.sandbox.airgap.routes import interfaces_in, leads_out

TCP_TABLE = [
    "  sl  local_address rem_address   st tx:rx tr:when retrnsmt   uid  timeout inode",
    "   0: 080000C0:9C40 077100CB:01BB 02 01:00 01:64 00000000  1000  0 4711 2 0",
    "   1: 0100007F:1F90 00000000:0000 0A 00:00 00:00 00000000  1000  0 4712 1 0",
]


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        ("connect", "203.0.113.7:443"),
        ("send", "203.0.113.7:443"),
        ("look_up", "203.0.113.7"),
        ("unnamed", "203.0.113.7:443"),
    ],
)
def test_an_attempt_is_a_touch_of_the_network(kind: Kind, target: str) -> None:
    """A name has no port; the event says that the wire told of it."""
    attempt = Attempt(kind=kind, host="203.0.113.7", port=443)
    assert touch_of(attempt) == Touch(
        capability=Capability.NETWORK, target=target, event=f"wire.{kind}"
    )


def test_an_attempt_travels_as_plain_data() -> None:
    """What a watcher writes is what a session reads, its ancestors included."""
    attempt = Attempt(kind="connect", host="::1", port=1, ancestors=(3, 2, 1), thread=4)
    assert attempt_from_data({**attempt.as_data(), "ancestors": [3, 2, 1]}) == attempt


@pytest.mark.parametrize(
    ("attempt", "words"),
    [
        (Attempt(kind="connect", host="h", ancestors=(7, 1), thread=7), "in a thread of the test"),
        (
            Attempt(kind="connect", host="h", ancestors=(7, 1)),
            "seen while the test ran; made by t",
        ),
        (Attempt(kind="send", host="h", ancestors=(8, 7), process="curl"), "by the process curl"),
        (Attempt(kind="send", host="h", ancestors=(8, 7), thread=8, process="c"), "process c"),
        (Attempt(kind="send", host="h", ancestors=(8, 7)), "by the process without a name"),
        (Attempt(kind="send", host="h"), "had ended by then"),
        (Attempt(kind="unnamed", host="h"), "nothing tells where it was to go"),
    ],
)
def test_the_source_says_how_sure_it_is(attempt: Attempt, words: str) -> None:
    """A thread of the test's, this process, another one, or nobody that is known."""
    assert words in say_source(attempt, 7)


def test_a_socket_is_found_by_its_local_port() -> None:
    """The table has ports in hexadecimal, and the far port is not the near one."""
    assert list(inodes_at(TCP_TABLE, 40000)) == ["4711"]
    assert list(inodes_at(TCP_TABLE, 443)) == []


def test_a_process_may_have_any_name() -> None:
    """Blanks and brackets in a name do not shift the column of the parent."""
    assert parent_in("42 (a) (b c) S 17 42 42 0") == 17


@pytest.mark.parametrize(
    ("call", "is_it"),
    [
        ("42 0x5 0x7ffe 0x10 0x0 0x0 0x0 0x7ffd 0x7fff", True),
        ("42 0x6 0x7ffe 0x10", False),
        ("running", False),
        ("-1 0x5 0x7f", False),
        ("", False),
    ],
)
def test_a_thread_waits_in_a_call_on_its_own_descriptor(call: str, is_it: bool) -> None:  # noqa: FBT001  a parameter
    """A thread that runs, or is in no call, waits on nothing."""
    assert waits_on(call, 5) is is_it


def test_routes_lead_out_unless_they_are_loopback_or_ours() -> None:
    """The heading of the table is no interface."""
    lines = ["Iface\tDestination\tGateway", "eth0\t00000000\t0100", "tierwise0\t0\t0"]
    assert interfaces_in(lines, 0) == ["eth0", "tierwise0"]
    assert interfaces_in(["00 00 lo", "00 00 eth1"], -1) == ["lo", "eth1"]
    assert not leads_out(["lo", "tierwise0"], "tierwise0")
    assert leads_out(["lo", "eth0"], "tierwise0")


def test_only_name_servers_on_loopback_are_stood_in_for() -> None:
    """Others are seen on the wire; where none is named a resolver asks this machine."""
    lines = ["# nameserver 127.0.0.9", "nameserver 127.0.0.53", "nameserver 10.0.0.1", "search x"]
    assert servers_in(lines) == ("127.0.0.53",)
    assert servers_in([]) == ("127.0.0.1",)
    assert servers_in(["nameserver 10.0.0.1"]) == ()


def test_the_kernel_counts_what_has_no_route() -> None:
    """Names and numbers stand in two lines for IPv4, in one for IPv6."""
    lines = ["Ip: Forwarding OutNoRoutes InX", "Ip: 1 17 3", "Icmp: InMsgs", "Icmp: 0"]
    assert count_in(lines) == 17
    assert count_in(["Ip: Forwarding", "Ip: 1"]) == 0
    assert count_in_6(["Ip6InReceives 3", "Ip6OutNoRoutes 4"]) == 4


@pytest.mark.parametrize(
    ("code", "settings", "words"),
    [
        (errno.ENOSPC, {"/proc/sys/user/max_user_namespaces": "0"}, "max_user_namespaces = 0"),
        (errno.ENOSPC, {"/proc/sys/user/max_user_namespaces": "9"}, "as many namespaces as"),
        (errno.EPERM, {"/proc/sys/kernel/unprivileged_userns_clone": "0"}, "userns_clone = 0"),
        (
            errno.EPERM,
            {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"},
            "kernel.apparmor_restrict_unprivileged_userns = 1",
        ),
        (errno.EPERM, {"seccomp": "2"}, "seccomp filter"),
        (
            errno.EPERM,
            {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "0", "seccomp": "0"},
            "A container's rules",
        ),
    ],
)
def test_a_refusal_names_the_setting_behind_it(
    code: int, settings: dict[str, str], words: str
) -> None:
    """As far as the system tells; a setting that permits it is not blamed."""
    assert words in find_cause(code, settings)


def test_a_refusal_says_the_step_the_error_and_that_nothing_ran() -> None:
    """Nobody may take a session with a network for one without."""
    error = refuse_step("make a network namespace", OSError(errno.EPERM, "x"), {"seccomp": "2"})
    text = str(error)
    assert text.startswith("TW-AIRGAP  --airgap: the system refused to make a network namespace:")
    assert "EPERM (Operation not permitted)" in text
    assert "Nothing was run." in text
    assert "--network none" in text
