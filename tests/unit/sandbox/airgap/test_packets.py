"""Packets that leave: what they were to reach, and the answer that they get."""

from __future__ import annotations

import struct
from ipaddress import ip_address

import pytest

from tierwise.sandbox.airgap.packets import (
    ICMP,
    ICMP6,
    TCP,
    UDP,
    answer_to,
    checksum,
    parse_packet,
    read_attempt,
    read_question,
    refuse_question,
)

SYN, SYN_ACK = 0x02, 0x12
HEAD = b"\xab\xcd\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00"
QUESTION = HEAD + b"\x03api\x07example\x03com\x00\x00\x01\x00\x01"


def packet_4(protocol: int, payload: bytes, target: str = "203.0.113.7") -> bytes:
    """Return a packet of IPv4."""
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(payload), 0, 0, 64, protocol, 0)
    return head + ip_address("192.0.0.8").packed + ip_address(target).packed + payload


def packet_6(protocol: int, payload: bytes, target: str = "2001:db8::5") -> bytes:
    """Return a packet of IPv6."""
    head = struct.pack("!IHBB", 6 << 28, len(payload), protocol, 64)
    return head + ip_address("100::8").packed + ip_address(target).packed + payload


def tcp(port: int, flags: int = SYN) -> bytes:
    """Return the header of a TCP segment from port 40000."""
    return struct.pack("!HHIIBBHHH", 40000, port, 1, 0, 0x50, flags, 1024, 0, 0)


def udp(port: int, message: bytes = b"x") -> bytes:
    """Return a UDP datagram from port 40000."""
    return struct.pack("!HHHH", 40000, port, 8 + len(message), 0) + message


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (packet_4(TCP, tcp(443)), ("connect", "203.0.113.7", 443, 40000)),
        (packet_6(TCP, tcp(80)), ("connect", "2001:db8::5", 80, 40000)),
        (packet_4(UDP, udp(123)), ("send", "203.0.113.7", 123, 40000)),
        (packet_4(UDP, udp(53, QUESTION)), ("look_up", "api.example.com", 53, 40000)),
        (packet_4(UDP, udp(53, b"no name")), ("send", "203.0.113.7", 53, 40000)),
        (packet_4(ICMP, b"\x08\x00\x00\x00"), ("send", "203.0.113.7", None, None)),
        (packet_6(0, b"\x06\x00" + b"\0" * 6 + tcp(80)), ("connect", "2001:db8::5", 80, 40000)),
    ],
)
def test_a_packet_says_what_it_was_to_reach(
    raw: bytes, said: tuple[str, str, int | None, int | None]
) -> None:
    """A first segment connects, a question to a name server names, all else sends."""
    packet = parse_packet(raw)
    assert packet is not None
    attempt = read_attempt(packet)
    assert attempt is not None
    assert (attempt.kind, attempt.host, attempt.port, attempt.local_port) == said


@pytest.mark.parametrize(
    "raw",
    [
        packet_4(TCP, tcp(443, SYN_ACK)),
        packet_6(ICMP6, b"\x85\x00\x00\x00", "ff02::2"),
        packet_6(ICMP6, b"\x8f\x00\x00\x00", "ff02::16"),
        packet_4(2, b"\x16\x00\x00\x00", "224.0.0.22"),
        packet_4(TCP, b"\x00"),
        packet_4(UDP, b""),
    ],
)
def test_what_a_kernel_sends_by_itself_is_no_attempt(raw: bytes) -> None:
    """Answers, router solicitations, reports of groups and cut off packets are nobody's."""
    packet = parse_packet(raw)
    assert packet is not None
    assert read_attempt(packet) is None


@pytest.mark.parametrize("raw", [b"", b"\x45\x00", b"\x60" + b"\0" * 10, b"\x00" * 60])
def test_what_is_no_packet_is_none(raw: bytes) -> None:
    """A fragment of a header, or another protocol, is not taken for an attempt."""
    assert parse_packet(raw) is None


@pytest.mark.parametrize(
    "message", [b"", QUESTION[:15], HEAD + b"\xc0" + b"x" * 192 + b"\0", HEAD + b"\0"]
)
def test_a_question_that_is_cut_off_or_points_elsewhere_has_no_name(message: bytes) -> None:
    """Only whole labels are a name."""
    assert read_question(message) == ""


def test_an_attempt_over_ipv4_is_answered_that_it_is_not_permitted() -> None:
    """The answer goes from the target to the sender, quotes the packet, and its sums are right."""
    raw = packet_4(TCP, tcp(443))
    packet = parse_packet(raw)
    assert packet is not None
    answer = answer_to(packet, raw)
    assert answer is not None
    head, message = answer[:20], answer[20:]
    assert (head[12:16], head[16:20]) == (packet.target, packet.source)
    assert (message[0], message[1]) == (3, 13)
    assert message[8:].startswith(raw[:28])
    assert checksum(head) == checksum(message) == 0


@pytest.mark.parametrize(("payload", "protocol", "code"), [(tcp(80), TCP, 3), (udp(80), UDP, 4)])
def test_an_attempt_over_ipv6_is_answered_by_what_ends_it(
    payload: bytes, protocol: int, code: int
) -> None:
    """A connection ends by an address, a datagram by a port that cannot be reached."""
    raw = packet_6(protocol, payload)
    packet = parse_packet(raw)
    assert packet is not None
    answer = answer_to(packet, raw)
    assert answer is not None
    message = answer[40:]
    assert (answer[6], message[0], message[1]) == (ICMP6, 1, code)
    pseudo = answer[8:40] + struct.pack("!I3xB", len(message), ICMP6)
    assert checksum(pseudo + message) == 0


@pytest.mark.parametrize(
    "raw",
    [
        packet_4(UDP, udp(5353), "224.0.0.251"),
        packet_4(ICMP, b"\x03\x01\x00\x00"),
        packet_6(ICMP6, b"\x85\x00\x00\x00", "ff02::2"),
        packet_4(50, b"secret"),
    ],
)
def test_what_nobody_waits_for_is_not_answered(raw: bytes) -> None:
    """Neither a group, nor an answer, nor a protocol without ports is told anything."""
    packet = parse_packet(raw)
    assert packet is not None
    assert answer_to(packet, raw) is None


def test_a_refused_question_keeps_its_number() -> None:
    """The resolver takes the answer for its own question, and goes no further."""
    answer = refuse_question(QUESTION)
    assert answer[:2] == QUESTION[:2]
    assert (answer[2] & 0x80, answer[3] & 0x0F) == (0x80, 5)
    assert read_question(answer) == "api.example.com"
