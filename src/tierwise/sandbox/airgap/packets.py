"""IP packets: what an outgoing one was to reach, and the answer that nobody can be reached."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

from tierwise.sandbox.airgap.attempt import Attempt

if TYPE_CHECKING:
    from tierwise.sandbox.airgap.attempt import Kind

ICMP, TCP, UDP, ICMP6 = 1, 6, 17, 58
_ECHO = {ICMP: 8, ICMP6: 128}
_NAMES = 53
"""The port at which names are looked up."""
_SYN, _ACK = 0x02, 0x10
_QUESTION_AT = 12
_LONGEST_LABEL = 63
_EXTENSIONS = frozenset({0, 43, 60})
"""Headers of IPv6 that may stand before the one that counts."""
_QUOTED = 28
"""Bytes of a packet that an answer has to repeat, so that the kernel knows whose it was."""
_QUOTED_6 = 48
_FILTERED = 13
_UNREACHABLE_ADDRESS, _UNREACHABLE_PORT = 3, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """The parts of an IP packet that matter here."""

    version: int
    protocol: int
    source: bytes
    target: bytes
    payload: bytes
    """What the protocol carries, its own header included."""


def parse_packet(raw: bytes) -> Packet | None:
    """Return the parts of an IP packet; None when it is none or is cut off."""
    version = raw[0] >> 4 if raw else 0
    if version == 4 and len(raw) >= 20:  # noqa: PLR2004  its shortest header
        length = (raw[0] & 0x0F) * 4
        return Packet(
            version=4,
            protocol=raw[9],
            source=raw[12:16],
            target=raw[16:20],
            payload=raw[length:],
        )
    if version == 6 and len(raw) >= 40:  # noqa: PLR2004  its header
        protocol, payload = _skip_extensions(raw[6], raw[40:])
        return Packet(
            version=6, protocol=protocol, source=raw[8:24], target=raw[24:40], payload=payload
        )
    return None


def read_attempt(packet: Packet) -> Attempt | None:
    """Return what a packet tried to reach; None for what a kernel sends by itself, or repeats."""
    host = str(ip_address(packet.target))
    if packet.protocol == TCP and len(packet.payload) >= 14:  # noqa: PLR2004  up to the flags
        local, port = struct.unpack_from("!HH", packet.payload)
        is_first = packet.payload[13] & (_SYN | _ACK) == _SYN
        return _attempt("connect", host, port, local) if is_first else None
    if packet.protocol == UDP and len(packet.payload) >= 8:  # noqa: PLR2004  its header
        local, port = struct.unpack_from("!HH", packet.payload)
        name = read_question(packet.payload[8:]) if port == _NAMES else ""
        return _attempt("look_up" if name else "send", name or host, port, local)
    if packet.protocol in _ECHO:
        is_asked = packet.payload[:1] == bytes([_ECHO[packet.protocol]])
        return Attempt(kind="send", host=host) if is_asked else None
    return None


def read_question(message: bytes) -> str:
    """Return the name that a message to a name server asks for; "" when it asks for none."""
    labels, at = [], _QUESTION_AT
    while at < len(message) and message[at]:
        length = message[at]
        label = message[at + 1 : at + 1 + length]
        if length > _LONGEST_LABEL or len(label) < length:
            return ""
        labels.append(label.decode("ascii", "backslashreplace"))
        at += 1 + length
    return ".".join(labels) if at < len(message) else ""


def answer_to(packet: Packet, raw: bytes) -> bytes | None:
    """Return the packet that ends the attempt at once: nobody can be reached.

    None where no answer is due: to many at once, and to what is an answer itself.
    """
    address = ip_address(packet.target)
    if packet.protocol not in (TCP, UDP, ICMP, ICMP6) or address.is_multicast:
        return None
    if packet.protocol in _ECHO and packet.payload[:1] != bytes([_ECHO[packet.protocol]]):
        return None
    if packet.version == 4:  # noqa: PLR2004  IPv4
        message = _sealed(struct.pack("!BBHI", 3, _FILTERED, 0, 0) + raw[: _QUOTED + 20])
        return _head_4(packet.target, packet.source, len(message)) + message
    code = _UNREACHABLE_PORT if packet.protocol == UDP else _UNREACHABLE_ADDRESS
    message = struct.pack("!BBHI", 1, code, 0, 0) + raw[: _QUOTED_6 + 40]
    pseudo = packet.target + packet.source + struct.pack("!I3xB", len(message), ICMP6)
    message = message[:2] + struct.pack("!H", checksum(pseudo + message)) + message[4:]
    head = struct.pack("!IHBB", 6 << 28, len(message), ICMP6, 64)
    return head + packet.target + packet.source + message


def refuse_question(message: bytes) -> bytes:
    """Return a name server's answer that it refuses to look the name up."""
    is_answer, refused = 0x80, 5
    return message[:2] + bytes([message[2] | is_answer, refused]) + message[4:]


def checksum(data: bytes) -> int:
    """Return the checksum of the internet protocols (RFC 1071)."""
    padded = data + b"\0" * (len(data) % 2)
    total: int = sum(struct.unpack(f"!{len(padded) // 2}H", padded))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def _attempt(kind: Kind, host: str, port: int, local: int) -> Attempt:
    return Attempt(kind=kind, host=host, port=port, local_port=local)


def _skip_extensions(protocol: int, payload: bytes) -> tuple[int, bytes]:
    while protocol in _EXTENSIONS and len(payload) >= 8:  # noqa: PLR2004  the shortest of them
        protocol, payload = payload[0], payload[(payload[1] + 1) * 8 :]
    return protocol, payload


def _sealed(message: bytes) -> bytes:
    return message[:2] + struct.pack("!H", checksum(message)) + message[4:]


def _head_4(source: bytes, target: bytes, n_bytes: int) -> bytes:
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + n_bytes, 0, 0, 64, ICMP, 0) + source + target
    return head[:10] + struct.pack("!H", checksum(head)) + head[12:]
